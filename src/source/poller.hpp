#pragma once
// Polling without an opinion of what becomes of the updates: asks, keeps the offset, waits troubles out.

#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <tgkeep/api.hpp>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/long_poll.hpp>
#include <tgkeep/source.hpp>
#include <vector>

#include "rules/poll_offset.hpp"
#include "source/allowed_kinds.hpp"
#include "source/breakable_call.hpp"
#include "source/poll_trouble.hpp"

namespace tgkeep::source {

/// The updates of one answer, as pieces of its text; none when there were none or there was trouble.
class PollAnswer {
 public:
  PollAnswer() = default;
  std::shared_ptr<const std::string> text;
  std::vector<std::string_view> pieces;
};

/// Waits throw `operation_aborted` when cancelled; nothing has been taken then.
class Poller {
 public:
  Poller(Clock& clock, Api& api, LongPollOptions options, Log log);

  /// A new run: forgets the offset.
  void restart();
  /// Frees the queue of a webhook if that is wanted, and tells how the server is set.
  asio::awaitable<void> open();
  /// One exchange. An empty answer that came too soon, and any trouble, is waited out before it returns.
  asio::awaitable<PollAnswer> ask(int limit);
  /// From now on asks for these; the poll under way is given up, and what it might have brought comes again
  /// by the old offset. The same kinds again change nothing.
  void allow(std::vector<std::string> kinds);
  /// Lets Telegram forget what waits there, in one try.
  asio::awaitable<Result<void>> drop_pending();
  /// The answer is taken over and its last readable id was `last`: the next call confirms it. False: it ended
  /// as the one before, so nothing of it can be confirmed.
  bool take_over(std::optional<UpdateId> last);
  asio::awaitable<void> wait_out(PollTrouble trouble);
  /// Trouble that `take_over` found.
  static PollTrouble no_progress();
  void recover();

  /// Cancelled calls end with a value; this throws instead.
  asio::awaitable<ApiResult> call(ApiRequest request);
  std::optional<std::int64_t> offset() const { return offset_.value(); }
  const LongPollOptions& options() const { return options_; }
  SourceStats& stats() { return stats_; }
  const SourceStats& stats() const { return stats_; }
  std::string bot() const { return std::to_string(options_.bot.value()); }

 private:
  asio::awaitable<PollAnswer> read(ApiResult answer, std::uint64_t carried);
  asio::awaitable<void> free_the_queue(bool drop);
  asio::awaitable<void> tell_settings();

  Clock& clock_;
  Api& api_;
  BreakableCall polls_;
  LongPollOptions options_;
  const Log log_;
  SourceStats stats_;
  rules::PollOffset offset_;
  KindsTold told_;              // whether the server has our allowed_updates
  bool dropped_ = false;        // drop_pending is for the first run only
  std::uint32_t stumbles_ = 0;  // in a row
  std::string_view trouble_;    // name of the last one logged; "" when all is well
  std::mt19937_64 dice_;
};

static_assert(!std::is_aggregate_v<PollAnswer>);

}  // namespace tgkeep::source
