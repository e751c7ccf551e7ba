#pragma once
// Settlements by number: what a bot posts about updates it has in hand, and what it is told.

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <tgkeep/clock.hpp>
#include <tgkeep/outcome.hpp>

#include "http/server.hpp"
#include "sink/settle_reply.hpp"
#include "sink/settle_request.hpp"
#include "sink/settled_as.hpp"

namespace tgkeep::sink {

/// Everything on the loop's thread.
class PullSettling {
 public:
  /// What is in the bot's hand, by the numbers it was shown.
  class Hand {
   public:
    virtual ~Hand() = default;
    virtual bool holds(std::int64_t number) const = 0;
    /// Only of one it holds: it has it still.
    virtual void renew(std::int64_t number) = 0;
    /// Only of one it holds.
    virtual void settle(std::int64_t number, Outcome outcome) = 0;
    virtual void restarted() = 0;

   protected:
    Hand() = default;
    Hand(const Hand&) = delete;
    Hand& operator=(const Hand&) = delete;
  };

  PullSettling(Clock& clock, Hand& hand) : clock_(clock), hand_(hand) {}
  PullSettling(const PullSettling&) = delete;
  PullSettling& operator=(const PullSettling&) = delete;

  /// One settlement, or an array of at most 100, which are answered one by one in `results`.
  SettleReply answer(const http::ServerRequest& request);

 private:
  SettleAnswer settle(const boost::json::value& one);
  SettleAnswer settle(std::int64_t number, SettleRequest request);

  Clock& clock_;
  Hand& hand_;
  SettledMemory<std::int64_t> settled_;
};

}  // namespace tgkeep::sink
