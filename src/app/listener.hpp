#pragma once
// The one HTTP server of a process: hands each request to the bot it belongs to.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/clock.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/gateway.hpp>
#include <tgkeep/log.hpp>

#include "http/server.hpp"
#include "rules/line_limit.hpp"
#include "sink/push_sink.hpp"
#include "source/webhook.hpp"

namespace tgkeep::app {

/// Everything on the loop's thread. `stop` it before destroying it or what was added to it.
class Listener {
 public:
  Listener(ListenOptions options, Clock& clock, Log log)
      : options_(std::move(options)), clock_(clock), log_(std::move(log)) {}
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// Requests whose path is exactly `path`. bad_config when another bot has it.
  Result<void> add_webhook(std::string path, source::Webhook& webhook);
  /// Requests whose path starts with `prefix`.
  void add_settlements(std::string prefix, sink::PushSink& push);
  /// Whether anything was added.
  bool is_needed() const { return !webhooks_.empty() || !settlements_.empty(); }

  Result<void> open(const boost::asio::any_io_executor& loop);
  /// Reads certificate and key again, and logs what came of it.
  void reload();
  boost::asio::awaitable<void> stop(Duration drain);

 private:
  std::optional<http::ServerReply> check(const http::ServerRequest& head) const;
  boost::asio::awaitable<http::ServerReply> answer(http::ServerRequest request);
  void refused(const http::ServerRequest& head, int status);
  source::Webhook* webhook_at(std::string_view path) const;
  sink::PushSink* push_at(std::string_view path) const;

  ListenOptions options_;
  Clock& clock_;
  Log log_;
  rules::LineLimit refusals_;  // of requests that are no bot's webhook
  std::map<std::string, source::Webhook*, std::less<>> webhooks_;
  std::map<std::string, sink::PushSink*, std::less<>> settlements_;
  std::unique_ptr<http::Server> server_;
};

}  // namespace tgkeep::app
