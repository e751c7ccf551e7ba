#include <gtest/gtest.h>

#include <memory>

#include "rules/naive_pull_window.hpp"
#include "support/random.hpp"

namespace tgkeep::rules {
namespace {

using test::NaivePullWindow;
using Numbers = NaivePullWindow::Numbers;

constexpr std::int64_t kNever = 1'000'000'000;

/// A queue, a book, a bot and both windows, through several lives.
class Comparison {
 public:
  explicit Comparison(test::Random& random) : random_(random) { begin(); }

  void step() {
    const std::int64_t dice = random_.between(0, 99);
    if (dice < 24) {
      hand_out();
    } else if (dice > 98 && random_.chance(0.3)) {
      begin();
    } else {
      meanwhile();
    }
  }

 private:
  /// Whatever may also happen while the book is written.
  void meanwhile() {
    const std::int64_t dice = random_.between(24, 98);
    if (dice < 54) {
      arrive();
    } else if (dice < 59) {
      leave();
    } else if (dice < 84) {
      poll();
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
    } else {
      window_->give_up_adopted();
      model_->give_up_adopted();
    }
    compare();
  }
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
    const std::int64_t expires = random_.chance(0.3) ? ++now_ + random_.between(0, 100) : kNever;
    const auto arrival = window_->arrive(Seq(seq), 1, from_millis(expires));
    const char expected = model_->arrive(seq, expires);
    EXPECT_EQ("wedc"[static_cast<int>(arrival)], expected) << seq;
    if (expected == 'w') here_.insert(seq);
    if (expected == 'e') {
      EXPECT_TRUE(given_.contains(seq)) << seq << " is done, but no bot ever got it";
      over_.insert(seq);
    }
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
    // A bot's own offset, or one from elsewhere that is no number of ours.
    if (!model_->polled && offset <= model_->highest + 1) offset = std::min(offset, last_given_ + 1);
    if (random_.chance(0.05)) settles_ = !settles_;
    std::set<std::int64_t> held;
    for (const auto& one : model_->all) {
      if (one.held && one.id < offset) held.insert(one.seq);
    }
    const bool restarted = window_->poll(offset, settles_, ended_);
    for (const PullWindow::Ended& one : ended_) {
      if (one.how == PullWindow::How::crashed) continue;
      EXPECT_TRUE(!settles_ && held.contains(one.seq.value()))
          << one.seq.value() << " was confirmed and not in hand below " << offset;
      EXPECT_TRUE(given_.contains(one.seq.value())) << one.seq.value() << " is done, but no bot ever got it";
    }
    EXPECT_EQ(restarted, model_->poll(offset, settles_)) << "offset " << offset;
  }
  void hand_out() {
    if (!model_->polled) poll();
    const std::size_t limit = static_cast<std::size_t>(random_.between(1, 8));
    const std::size_t ahead = static_cast<std::size_t>(std::max<std::int64_t>(0, random_.between(-8, 16)));
    const auto ready = window_->ready(limit);
    const PullWindow::Limits limits(limit, 1U << 20, ahead);
    auto picks = window_->choose(limits, from_millis(now_), ended_);
    const bool any = ready != PullWindow::Ready::nothing;
    EXPECT_TRUE(picks.empty() ? !any || !ended_.empty() : any);
    EXPECT_TRUE(picks.size() < limit || ready == PullWindow::Ready::full);
    Numbers given = model_->choose(limit, ahead, now_, false);
    EXPECT_EQ(typeless(picks), given);
    compare();
    if (random_.chance(0.1)) return;  // the poller hung up
    while (window_->must_note()) {
      const auto notes = window_->to_note();
      const auto in_model = model_->to_note();
      EXPECT_EQ(notes.size(), in_model.numbers.size() + in_model.forgotten.size());
      for (const auto& note : notes) {
        EXPECT_TRUE(book_.empty() || note.id.value() > book_.rbegin()->first) << "numbers must grow";
        book_.emplace(note.id.value(), std::pair(note.seq.value(), note.forgotten));
      }
      if (random_.chance(0.03)) return begin();
      for (std::int64_t more = random_.between(-2, 3); more > 0; --more) meanwhile();
      window_->noted(notes);
      model_->noted(in_model);
      picks = window_->choose_noted(limits, from_millis(now_), ended_);
      given = model_->choose(limit, ahead, now_, true);
      EXPECT_EQ(typeless(picks), given);
      compare();
    }
    const std::int64_t before = model_->highest;
    const std::size_t fresh = window_->handed_out(picks);
    model_->hand_out(given);
    EXPECT_TRUE(std::ranges::is_sorted(given)) << "in the order of numbers";
    auto is_fresh = [before](const auto& one) { return one.first > before; };
    EXPECT_EQ(fresh, static_cast<std::size_t>(std::ranges::count_if(given, is_fresh)));
    for (const auto& [id, seq] : given) {
      given_.insert(seq);
      last_given_ = std::max(last_given_, id);
    }
    compare();
  }
  static Numbers typeless(const std::vector<PullWindow::Pick>& picks) {
    Numbers numbers;
    for (const auto& pick : picks) numbers.emplace_back(pick.id.value(), pick.seq.value());
    return numbers;
  }
  void settle() {
    std::int64_t number = some_number();
    if (!model_->polled) number = std::min(number, last_given_);
    if (random_.chance(0.2)) {
      window_->renew(number);
      model_->renew(number);
      return;
    }
    const bool done = random_.chance(0.7);
    const auto held = window_->settle(number, done);
    const std::int64_t expected = model_->settle(number, done);
    EXPECT_EQ(held ? held->seq.value() : 0, expected);
    EXPECT_TRUE(!held || given_.contains(expected)) << expected << " is settled, but no bot ever got it";
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
  std::set<std::int64_t> given_;                                // handed out, in any life
  std::int64_t last_given_ = 0;                                 // the highest number handed out in any
  std::vector<PullWindow::Ended> ended_;
  std::int64_t seq_ = 0;
  std::int64_t now_ = 0;
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
