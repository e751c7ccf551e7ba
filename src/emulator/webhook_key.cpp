#include "emulator/webhook_key.hpp"

#include <array>
#include <boost/json/parse.hpp>
#include <charconv>
#include <optional>

namespace tgkeep::emulator {

namespace json = boost::json;

namespace {

constexpr std::int64_t step = std::int64_t{1} << 33;
constexpr std::int64_t unkeyed = std::int64_t{1} << 60;

class KeyPlace {
 public:
  constexpr KeyPlace(std::string_view kind, std::string_view path, std::int64_t k)
      : kind(kind), path(path), k(k) {}
  std::string_view kind;
  std::string_view path;  ///< below the kind
  std::int64_t k;
};

constexpr std::array places = {
    KeyPlace("message", "/chat/id", 0),
    KeyPlace("edited_message", "/chat/id", 0),
    KeyPlace("channel_post", "/chat/id", 0),
    KeyPlace("edited_channel_post", "/chat/id", 0),
    KeyPlace("inline_query", "/from/id", 1),
    KeyPlace("chosen_inline_result", "/from/id", 2),
    KeyPlace("callback_query", "/from/id", 3),
    KeyPlace("shipping_query", "/from/id", 4),
    KeyPlace("pre_checkout_query", "/from/id", 4),
    KeyPlace("my_chat_member", "/chat/id", 5),
    KeyPlace("chat_member", "/new_chat_member/user/id", 6),
    KeyPlace("chat_join_request", "/from/id", 6),
    KeyPlace("chat_boost", "/chat/id", 7),
    KeyPlace("removed_chat_boost", "/chat/id", 7),
    KeyPlace("message_reaction", "/chat/id", 8),
    KeyPlace("message_reaction_count", "/chat/id", 9),
    KeyPlace("business_connection", "/user/id", 10),
    KeyPlace("business_message", "/chat/id", 11),
    KeyPlace("edited_business_message", "/chat/id", 11),
    KeyPlace("deleted_business_messages", "/chat/id", 11),
    KeyPlace("guest_message", "/chat/id", 12),
    KeyPlace("purchased_paid_media", "/from/id", 12),
    KeyPlace("managed_bot", "/user/id", 13),
    KeyPlace("subscription", "/user/id", 14),
    KeyPlace("stopped_message_generation", "/chat/id", 15),
    KeyPlace("poll", "/id", 0),
    KeyPlace("poll_answer", "/poll_id", 0),
};

std::optional<std::int64_t> number_of(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
  const json::string* text = value.if_string();
  if (text == nullptr) return std::nullopt;
  std::int64_t number = 0;
  const char* const end = text->data() + text->size();
  if (std::from_chars(text->data(), end, number).ptr != end) return std::nullopt;
  return number;
}

}  // namespace

std::int64_t webhook_key(std::string_view kind, std::string_view update, std::int64_t update_id) {
  for (const KeyPlace& place : places) {
    if (place.kind != kind) continue;
    boost::system::error_code error;
    const json::value parsed = json::parse(json::string_view(update.data(), update.size()), error);
    if (error) break;
    std::string path = "/";
    path.append(kind).append(place.path);
    const json::value* found = parsed.find_pointer(path, error);
    if (found == nullptr) break;
    const std::optional<std::int64_t> id = number_of(*found);
    if (!id) break;
    return *id + place.k * step;
  }
  return unkeyed + update_id;
}

}  // namespace tgkeep::emulator
