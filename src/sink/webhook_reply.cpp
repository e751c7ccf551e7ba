#include "sink/webhook_reply.hpp"

#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "sink/form_fields.hpp"
#include "sink/json_members.hpp"
#include "telegram/request_params.hpp"

namespace tgkeep::sink {

namespace {

constexpr std::size_t kMaxDepth = 100;  // Telegram's own

// "application/json" of `Application/JSON; charset=utf-8`.
std::string media_type(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  while (!content_type.empty() && content_type.back() == ' ') content_type.remove_suffix(1);
  return telegram::lower_case(content_type);
}

std::optional<boost::json::value> parsed(std::string_view text) {
  boost::json::parse_options options;
  options.max_depth = kMaxDepth;
  boost::system::error_code error;
  boost::json::value value =
      boost::json::parse(boost::json::string_view(text.data(), text.size()), error, {}, options);
  if (error) return std::nullopt;
  return value;
}

WebhookReply ignored(std::string why) {
  WebhookReply reply;
  reply.ignored = std::move(why);
  return reply;
}

WebhookReply judged(std::string method, std::string params) {
  if (!is_method_name(method)) return ignored("`method` is no method's name");
  if (!may_be_left(method)) return ignored("Telegram ignores " + method + " in the answer to a webhook");
  WebhookReply reply;
  reply.call.emplace(std::move(method), std::move(params));
  return reply;
}

WebhookReply read_json(std::string_view body) {
  const auto value = parsed(body);
  if (!value) return ignored("the body is not valid JSON");
  const boost::json::object* const object = value->if_object();
  const boost::json::value* const method = object == nullptr ? nullptr : object->if_contains("method");
  if (method == nullptr) return {};
  if (!method->is_string()) return ignored("`method` is not a string");
  std::string params = "{";
  for (const JsonMember& member : json_members(body)) {
    if (member.name == "method") continue;
    if (params.size() > 1) params += ',';
    params += member.text;
  }
  params += '}';
  return judged(std::string(method->get_string()), std::move(params));
}

WebhookReply read_form(std::string_view body) {
  boost::json::object params;
  std::optional<std::string> method;
  for (auto& [name, value] : form_fields(body)) {
    if (name != "method") {
      params.emplace(name, value);
    } else if (!method) {
      method = std::move(value);
    }
  }
  if (!method) return {};
  std::string text = boost::json::serialize(params);
  if (!parsed(text)) return ignored("the form is not UTF-8");
  return judged(std::move(*method), std::move(text));
}

}  // namespace

bool is_method_name(std::string_view method) noexcept {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !method.empty() && method.size() <= 64 && std::ranges::all_of(method, is_letter);
}

bool may_be_left(std::string_view method) noexcept {
  constexpr std::array<std::string_view, 4> kIgnored{"deletewebhook", "setwebhook", "close", "logout"};
  const std::string name = telegram::lower_case(method.substr(0, 64));
  return !name.starts_with("get") && std::ranges::find(kIgnored, name) == kIgnored.end();
}

WebhookReply read_webhook_reply(std::string_view content_type, std::string_view body) {
  const std::string type = media_type(content_type);
  const bool json = type == "application/json";
  const bool form = type == "application/x-www-form-urlencoded";
  if (type == "multipart/form-data") {
    WebhookReply reply = ignored(
        "a reply with files can't be kept; let the bot make this call itself, or answer with JSON and the "
        "file's id or URL");
    reply.lost = true;
    return reply;
  }
  if ((!json && !form) || body.empty()) return {};
  if (body.size() > kMaxReply) return ignored("the body is longer than 1 MiB");
  return json ? read_json(body) : read_form(body);
}

}  // namespace tgkeep::sink
