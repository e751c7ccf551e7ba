#include "sink/pull_sink.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <string>
#include <unordered_map>
#include <utility>

#include "loop/event.hpp"
#include "rules/bounded.hpp"
#include "rules/pull_pace.hpp"
#include "rules/pull_window.hpp"
#include "sink/pull_book.hpp"
#include "sink/pull_settling.hpp"
#include "telegram/update_kinds.hpp"

namespace tgkeep::sink {

namespace {

using rules::PullWindow;
using End = PullAnswer::End;

// After the first update, for the others of a burst and for what the confirmation of the last ones set free.
constexpr Duration kGather = std::chrono::milliseconds(2);
// Of bodies in one answer; one may be larger.
constexpr std::size_t kMaxAnswer = 4U << 20;
// For a bot that settles to renew what it has from our life before; else it comes again.
constexpr Duration kAdopted = std::chrono::minutes(10);
// P7: so long a suspect is alone.
constexpr Duration kAlone = std::chrono::seconds(10);
// Until what comes while nothing is handed out may come again.
constexpr Duration kClosedPause = std::chrono::seconds(1);

std::optional<WallTime> expires(const Item& item) {
  const auto kind = telegram::find_update_kind(item.kind);
  if (!kind || !kind->answer_expires) return std::nullopt;
  return item.received + item.lifetime;
}

class BookedPullSink final : public PullSink, private PullSettling::Hand {
 public:
  BookedPullSink(const asio::any_io_executor& loop, Clock& clock, Handouts* handouts, PullOptions options,
                 Log log)
      : clock_(clock),
        options_(options),
        log_(std::move(log)),
        window_(std::max(options.suspect_after, 1U), options.max_lone_restarts),
        pace_(options.ahead),
        settling_(clock, *this),
        book_(loop, clock, handouts, window_, log_) {}

  asio::awaitable<Outcome> deliver(std::shared_ptr<const Delivery> delivery) override;
  asio::awaitable<PullAnswer> pull(PullRequest request) override;
  SettleReply settle(const http::ServerRequest& request) override;
  void drop_until(Seq last) override;
  void close(bool all) override;
  void open() override { window_.open(); }
  PullStats stats() const override;

 private:
  /// A delivery that has not ended, on the frame of its coroutine.
  class Waiting {
   public:
    using Line = std::unordered_map<Seq, Waiting*>;
    Waiting(Line& line, const asio::any_io_executor& executor, std::shared_ptr<const Delivery> delivery)
        : delivery(std::move(delivery)), ended(executor), line_(line) {
      line_.emplace(this->delivery->item.seq, this);
    }
    ~Waiting() { line_.erase(delivery->item.seq); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    const std::shared_ptr<const Delivery> delivery;
    std::optional<Outcome> outcome;
    loop::Event ended;

   private:
    Line& line_;
  };
  /// The pull that waits for updates, on its frame.
  class Poller {
   public:
    Poller(Poller*& place, const asio::any_io_executor& executor, std::size_t limit)
        : woken(executor), limit(limit), place_(place) {}
    ~Poller() {
      if (place_ == this) place_ = nullptr;
    }
    Poller(const Poller&) = delete;
    Poller& operator=(const Poller&) = delete;

    loop::Event woken;
    const std::size_t limit;
    bool gathers = false;  // there is something; only a full answer ends its wait early
    bool replaced = false;

   private:
    Poller*& place_;
  };
  asio::awaitable<PullAnswer> next_answer(PullRequest request, bool confirmed);
  using Choice = decltype(&PullWindow::choose);
  std::vector<PullWindow::Pick> choose(const PullWindow::Limits& limits, Choice choice);
  PullAnswer hand_out(const std::vector<PullWindow::Pick>& picks);
  void finish(const std::vector<PullWindow::Ended>& ended);
  Outcome outcome_of(PullWindow::How how, const Item& item) const;
  Outcome arrived_in_vain(PullWindow::Arrival arrival, const Item& item);
  void saw_restart();
  void watch_adopted();
  void watch_lone();
  void replace_poller(Poller& by);
  void wake_poller();

  bool holds(std::int64_t number) const override { return window_.holds(number); }
  void renew(std::int64_t number) override { window_.renew(number); }
  void settle(std::int64_t number, Outcome outcome) override;
  void restarted() override;

