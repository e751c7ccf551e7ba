#include "telegram/ordering_key.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

namespace tgkeep::telegram {

namespace {

using simdjson::dom::element;

std::optional<std::int64_t> number(const element& value) {
  std::int64_t result = 0;
  if (value.get(result) != simdjson::SUCCESS) return std::nullopt;
  return result;
}

std::optional<element> field(const element& value, std::string_view name) {
  element result;
  if (value[name].get(result) != simdjson::SUCCESS) return std::nullopt;
  return result;
}

std::optional<std::int64_t> id_of(const element& value, std::string_view name) {
  const auto owner = field(value, name);
  if (!owner) return std::nullopt;
  const auto id = field(*owner, "id");
  if (!id) return std::nullopt;
  return number(*id);
}

std::optional<std::string_view> text_of(const element& value, std::string_view name) {
  std::string_view result;
  if (value[name].get(result) != simdjson::SUCCESS) return std::nullopt;
  return result;
}

// Ids that are texts end up in keys people read and the store keeps: long or odd ones are replaced by their
// hash.
std::string tame(std::string_view id) {
  const auto printable = [](char c) { return c > ' ' && c < '\x7f'; };
  if (id.size() <= 64 && std::ranges::all_of(id, printable)) return std::string(id);
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), stable_hash(id), 16).ptr;
  return "#" + std::string(digits.data(), end);
}

std::optional<std::string> chat_key(const element& message, bool guest) {
  const auto chat = id_of(message, "chat");
  if (!chat) return std::nullopt;
  std::string key = "chat:";
  if (const auto connection = text_of(message, "business_connection_id")) {
    key += "bc=" + tame(*connection) + ":";
  } else if (guest) {
    key += "guest:";
  }
  return key + std::to_string(*chat);
}

std::optional<std::string> poll_key(const element& content, std::string_view name) {
  const auto poll = text_of(content, name);
  if (!poll) return std::nullopt;
  return "poll:" + tame(*poll);
}

std::optional<std::string> own_key(KeyRule rule, const element& content) {
  switch (rule) {
    case KeyRule::chat:
      return chat_key(content, false);
    case KeyRule::guest_chat:
      return chat_key(content, true);
    case KeyRule::callback: {
      const auto message = field(content, "message");
      if (!message) return std::nullopt;
      return chat_key(*message, message->at_key("guest_query_id").error() == simdjson::SUCCESS);
    }
    case KeyRule::poll:
      return poll_key(content, "id");
    case KeyRule::poll_answer:
      return poll_key(content, "poll_id");
    case KeyRule::user:
    case KeyRule::none:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> user_key(element content) {
  if (!content.is_object()) return std::nullopt;
  auto user = id_of(content, "from");
  if (!user) user = id_of(content, "user");
  if (!user) return std::nullopt;
  return "user:" + std::to_string(*user);
}

std::vector<OrderingKey> ordering_keys(BotId bot, KeyRule rule, element content) {
  std::vector<OrderingKey> keys;
  if (rule == KeyRule::none || !content.is_object()) return keys;
  auto text = own_key(rule, content);
  if (!text) text = user_key(content);
  if (text) keys.emplace_back(bot, std::move(*text));
  return keys;
}

}  // namespace tgkeep::telegram
