#include <tgkeep/bot_context.hpp>

#include "bot/reading.hpp"
#include "bot/reply_params.hpp"
#include "bot/update_fields.hpp"

namespace tgkeep {

namespace {

asio::awaitable<ApiResult> call_api(BotContext context, ApiRequest request) {
  Api& api = context.api();
  ApiResult result = co_await api.call(std::move(request));
  co_return result;
}

}  // namespace

BotContext::BotContext(Context context)
    : Context(context), reading_(std::make_shared<bot::Reading>(std::move(context))) {}

const boost::json::value& BotContext::json() const {
  return reading_->json();
}

const boost::json::object& BotContext::content() const {
  return reading_->content();
}

std::string_view BotContext::text() const {
  const boost::json::object* const message = bot::message_of(kind(), content());
  if (message == nullptr) return {};
  const std::string_view text = bot::text_in(*message, "text");
  return text.empty() ? bot::text_in(*message, "caption") : text;
}

std::optional<std::int64_t> BotContext::chat_id() const {
  return bot::chat_id_of(kind(), content());
}

std::optional<std::int64_t> BotContext::from_id() const {
  return bot::from_id_of(content());
}

std::string_view BotContext::match() const {
  return reading_->match;
}

void BotContext::reply(std::string_view text) const {
  Result<std::string> params = bot::reply_params(kind(), content(), text);
  leave("sendMessage", std::move(params).value());
}

asio::awaitable<ApiResult> BotContext::call(std::string method, std::string params, Duration timeout) const {
  ApiRequest request(std::move(method), std::move(params), timeout);
  request.repeatable = request.method.starts_with("get");
  return call_api(*this, std::move(request));
}

void BotContext::settle(Outcome outcome) const {
  reading_->settlement = std::move(outcome);
}

}  // namespace tgkeep
