#include "admin/refusal.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "words/code_point.hpp"

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
    const words::CodePoint point = words::first_code_point(bytes);
    text += point.valid ? bytes.substr(0, point.bytes) : kReplacement;
    bytes.remove_prefix(point.bytes);
  }
  return text;
}

bool is_utf8(std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const words::CodePoint point = words::first_code_point(bytes);
    if (!point.valid) return false;
    bytes.remove_prefix(point.bytes);
  }
  return true;
}

}  // namespace tgkeep::admin
