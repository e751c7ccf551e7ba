#include "bot/update_fields.hpp"

#include <algorithm>
#include <array>
#include <boost/json/value.hpp>

namespace tgkeep::bot {

namespace {

constexpr std::array<std::string_view, 7> kMessages{
    "message",          "edited_message",          "channel_post", "edited_channel_post",
    "business_message", "edited_business_message", "guest_message"};

std::optional<std::int64_t> id_in(const json::object& parent, std::string_view name) noexcept {
  const json::object* const owner = object_in(parent, name);
  if (owner == nullptr) return std::nullopt;
  return number_in(*owner, "id");
}

}  // namespace

const json::object* object_in(const json::object& parent, std::string_view name) noexcept {
  const json::value* const value = parent.if_contains(name);
  if (value == nullptr) return nullptr;
  return value->if_object();
}

std::string_view text_in(const json::object& parent, std::string_view name) noexcept {
  const json::value* const value = parent.if_contains(name);
  if (value == nullptr || !value->is_string()) return {};
  return value->get_string();
}

std::optional<std::int64_t> number_in(const json::object& parent, std::string_view name) noexcept {
  const json::value* const value = parent.if_contains(name);
  if (value == nullptr || !value->is_int64()) return std::nullopt;
  return value->get_int64();
}

const json::object* message_of(std::string_view kind, const json::object& content) noexcept {
  return std::ranges::find(kMessages, kind) == kMessages.end() ? nullptr : &content;
}

const json::object* message_near(std::string_view kind, const json::object& content) noexcept {
  return kind == "callback_query" ? object_in(content, "message") : message_of(kind, content);
}

bool is_new_message(std::string_view kind) noexcept {
  return kind == "message" || kind == "channel_post";
}

std::optional<std::int64_t> chat_id_of(std::string_view kind, const json::object& content) noexcept {
  const json::object* const message = message_near(kind, content);
  return id_in(message != nullptr ? *message : content, "chat");
}

std::optional<std::int64_t> from_id_of(const json::object& content) noexcept {
  const auto from = id_in(content, "from");
  return from ? from : id_in(content, "user");
}

}  // namespace tgkeep::bot
