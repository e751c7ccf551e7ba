#pragma once
// A webhook with a scripted Telegram and a fake store, in virtual time.

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>
#include <memory>

#include "loop/virtual_clock.hpp"
#include "rooms/source/fake_api.hpp"
#include "rooms/source/fake_store.hpp"
#include "source/webhook.hpp"

namespace tgkeep::test {

/// Telegram's side of setWebhook and getWebhookInfo. Failures are given beforehand, per method.
class WebhookTelegram final : public Api {
 public:
  explicit WebhookTelegram(Clock& clock) : clock_(clock) {
    info["url"] = "https://example.org/set-by-others";
  }

  void fail(const std::string& method, ApiError error) { failures_[method].push_back(std::move(error)); }
  /// The calls of a method, in order.
  std::vector<ApiRequest> calls(const std::string& method) const {
    std::vector<ApiRequest> found;
    for (const ApiRequest& request : requests) {
      if (request.method == method) found.push_back(request);
    }
    return found;
  }
  std::size_t count(const std::string& method) const { return calls(method).size(); }

  asio::awaitable<ApiResult> call(ApiRequest request) override {
    requests.push_back(request);
    times.push_back(clock_.mono());
    auto& failures = failures_[request.method];
    if (!failures.empty()) {
      const ApiError error = failures.front();
      failures.pop_front();
      co_return error;
    }
    if (request.method != "setWebhook") co_return boost::json::serialize(info);
    const boost::json::object params = boost::json::parse(request.params).as_object();
    info = boost::json::object();
    for (const auto* name : {"url", "max_connections", "allowed_updates", "ip_address"}) {
      if (params.contains(name)) info[name] = params.at(name);
    }
    info["has_custom_certificate"] = !request.files.empty();
    info["pending_update_count"] = 0;
    co_return std::string("true");
  }

  boost::json::object info;
  std::vector<ApiRequest> requests;
  std::vector<MonoTime> times;

 private:
  Clock& clock_;
  std::map<std::string, std::deque<ApiError>> failures_;
};

/// A request under way: its reply, once there is one.
class Posted {
 public:
  Posted() = default;
  std::optional<http::ServerReply> reply;
  asio::cancellation_signal hang_up;
  int status() const { return reply ? reply->status : 0; }
};

class WebhookRoom {
 public:
  WebhookRoom() : telegram(clock), store(clock, journal), options(BotId(42)) {
    options.path = "/hook";
    options.secrets = {"s3cret"};
  }
  ~WebhookRoom() { stop(); }
  WebhookRoom(const WebhookRoom&) = delete;
  WebhookRoom& operator=(const WebhookRoom&) = delete;

  /// Makes the webhook, if there is none yet.
  source::Webhook& webhook() {
    if (!webhook_) webhook_ = source::make_webhook(clock, telegram, store, options, log());
    return *webhook_;
  }
  void start(Duration duration = {}) {
    ended.reset();
    running = true;
    asio::co_spawn(
        io, webhook().run(),
        asio::bind_cancellation_slot(cancel.slot(), [this](std::exception_ptr failure, Result<void> result) {
          running = false;
          if (failure) std::rethrow_exception(failure);
          ended = std::move(result);
        }));
    pass(duration);
  }
  void pass(Duration duration) { loop::run_for(io, clock, duration); }
  void stop() {
    if (!running) return;
    cancel.emit(asio::cancellation_type::terminal);
    pass({});
  }

  http::ServerRequest request(std::string body) const {
    http::ServerRequest request;
    request.method = "POST";
    request.target = options.path;
    request.headers.emplace_back("X-Telegram-Bot-Api-Secret-Token", options.secrets.at(0));
    request.body = std::move(body);
    request.peer = "149.154.167.220";
    return request;
  }
  /// Starts a request; it gets as far as it can without time passing.
  std::shared_ptr<Posted> post(std::string body) { return post(request(std::move(body))); }
  std::shared_ptr<Posted> post(http::ServerRequest request) {
    auto posted = std::make_shared<Posted>();
    asio::co_spawn(io, webhook().receive(std::move(request)),
                   asio::bind_cancellation_slot(
                       posted->hang_up.slot(), [posted](std::exception_ptr failure, http::ServerReply reply) {
                         if (failure) std::rethrow_exception(failure);
                         posted->reply = std::move(reply);
                       }));
    pass({});
    return posted;
  }
  SourceStats stats() { return webhook().stats(); }
  /// Status of a head check, 0 when it passes.
  int check(const http::ServerRequest& head) {
    const auto refusal = webhook().check(head);
    return refusal ? refusal->status : 0;
  }

  asio::io_context io;
  loop::VirtualClock clock;
  Journal journal;  ///< of the store
  Journal lines;    ///< of the log
  WebhookTelegram telegram;
  FakeStore store;
  source::WebhookOptions options;
  asio::cancellation_signal cancel;
  std::optional<Result<void>> ended;
  bool running = false;

 private:
  Log log() {
    return Log([this](LogLevel level, std::string_view event, std::span<const LogField> fields) {
      std::string line = std::string(to_string(level)) + " " + std::string(event);
      for (const auto& field : fields) line += " " + std::string(field.name()) + "=" + field.value();
      lines.push_back(line);
    });
  }
  std::unique_ptr<source::Webhook> webhook_;
};

inline std::string webhook_update(std::int64_t id) {
  return "{\"update_id\":" + std::to_string(id) + ",\n\"message\":{\"chat\":{\"id\":1},\"text\":\"x\"}}";
}

}  // namespace tgkeep::test
