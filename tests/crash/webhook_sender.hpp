#pragma once
// Telegram, as far as a receiver can tell: posts each update until it gets 2xx, over several connections.

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <string>

#include "http/client.hpp"
#include "loop/real_clock.hpp"

namespace tgkeep::test {

namespace asio = boost::asio;

class WebhookSender {
 public:
  explicit WebhookSender(asio::io_context& io);

  /// Updates to send, in this order; an id may stand there twice.
  void add(std::int64_t id) { waiting_.push_back(id); }
  void set_port(int port) { port_ = port; }
  /// Sends over `connections` until all is acknowledged, or the receiver is gone, or `enough` says so (it is
  /// asked after each answer). A refused update goes back into the line.
  void send(int connections, std::function<bool()> enough);

  bool is_done() const { return waiting_.empty(); }
  const std::set<std::int64_t>& acknowledged() const { return acknowledged_; }
  std::int64_t refusals() const { return refusals_; }  ///< 503 with Retry-After
  std::int64_t odd() const { return odd_; }            ///< any other answer than 200 and that

 private:
  asio::awaitable<void> connection();

  asio::io_context& io_;
  http::Client client_;
  int port_ = 0;
  std::deque<std::int64_t> waiting_;
  std::set<std::int64_t> acknowledged_;
  std::int64_t refusals_ = 0;
  std::int64_t odd_ = 0;
  std::function<bool()> enough_;
  bool over_ = false;
};

}  // namespace tgkeep::test
