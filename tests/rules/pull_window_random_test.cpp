#include <gtest/gtest.h>

#include <memory>

#include "rules/naive_pull_window.hpp"
#include "support/random.hpp"

namespace tgkeep::rules {
namespace {

using test::NaivePullWindow;
using Numbers = NaivePullWindow::Numbers;

/// A queue, a book, a bot and both windows, through several lives.
class Comparison {
 public:
  explicit Comparison(test::Random& random) : random_(random) { begin(); }

  void step() {
    const std::int64_t dice = random_.between(0, 99);
    if (dice < 30) {
      arrive();
    } else if (dice < 35) {
      leave();
    } else if (dice < 60) {
      poll();
    } else if (dice < 84) {
      hand_out();
    } else if (dice < 91) {
      settle();
    } else if (dice < 93) {
      window_->restart(ended_);
      model_->restart();
    } else if (dice < 94) {
      const std::int64_t last = random_.between(0, seq_ / 2);
      window_->drop_until(Seq(last), ended_);
      model_->drop_until(last);
    } else if (dice < 95) {
      const bool all = random_.chance(0.5);
      window_->close(all, ended_);
      model_->close(all);
    } else if (dice < 98) {
      window_->open();
      model_->closed = false;
    } else if (dice < 99) {
      window_->give_up_adopted();
      model_->give_up_adopted();
    } else if (random_.chance(0.3)) {
      begin();
    }
    compare();
  }

 private:
  /// Our start: what arrived before is in the queue again.
  void begin() {
    std::map<std::int64_t, std::pair<std::int64_t, bool>> last;
    for (const auto& [id, one] : book_) last[one.first] = {id, one.second};
    Numbers open;
    for (const auto& [seq, one] : last) {
      if (!over_.contains(seq) && !one.second) open.emplace_back(one.first, seq);
    }
    std::ranges::sort(open);
    std::vector<std::pair<PullId, Seq>> typed;
    for (const auto& [id, seq] : open) typed.emplace_back(PullId(id), Seq(seq));
    const std::int64_t highest = book_.empty() ? 0 : book_.rbegin()->first;
    here_.clear();
    window_ = std::make_unique<PullWindow>(2, 3);
    window_->begin(PullId(highest), typed);
    model_ = std::make_unique<NaivePullWindow>(highest, open);
    settles_ = random_.chance(0.5);
  }
  void arrive() {
    std::int64_t seq = random_.between(1, seq_ + 1);
    if (here_.contains(seq) || over_.contains(seq)) seq = ++seq_;
    seq_ = std::max(seq_, seq);
    const auto arrival = window_->arrive(Seq(seq), 1, std::nullopt);
    const char expected = model_->arrive(seq);
    EXPECT_EQ("wedc"[static_cast<int>(arrival)], expected) << seq;
    if (expected == 'w') here_.insert(seq);
    if (expected == 'e') over_.insert(seq);
  }
  void leave() {
    if (here_.empty()) return;
    const std::int64_t seq = *std::next(here_.begin(), random_.between(0, std::ssize(here_) - 1));
    window_->leave(Seq(seq));
    model_->leave(seq);
    here_.erase(seq);
  }
  std::int64_t some_number() const {
    const std::int64_t top = std::max<std::int64_t>(model_->next + 2, 3);
    return random_.between(std::max<std::int64_t>(1, top - 60), top);
  }
  void poll() {
    std::int64_t offset = 0;
    if (random_.chance(0.4)) {
      offset = model_->top;
    } else if (random_.chance(0.8)) {
      offset = some_number();
    }
    if (random_.chance(0.05)) settles_ = !settles_;
    std::set<std::int64_t> held;
    for (const auto& one : model_->all) {
      if (one.held && one.id < offset) held.insert(one.seq);
    }
    const bool restarted = window_->poll(offset, settles_, ended_);
    for (const PullWindow::Ended& one : ended_) {
      EXPECT_TRUE(one.how == PullWindow::How::crashed || (!settles_ && held.contains(one.seq.value())))
          << one.seq.value() << " was confirmed and not in hand below " << offset;
    }
    EXPECT_EQ(restarted, model_->poll(offset, settles_)) << "offset " << offset;
  }
  void hand_out() {
    const std::size_t limit = static_cast<std::size_t>(random_.between(1, 8));
    const auto ready = window_->ready(limit);
    auto picks = window_->choose(PullWindow::Limits(limit, 1U << 20), WallTime(), ended_);
    EXPECT_EQ(ready == PullWindow::Ready::nothing, picks.empty());
    EXPECT_TRUE(picks.size() < limit || ready == PullWindow::Ready::full);
    const Numbers expected = model_->choose(limit);
    Numbers given;
    for (const auto& pick : picks) given.emplace_back(pick.id.value(), pick.seq.value());
    EXPECT_EQ(given, expected);
    EXPECT_TRUE(std::ranges::is_sorted(given)) << "in the order of numbers";
    if (random_.chance(0.1)) return;  // the poller hung up
    if (window_->must_note()) {
      const auto notes = window_->to_note();
      for (const auto& note : notes) {
        EXPECT_TRUE(book_.empty() || note.id.value() > book_.rbegin()->first) << "numbers must grow";
        book_.emplace(note.id.value(), std::pair(note.seq.value(), note.forgotten));
      }
      window_->noted(notes);
    }
    model_->note();
    window_->handed_out(picks);
    model_->hand_out(given);
  }
  void settle() {
    const std::int64_t number = some_number();
    if (random_.chance(0.2)) {
      window_->renew(number);
      model_->renew(number);
      return;
    }
    const bool done = random_.chance(0.7);
    const auto held = window_->settle(number, done);
    const std::int64_t expected = model_->settle(number, done);
    EXPECT_EQ(held ? held->seq.value() : 0, expected);
    if (!held || !held->present) return;
    here_.erase(expected);
    if (done) over_.insert(expected);
  }
  void compare() {
    std::multimap<std::int64_t, PullWindow::How> ended;
    for (const PullWindow::Ended& one : ended_) {
      ended.emplace(one.seq.value(), one.how);
      here_.erase(one.seq.value());
      if (one.how != PullWindow::How::back) over_.insert(one.seq.value());
    }
    EXPECT_EQ(ended, model_->ended);
    ended_.clear();
    model_->ended.clear();
    EXPECT_EQ(window_->in_hand(), model_->held());
    EXPECT_EQ(window_->waiting(), model_->all.size() - model_->held());
  }

  test::Random& random_;
  std::unique_ptr<PullWindow> window_;
  std::unique_ptr<NaivePullWindow> model_;
  std::map<std::int64_t, std::pair<std::int64_t, bool>> book_;  // id → seq, forgotten
  std::set<std::int64_t> here_;                                 // arrived and not ended
  std::set<std::int64_t> over_;                                 // ended for good
  std::vector<PullWindow::Ended> ended_;
  std::int64_t seq_ = 0;
  bool settles_ = false;
};

TEST(PullWindow, P3_P4_P7_random_operations_agree_with_a_naive_model) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  for (int world = 0; world < 60; ++world) {
    Comparison comparison(random);
    for (int step = 0; step < 500; ++step) {
      comparison.step();
      if (testing::Test::HasFailure()) FAIL() << "world " << world << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace tgkeep::rules
