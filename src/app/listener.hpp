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
#include <tgkeep/id.hpp>
#include <tgkeep/log.hpp>

#include "app/visits.hpp"
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

  /// Requests whose path is exactly `path`: from now on this bot's, whosever they were. Each is a visit.
  void add_webhook(std::string path, BotId bot, source::Webhook& webhook, Visits& visits);
  /// Requests whose path starts with `prefix`.
  void add_settlements(std::string prefix, BotId bot, sink::PushSink& push, Visits& visits);
  /// The bot's requests get 503 with Retry-After from now on, until they are added again or removed.
  void put_off(BotId bot);
  /// What is put off is not there any more.
  void remove_put_off(BotId bot);
  /// Whether anything is there.
  bool is_needed() const { return !webhooks_.empty() || !settlements_.empty(); }

  bool is_open() const { return server_ != nullptr; }
  const ListenOptions& options() const { return options_; }
  /// Not while it is open.
  void set_options(ListenOptions options) { options_ = std::move(options); }
  Result<void> open(const boost::asio::any_io_executor& loop);
  /// Reads certificate and key again; whether there are any. An error changes nothing.
  Result<bool> reload();
  boost::asio::awaitable<void> stop(Duration drain);

 private:
  /// Where the requests of a path go; put off when there is neither.
  class Route {
   public:
    Route(BotId bot, source::Webhook* webhook, sink::PushSink* push, Visits* visits)
        : bot(bot), webhook(webhook), push(push), visits(visits) {}
    BotId bot;
    source::Webhook* webhook;
    sink::PushSink* push;
    Visits* visits;
    bool is_put_off() const { return visits == nullptr || !visits->open(); }
  };
  using Routes = std::map<std::string, Route, std::less<>>;

  std::optional<http::ServerReply> check(const http::ServerRequest& head) const;
  boost::asio::awaitable<http::ServerReply> answer(http::ServerRequest request);
  const Route* route_to(std::string_view path) const;
  void refused(const http::ServerRequest& head, int status);

  ListenOptions options_;
  Clock& clock_;
  Log log_;
  rules::LineLimit refusals_;  // of requests that are no bot's webhook
  Routes webhooks_;
  Routes settlements_;
  std::unique_ptr<http::Server> server_;
};

}  // namespace tgkeep::app
