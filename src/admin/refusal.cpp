#include "admin/refusal.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace tgkeep::admin {

namespace json = boost::json;

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

int status_of(Errc code) noexcept {
  switch (code) {
    case Errc::not_found:
      return 404;
    case Errc::misuse:
    case Errc::store_locked:
    case Errc::stale:
    case Errc::bad_config:
      return 409;
    case Errc::store_broken:
    case Errc::store_full:
    case Errc::store_unusable:
    case Errc::cancelled:
      return 503;
    default:
      return 500;
  }
}

// The length of the character that `bytes` begins with; 0 when it is none.
std::size_t character_size(std::string_view bytes) noexcept {
  const auto at = [bytes](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char first = at(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || bytes.size() < size) return 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (first == 0xE0) low = 0xA0;
  if (first == 0xED) high = 0x9F;
  if (first == 0xF0) low = 0x90;
  if (first == 0xF4) high = 0x8F;
  if (at(1) < low || at(1) > high) return 0;
  for (std::size_t i = 2; i < size; ++i) {
    if (at(i) < 0x80 || at(i) > 0xBF) return 0;
  }
  return size;
}

}  // namespace

http::ServerReply json_reply(const json::value& value) {
  return http::ServerReply(200, json::serialize(value));
}

http::ServerReply refuse(int status, std::string_view code, std::string_view text) {
  json::object error;
  error["code"] = code;
  error["text"] = as_text(text);
  json::object body;
  body["error"] = std::move(error);
  return http::ServerReply(status, json::serialize(body));
}

http::ServerReply refuse(const Error& error) {
  return refuse(status_of(error.code()), to_string(error.code()), error.text());
}

http::ServerReply wrong_request(std::string_view text) {
  return refuse(400, "bad_request", text);
}

http::ServerReply not_searchable() {
  return refuse(409, "misuse",
                "this bot's store can't be searched: it has none, or keeps updates with a broker; use the "
                "SQLite store to find, retry and replay");
}

http::ServerReply bot_gone() {
  return refuse(404, "not_found",
                "the bot was removed by a reload meanwhile; GET /api/status lists the bots");
}

std::string as_text(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t size = character_size(bytes);
    text += size == 0 ? kReplacement : bytes.substr(0, size);
    bytes.remove_prefix(size == 0 ? 1 : size);
  }
  return text;
}

bool is_utf8(std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const std::size_t size = character_size(bytes);
    if (size == 0) return false;
    bytes.remove_prefix(size);
  }
  return true;
}

}  // namespace tgkeep::admin
