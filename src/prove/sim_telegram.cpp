#include "prove/sim_telegram.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/json.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

namespace tgkeep::prove {

namespace json = boost::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr std::int64_t kWindow = 100'000;

ApiError refused(int code, std::string description) {
  ApiError error(ApiError::Kind::refused, std::move(description));
  error.code = code;
  return error;
}

ApiError lost(int code, std::string description) {
  ApiError error(ApiError::Kind::maybe_sent, std::move(description));
  error.code = code;
  return error;
}

json::object object_of(std::string_view params) {
  return json::parse(json::string_view(params.data(), params.size())).as_object();
}

}  // namespace

SimTelegram::SimTelegram(SimScene& scene, std::size_t chats)
    : scene_(scene),
      chats_(chats),
      next_id_(scene.dice.between(2'000'001, 1'000'000'000)),
      arrived_(scene.loop()),
      left_(scene.loop()),
      posts_(scene.loop(), scene.log) {}

void SimTelegram::make_updates(std::int64_t count) {
  for (; count > 0; --count) make_update();
  arrived_.notify();
  pump();
}

void SimTelegram::make_update() {
  Dice& dice = scene_.dice;
  const std::int64_t id = next_id_++;
  // Half of the traffic in the first few chats.
  const auto chats = static_cast<std::int64_t>(chats_);
  const std::int64_t chat =
      dice.chance(0.5) ? dice.between(1, std::min<std::int64_t>(3, chats)) : dice.between(1, chats);
  const std::string number = std::to_string(chat);
  const std::int64_t kind = dice.between(0, 99);
  std::string key = "chat:" + number;
  std::string text = "x";
  Waiting waiting;
  waiting.raw = "{\"update_id\":" + std::to_string(id) + ",\n";
  if (scene_.strikes(SimFault::unreadable_update, 0.01)) text = "\xff";
  if (kind < 85) {
    waiting.raw +=
        "\"message\":{\"message_id\":1,\"chat\":{\"id\":" + number + "},\"text\":\"" + text + "\"}}";
    waiting.line = key;
  } else if (kind < 94) {
    waiting.raw +=
        "\"callback_query\":{\"id\":\"1\",\"from\":{\"id\":7},\"message\":{\"chat\":{\"id\":" + number +
        "}},\"data\":\"" + text + "\"}}";
    waiting.line = "callback " + key;
  } else {
    key = "user:" + number;
    waiting.raw +=
        "\"inline_query\":{\"id\":\"1\",\"from\":{\"id\":" + number + "},\"query\":\"" + text + "\"}}";
    waiting.line = key;
  }
  scene_.checker.sent(UpdateId(id), std::move(key));
  queue_.emplace(id, std::move(waiting));
}

void SimTelegram::restart_ids() {
  next_id_ = scene_.dice.between(2'000'001, 1'000'000'000);
}

asio::awaitable<ApiResult> SimTelegram::serve(const ApiRequest& request, std::shared_ptr<SimLifeFlag> life) {
  if (request.method == "getUpdates") {
    ApiResult answer = co_await get_updates(request.params, life);
    co_return answer;
  }
  if (request.method == "sendMessage") {
    ApiResult answer = co_await send_message(request.params, life);
    co_return answer;
  }
  if (request.method == "setWebhook") co_return set_webhook(request.params);
  if (request.method == "deleteWebhook") {
    url_.clear();
    co_return std::string("true");
  }
  if (request.method == "getWebhookInfo") co_return webhook_info();
  co_return refused(404, "Not Found: method not found");
}

ApiResult SimTelegram::set_webhook(std::string_view params) {
  url_ = std::string(object_of(params).at("url").as_string());
  arrived_.notify();  // a waiting poll ends
  pump();
  return std::string("true");
}

std::string SimTelegram::webhook_info() const {
  return R"({"url":")" + url_ + R"(","has_custom_certificate":false,"pending_update_count":)" +
         std::to_string(queue_.size()) + "}";
}

asio::awaitable<ApiResult> SimTelegram::get_updates(std::string_view text,
                                                    std::shared_ptr<SimLifeFlag> life) {
  const json::object params = object_of(text);
  const json::value* const given = params.if_contains("offset");
  std::int64_t offset = given == nullptr ? 0 : given->as_int64();
  const std::int64_t limit = params.at("limit").as_int64();
  const MonoTime end = scene_.clock.mono() + seconds(params.at("timeout").as_int64());
  const ApiError conflict = refused(409, "Conflict: can't use getUpdates method while webhook is active");
  if (!url_.empty()) co_return conflict;
  if (scene_.strikes(SimFault::poll_conflict, 0.01))
    co_return refused(409, "Conflict: terminated by other getUpdates request");
  offset = resolve(offset);
  while (is_empty() && scene_.clock.mono() < end && url_.empty()) {
    co_await arrived_.wait_until(scene_.clock, end);
    if (life->killed) co_return lost(0, "the process is gone");
  }
  if (!url_.empty()) co_return conflict;
  offset = resolve(offset);
  co_return spoil(answer(offset, limit));
}

// The window rule: an offset outside of it means the head, one inside confirms everything below it.
std::int64_t SimTelegram::resolve(std::int64_t offset) {
  const std::int64_t head = queue_.empty() ? next_id_ : queue_.begin()->first;
  if (offset <= 0 || offset > next_id_ + 10 || offset < head - kWindow) return head;
  while (!queue_.empty() && queue_.begin()->first < offset) {
    const auto first = queue_.begin();
    scene_.checker.acknowledged(UpdateId(first->first));
    if (scene_.strikes(SimFault::poll_repeats, 0.02)) again_.emplace_back(first->first, first->second.raw);
    queue_.erase(first);
  }
  return offset;
}

std::string SimTelegram::answer(std::int64_t offset, std::int64_t limit) {
  std::string text;
  const auto add = [&](const std::string& raw) { text += (text.empty() ? "" : ",\n") + raw; };
  for (; !again_.empty() && limit > 0; --limit) {
    add(again_.front().second);
    again_.pop_front();
  }
  for (auto update = queue_.lower_bound(offset); update != queue_.end() && limit > 0; ++update, --limit)
    add(update->second.raw);
  return "[" + text + "]";
}

// What can happen to a good answer on its way.
ApiResult SimTelegram::spoil(std::string answer) {
  if (scene_.strikes(SimFault::poll_answer_lost, 0.02)) return lost(0, "connection reset");
  if (scene_.strikes(SimFault::poll_server_error, 0.01)) return lost(502, "Bad Gateway");
  if (scene_.strikes(SimFault::poll_html, 0.005)) return std::string("<html>");
  if (scene_.strikes(SimFault::poll_half_answer, 0.005))
    return answer.substr(0, scene_.dice.next() % answer.size());
  if (scene_.strikes(SimFault::poll_flood, 0.01)) {
    ApiError error = refused(429, "Too Many Requests: retry later");
    error.retry_after = seconds(scene_.dice.between(1, 20));
    return error;
  }
  return answer;
}

asio::awaitable<ApiResult> SimTelegram::send_message(std::string_view params,
                                                     std::shared_ptr<SimLifeFlag> life) {
  if (scene_.strikes(SimFault::call_not_sent, 0.01))
    co_return ApiError(ApiError::Kind::not_sent, "connection refused");
  const Duration on_its_way = scene_.dice.between(milliseconds(1), milliseconds(100));
  co_await loop::sleep_for(scene_.clock, on_its_way);
  if (life->killed) co_return lost(0, "the process is gone");
  if (scene_.strikes(SimFault::call_lost, 0.005)) co_return lost(0, "connection reset");
  if (scene_.strikes(SimFault::call_flood, 0.01)) {
    ApiError error = refused(429, "Too Many Requests: retry later");
    error.retry_after = seconds(scene_.dice.between(1, 20));
    co_return error;
  }
  if (scene_.strikes(SimFault::call_refused, 0.01)) co_return refused(400, "Bad Request: chat not found");
  scene_.checker.call_took_effect(std::string(object_of(params).at("text").as_string()));
  const Duration on_its_way_back = scene_.dice.between(milliseconds(1), milliseconds(100));
  co_await loop::sleep_for(scene_.clock, on_its_way_back);
  if (scene_.strikes(SimFault::call_answer_lost, 0.01)) co_return lost(502, "Bad Gateway");
  co_return std::string("{}");
}

}  // namespace tgkeep::prove