  Clock& clock_;
  const PullOptions options_;
  Log log_;
  PullWindow window_;
  rules::PullPace pace_;
  PullSettling settling_;
  Waiting::Line waiting_;
  std::unordered_map<Seq, Outcome> early_;  // settled before they arrived
  Poller* poller_ = nullptr;
  PullBook book_;
  std::unique_ptr<Alarm> adopted_watch_;
  std::unique_ptr<Alarm> lone_watch_;
  std::optional<Seq> watched_;  // what the alarm is for
  bool restarted_ = false;      // since the last pull was answered
  PullStats stats_;
};

asio::awaitable<Outcome> BookedPullSink::deliver(std::shared_ptr<const Delivery> delivery) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  const Item& item = delivery->item;
  const auto arrival = window_.arrive(item.seq, item.body.size(), expires(item));
  if (arrival != PullWindow::Arrival::waits) co_return arrived_in_vain(arrival, item);
  Waiting self(waiting_, executor, delivery);
  wake_poller();
  bool cancelled = false;
  // Not only when it polls: a bot may have to settle what it has before it can.
  if (!book_.is_read()) {
    try {
      co_await book_.read();
    } catch (const boost::system::system_error&) {
      cancelled = true;
    }
  }
  while (!self.outcome && !cancelled) {
    try {
      co_await self.ended.wait();
    } catch (const boost::system::system_error&) {
      cancelled = true;
    }
  }
  if (self.outcome) {
    // Before it can come again: an offset of our next life must not confirm the number of this attempt.
    if (self.outcome->kind != Outcome::Kind::done && window_.must_note()) co_await book_.note_in_turn();
    co_return std::move(*self.outcome);
  }
  if (window_.leave(item.seq)) {
    throw boost::system::system_error(asio::error::operation_aborted,
                                      "handed out to the bot, cancelled before it was confirmed");
  }
  co_return Outcome::postpone(Duration::zero(), "not handed out: the bot did not ask for it");
}

Outcome BookedPullSink::arrived_in_vain(PullWindow::Arrival arrival, const Item& item) {
  switch (arrival) {
    case PullWindow::Arrival::dropped:
      return outcome_of(PullWindow::How::dropped, item);
    case PullWindow::Arrival::closed:
      return Outcome::postpone(kClosedPause, "not handed out: a webhook is set, or tgkeep stops");
    case PullWindow::Arrival::early:
    case PullWindow::Arrival::waits:
      break;
  }
  const auto settled = early_.extract(item.seq);
  if (settled.empty()) return Outcome::done();
  return std::move(settled.mapped());
}

asio::awaitable<PullAnswer> BookedPullSink::pull(PullRequest request) {
  ++stats_.polls;
  stats_.last_poll = clock_.mono();
  const bool read = co_await book_.read();
  if (!read) co_return PullAnswer(End::failed);
  std::vector<PullWindow::Ended> ended;
  if (window_.poll(request.offset, request.settles, ended)) saw_restart();
  finish(ended);
  if (request.settles && !adopted_watch_ && window_.has_adopted()) watch_adopted();
  PullAnswer answer = co_await next_answer(std::move(request), !ended.empty());
  answer.restarted = std::exchange(restarted_, false);
  co_return answer;
}

asio::awaitable<PullAnswer> BookedPullSink::next_answer(PullRequest request, bool confirmed) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  const MonoTime start = clock_.mono();
  const MonoTime until = start + rules::bounded(request.wait);
  MonoTime gathered = start;
  if (confirmed) gathered = std::min(until, start + kGather);
  Poller self(poller_, executor, request.limit);
  for (;;) {
    if (self.replaced) co_return PullAnswer(End::replaced);
    if (window_.closed()) co_return PullAnswer(End::closed);
    if (book_.in_use()) {
      co_await book_.wait();
      continue;
    }
    const auto ready = window_.ready(request.limit);
    const MonoTime now = clock_.mono();
    if (ready == PullWindow::Ready::nothing && now >= until) co_return PullAnswer();
    if (ready == PullWindow::Ready::full || (ready == PullWindow::Ready::some && now >= gathered)) {
      const PullWindow::Limits limits(request.limit, kMaxAnswer, pace_.ahead(now));
      auto picks = choose(limits, &PullWindow::choose);
      if (!picks.empty()) replace_poller(self);
      // Also what leaves meanwhile: a higher offset must not confirm it in our next life.
      while (!picks.empty() && window_.must_note()) {
        const bool noted = co_await book_.note();
        if (!noted) co_return PullAnswer(End::failed);
        picks = choose(limits, &PullWindow::choose_noted);
      }
      if (!picks.empty()) co_return hand_out(picks);
      continue;
    }
    replace_poller(self);
    self.gathers = ready == PullWindow::Ready::some;
    MonoTime wake = until;
    if (self.gathers) wake = std::min(until, gathered);
    const bool woken = co_await self.woken.wait_until(clock_, wake);
    if (woken && !self.gathers) gathered = std::min(until, clock_.mono() + kGather);
  }
}

std::vector<PullWindow::Pick> BookedPullSink::choose(const PullWindow::Limits& limits, Choice choice) {
  std::vector<PullWindow::Ended> expired;
  auto picks = (window_.*choice)(limits, clock_.wall(), expired);
  finish(expired);
  return picks;
}

PullAnswer BookedPullSink::hand_out(const std::vector<PullWindow::Pick>& picks) {
  const std::size_t fresh = window_.handed_out(picks);
  pace_.took(fresh, clock_.mono());
  watch_lone();
  PullAnswer answer;
  answer.updates.reserve(picks.size());
  for (const PullWindow::Pick& pick : picks) {
    answer.updates.emplace_back(pick.id, waiting_.at(pick.seq)->delivery);
  }
  stats_.handed_out += static_cast<std::int64_t>(picks.size());
  return answer;
}

void BookedPullSink::finish(const std::vector<PullWindow::Ended>& ended) {
  for (const PullWindow::Ended& one : ended) {
    Waiting& waiting = *waiting_.at(one.seq);
    waiting.outcome = outcome_of(one.how, waiting.delivery->item);
    waiting.ended.notify();
  }
}

Outcome BookedPullSink::outcome_of(PullWindow::How how, const Item& item) const {
  switch (how) {
    case PullWindow::How::done:
      break;
    case PullWindow::How::crashed:
      return Outcome::dead("crashed", "the bot started anew " + std::to_string(options_.suspect_after) +
                                          " times while it had this, and " +
                                          std::to_string(options_.max_lone_restarts) +
                                          " times more while it had nothing else");
    case PullWindow::How::dropped:
      return Outcome::dead("drop_pending", "the bot asked to drop what was pending (drop_pending_updates)");
    case PullWindow::How::expired:
      return Outcome::dead("expired", "Telegram no longer takes an answer to this " + item.kind);
    case PullWindow::How::back:
      return Outcome::postpone(Duration::zero(), "not handed out: a webhook is set, or tgkeep stops");
  }
  return Outcome::done();
}

SettleReply BookedPullSink::settle(const http::ServerRequest& request) {
  if (book_.is_read()) return settling_.answer(request);
  return SettleReply(SettleAnswer::refused(503, "tgkeep has just started: ask again"));
}

void BookedPullSink::settle(std::int64_t number, Outcome outcome) {
  const auto held = window_.settle(number, outcome.kind == Outcome::Kind::done);
  if (!held) return;
  if (held->present) {
    Waiting& waiting = *waiting_.at(held->seq);
    waiting.outcome = std::move(outcome);
    waiting.ended.notify();
  } else {
    early_.insert_or_assign(held->seq, std::move(outcome));
  }
  wake_poller();  // what followed a suspect
}

void BookedPullSink::restarted() {
  std::vector<PullWindow::Ended> ended;
  window_.restart(ended);
  saw_restart();
  finish(ended);
  wake_poller();
}

void BookedPullSink::saw_restart() {
  restarted_ = true;
  watched_.reset();
  ++stats_.restarts;
  log_.info("bot_started_anew", {{"unconfirmed", window_.waiting()}});
}

void BookedPullSink::watch_adopted() {
  auto give_up = [this] {
    const std::size_t before = window_.in_hand();
    window_.give_up_adopted();
    if (window_.in_hand() < before) {
      log_.warning("not_settled_since_our_start", {{"updates", before - window_.in_hand()}});
    }
    wake_poller();
    if (window_.has_adopted()) watch_adopted();
  };
  adopted_watch_ = clock_.at(clock_.mono() + kAdopted, give_up);
}

void BookedPullSink::watch_lone() {
  const std::optional<Seq> lone = window_.lone();
  if (!lone || lone == watched_) return;
  watched_ = lone;
  auto end_of_time = [this] {
    if (watched_ && window_.lone() == watched_) window_.let_others_pass();
    watched_.reset();
    wake_poller();
  };
  lone_watch_ = clock_.at(clock_.mono() + kAlone, end_of_time);
}

void BookedPullSink::drop_until(Seq last) {
  std::vector<PullWindow::Ended> ended;
  window_.drop_until(last, ended);
  finish(ended);
  wake_poller();
}

void BookedPullSink::close(bool all) {
  std::vector<PullWindow::Ended> ended;
  window_.close(all, ended);
  finish(ended);
  if (poller_ != nullptr) poller_->woken.notify();
}

void BookedPullSink::replace_poller(Poller& by) {
  if (poller_ != nullptr && poller_ != &by) {
    poller_->replaced = true;
    poller_->woken.notify();
  }
  poller_ = &by;
}

void BookedPullSink::wake_poller() {
  if (poller_ == nullptr) return;
  const auto ready = window_.ready(poller_->limit);
  if (ready == PullWindow::Ready::full || (ready == PullWindow::Ready::some && !poller_->gathers)) {
    poller_->woken.notify();
  }
}

PullStats BookedPullSink::stats() const {
  PullStats stats = stats_;
  stats.waiting = window_.waiting();
  stats.unconfirmed = window_.in_hand();
  stats.pollers = poller_ == nullptr ? 0 : 1;
  if (poller_ != nullptr) stats.last_poll = clock_.mono();
  return stats;
}

}  // namespace

std::unique_ptr<PullSink> make_pull_sink(const asio::any_io_executor& loop, Clock& clock, Handouts* handouts,
                                         PullOptions options, Log log) {
  return std::make_unique<BookedPullSink>(loop, clock, handouts, options, std::move(log));
}

}  // namespace tgkeep::sink
