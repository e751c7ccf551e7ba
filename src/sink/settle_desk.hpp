#pragma once
// Deliveries that a bot has accepted and will settle later: tokens, leases, and the answers at settle URLs.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/outcome.hpp>
#include <unordered_map>

#include "http/server.hpp"
#include "loop/event.hpp"
#include "sink/settle_reply.hpp"
#include "sink/settle_request.hpp"
#include "sink/settle_token.hpp"
#include "sink/settled_as.hpp"

namespace tgkeep::sink {

namespace asio = boost::asio;

/// A settlement counts from the moment its request is sent: a bot may settle before it has answered 202.
/// Everything on the loop's thread.
class SettleDesk {
 public:
  class Ticket;

  SettleDesk(Clock& clock, Duration lease) : clock_(clock), lease_(lease) {}
  ~SettleDesk() = default;
  SettleDesk(const SettleDesk&) = delete;
  SettleDesk& operator=(const SettleDesk&) = delete;

  /// Answers a request to a settle URL; its token is what follows the last slash of the path. A settlement
  /// that comes before the answer to the update's request is written only after that: it is told so (202).
  SettleReply answer(const http::ServerRequest& request);
  /// Tickets open now.
  std::size_t size() const noexcept { return open_.size(); }
  /// The longest time a renewal may ask for.
  Duration longest_lease() const noexcept;

 private:
  SettleAnswer renew(Ticket& ticket, const SettleRequest& request);
  SettleAnswer settle(const SettleToken& token, Ticket& ticket, SettleRequest request);

  Clock& clock_;
  Duration lease_;
  std::unordered_map<SettleToken, Ticket*, SettleToken::Hash> open_;
  SettledMemory<SettleToken, SettleToken::Hash> settled_;
};

/// One delivery that may be settled by its token, as long as this object lives.
class SettleDesk::Ticket {
 public:
  Ticket(SettleDesk& desk, const asio::any_io_executor& executor);
  ~Ticket();
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;

  std::string token() const { return token_.text(); }
  /// The settlement, if it has come. Once taken it must be obeyed: the bot was told so.
  std::optional<Outcome>& outcome() noexcept { return outcome_; }
  /// Waits for the settlement or the end of the lease, which starts now. Throws operation_aborted when
  /// cancelled, unless the settlement has come.
  asio::awaitable<Outcome> wait();

 private:
  friend class SettleDesk;
  SettleDesk& desk_;
  SettleToken token_;
  MonoTime deadline_{};  ///< renewals may move it before the wait begins
  std::optional<Outcome> outcome_;
  std::shared_ptr<SettledAs> settled_;  ///< stays, however long the request is still open
  bool answered_ = false;               ///< with 202
  loop::Event changed_;
};

}  // namespace tgkeep::sink
