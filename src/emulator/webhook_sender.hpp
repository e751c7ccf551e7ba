#pragma once
// Sends one bot's updates to its webhook, as the public server does. Known to differ from it, because libcurl
// writes the requests: an `Accept` header, the order of the headers, HTTP/2 where a TLS server offers it,
// gzip answers are not unpacked. Connections are opened when there is something to send.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <list>
#include <memory>
#include <random>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <type_traits>

#include "emulator/bot_account.hpp"
#include "emulator/connection_ramp.hpp"
#include "emulator/fault.hpp"
#include "emulator/route.hpp"
#include "emulator/webhook_schedule.hpp"
#include "http/client.hpp"
#include "loop/task_group.hpp"

namespace tgkeep::emulator {

class WebhookSenderOptions {
 public:
  WebhookSenderOptions() = default;
  Duration deadline = std::chrono::seconds(60);  ///< of one request, in real time
  std::uint64_t seed = 1;                        ///< of the random part of the retry delays
  /// Performs the call in an answer; what comes of it is thrown away.
  std::function<void(Route)> perform;
  WebhookFaultScript faults;  ///< asked for each request; may be absent
};

/// Everything on the loop's thread. `close` it before destroying it.
class WebhookSender {
 public:
  /// Sends what `account` has queued to its webhook, at the pace of the account's clock. `account` must
  /// outlive it and have a webhook.
  WebhookSender(const boost::asio::any_io_executor& loop, BotAccount& account, WebhookSenderOptions options,
                Log log);
  ~WebhookSender();
  WebhookSender(const WebhookSender&) = delete;
  WebhookSender& operator=(const WebhookSender&) = delete;

  /// There may be news in the account's queue.
  void wake() { changed_.notify(); }
  /// Cuts all connections: what is in flight stays unconfirmed.
  boost::asio::awaitable<void> close();
  /// The name resolves to another address now: connections to the old one end after their next answer.
  void move_to(std::string address);
  std::size_t connections() const noexcept { return connections_.size(); }

 private:
  struct Connection;
  using Place = std::list<Connection>::iterator;

  boost::asio::awaitable<void> run();
  boost::asio::awaitable<void> look_up_again();
  boost::asio::awaitable<void> exchange(Place connection, DueUpdate due, WebhookRecord& record,
                                        WebhookFault fault, http::ClientRequest request);
  boost::asio::awaitable<void> exchange_extra(WebhookRecord& record, http::ClientRequest request);
  void load();
  void close_idle(MonoTime now);
  void send_due(MonoTime now);
  void send(Place connection, const DueUpdate& due);
  Place connect(MonoTime now);
  Place longest_idle();
  MonoTime next_wake(MonoTime now);
  WebhookRecord& note(const DueUpdate& due, const QueuedUpdate& update, std::int64_t connection);
  void judge(WebhookRecord& record, const http::ClientResult& result);
  void succeeded(const DueUpdate& due, bool again, const http::ClientResponse& response);
  void failed(const DueUpdate& due, const http::ClientResult& result);
  void let_go(Place connection, const http::ClientResult& result);
  WebhookRecord& note_extra(const DueUpdate& due, const QueuedUpdate& update);
  http::ClientRequest request_for(const QueuedUpdate& update) const;

  boost::asio::any_io_executor loop_;
  BotAccount& account_;
  Clock& clock_;
  WebhookSettings settings_;
  std::mt19937_64 random_;
  WebhookSenderOptions options_;
  WebhookSchedule schedule_;
  ConnectionRamp ramp_;
  GoneRule gone_;
  bool closed_ = false;
  std::int64_t last_loaded_ = 0;
  std::int64_t opened_ = 0;
  std::int64_t generation_ = 0;  ///< of the address
  std::list<Connection> connections_;
  loop::Event changed_;
  loop::TaskGroup tasks_;
};

static_assert(!std::is_aggregate_v<WebhookSenderOptions>);

}  // namespace tgkeep::emulator
