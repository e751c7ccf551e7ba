#include "emulator/methods.hpp"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <optional>
#include <string>

namespace tgkeep::emulator {

namespace json = boost::json;

namespace {

constexpr std::int64_t highest_channel = -1'000'000'000'000;
constexpr std::size_t longest_text = 4096;

json::object bot_user(const BotAccount& account) {
  json::object user;
  user["id"] = account.id.value();
  user["is_bot"] = true;
  user["first_name"] = "Emulated bot";
  user["username"] = "emulated_" + std::to_string(account.id.value()) + "_bot";
  return user;
}

json::object chat_of(std::int64_t id) {
  json::object chat;
  chat["id"] = id;
  if (id > 0) {
    chat["first_name"] = "User " + std::to_string(id);
    chat["type"] = "private";
  } else {
    chat["title"] = "Chat " + std::to_string(id);
    chat["type"] = id < highest_channel ? "supergroup" : "group";
  }
  return chat;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::size_t code_points(std::string_view utf8) {
  std::size_t count = 0;
  for (const char byte : utf8) count += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  return count;
}

Answer get_me(BotAccount& account, const Params&, WallTime) {
  json::object user = bot_user(account);
  user["can_join_groups"] = true;
  user["can_read_all_group_messages"] = false;
  user["supports_inline_queries"] = false;
  return Answer::ok(json::serialize(user));
}

Answer send_message(BotAccount& account, const Params& params, WallTime now) {
  const std::string_view text = params.text("text");
  if (text.empty()) return Answer::error(400, "Bad Request: message text is empty");
  if (code_points(text) > longest_text) return Answer::error(400, "Bad Request: message is too long");
  const std::string_view chat = params.text("chat_id");
  if (chat.empty()) return Answer::error(400, "Bad Request: chat_id is empty");
  const std::optional<std::int64_t> id = whole_number(chat);
  if (!id || *id == 0) return Answer::error(400, "Bad Request: chat not found");

  json::object message;
  message["message_id"] = account.next_message_id();
  message["from"] = bot_user(account);
  message["chat"] = chat_of(*id);
  message["date"] = to_millis(now) / 1000;
  message["text"] = json::string_view(text.data(), text.size());
  return Answer::ok(json::serialize(message));
}

Answer get_webhook_info(BotAccount& account, const Params&, WallTime) {
  const WebhookState& webhook = account.webhook;
  json::object info;
  info["url"] = webhook.settings ? webhook.settings->given_url : "";
  info["has_custom_certificate"] = webhook.settings && webhook.settings->has_certificate;
  info["pending_update_count"] = account.queue.size();
  if (webhook.settings) {
    const std::string& address = webhook.settings->address;
    info["ip_address"] = address.empty() ? "<unknown>" : address;
  }
  if (webhook.settings && webhook.error_date) {
    info["last_error_date"] = to_millis(*webhook.error_date) / 1000;
    info["last_error_message"] = webhook.error_message;
  }
  if (webhook.settings) info["max_connections"] = webhook.settings->max_connections;
  if (account.allowed.chosen()) {
    json::array kinds;
    for (const std::string& kind : *account.allowed.chosen()) kinds.emplace_back(kind);
    info["allowed_updates"] = std::move(kinds);
  }
  return Answer::ok(json::serialize(info));
}

constexpr std::array methods = {
    NamedMethod("getMe", get_me),
    NamedMethod("getWebhookInfo", get_webhook_info),
    NamedMethod("sendMessage", send_message),
};

}  // namespace

const NamedMethod* find_method(std::string_view name) noexcept {
  for (const NamedMethod& method : methods) {
    if (same_ignoring_case(method.name, name)) return &method;
  }
  return nullptr;
}

}  // namespace tgkeep::emulator
