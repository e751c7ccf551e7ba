// Random operations on CallLines and on a model that knows no index: it looks at everything each time.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "rules/call_lines.hpp"
#include "support/random.hpp"

namespace tgkeep::rules {
namespace {

using namespace std::chrono_literals;
using Rank = CallAsk::Rank;
using Id = CallLines::Id;

class NaiveLines {
 public:
  explicit NaiveLines(CallLimits limits) : limits(limits), pace(limits.bulk_rate) {}

  class Entry {
   public:
    CallAsk ask;
    bool running = false;
    MonoTime not_before = MonoTime::min();
  };

  MonoTime held_until(const Entry& entry) const {
    MonoTime until = entry.not_before;
    if (const auto held = holds.find(entry.ask.line); held != holds.end())
      until = std::max(until, held->second);
    if (entry.ask.rank == Rank::sending || entry.ask.rank == Rank::bulk) until = std::max(until, all);
    return until;
  }
  bool may_start(Id id, MonoTime now) const {
    const Entry& entry = calls.at(id);
    if (entry.running || held_until(entry) > now) return false;
    const auto running = static_cast<std::size_t>(
        std::ranges::count_if(calls, [](const auto& call) { return call.second.running; }));
    const std::size_t room = limits.running + (entry.ask.rank == Rank::urgent ? limits.running / 4 : 0);
    if (running >= room) return false;
    if (entry.ask.rank == Rank::bulk && pace.next(now) > now) return false;
    if (!entry.ask.in_order) return true;
    return std::ranges::none_of(calls, [&](const auto& call) {
      return call.first < id && call.second.ask.in_order && call.second.ask.line == entry.ask.line;
    });
  }
  bool is_over(Id id, MonoTime now) const {
    const Entry& entry = calls.at(id);
    if (entry.running) return false;
    const MonoTime until = held_until(entry);
    return entry.ask.until <= now || (until > now && entry.ask.until < until);
  }
  std::optional<Id> first_to_start(MonoTime now) const {
    for (const bool urgent : {true, false}) {
      for (const auto& [id, entry] : calls) {
        if ((entry.ask.rank == Rank::urgent) == urgent && may_start(id, now)) return id;
      }
    }
    return std::nullopt;
  }
  bool anything(MonoTime now) const {
    return first_to_start(now) ||
           std::ranges::any_of(calls, [&](const auto& call) { return is_over(call.first, now); });
  }

  CallLimits limits;
  BulkPace pace;
  std::map<Id, Entry> calls;
  std::map<std::string, MonoTime> holds;
  MonoTime all = MonoTime::min();
};

class Play {
 public:
  explicit Play(test::Random& random)
      : random_(random), limits_(make_limits(random)), lines_(limits_), naive_(limits_) {}

  void step() {
    const auto choice = random_.between(0, 9);
    if (choice < 4) add();
    if (choice == 4) pass_time();
    if (choice == 5 || choice == 6) end_one(random_.chance(0.8));
    if (choice == 7) again();
    if (choice == 8) hold();
    if (choice == 9 && random_.chance(0.2)) hold_all();
    settle();
  }
  void finish() {
    while (!naive_.calls.empty()) {
      end_one(true);
      settle();
      now_ += 1s;
      settle();
    }
    now_ += 1h;
    lines_.start(now_);
    EXPECT_TRUE(lines_.empty());
    EXPECT_EQ(lines_.bytes(), 0U);
  }

 private:
  static CallLimits make_limits(test::Random& random) {
    CallLimits limits;
    limits.running = static_cast<std::size_t>(random.between(1, 8));
    limits.waiting = static_cast<std::size_t>(random.between(3, 20));
    limits.bytes = static_cast<std::size_t>(random.between(50, 2000));
    limits.bulk_rate = static_cast<double>(random.between(1, 20));
    return limits;
  }
  std::string some_line() { return std::to_string(random_.between(1, 5)); }

  void add() {
    NaiveLines::Entry entry;
    entry.ask.rank = static_cast<Rank>(random_.between(0, 3));
    entry.ask.line = some_line();
    entry.ask.in_order = random_.chance(0.7);
    entry.ask.until = now_ + std::chrono::milliseconds(random_.between(0, 5000));
    entry.ask.bytes = static_cast<std::size_t>(random_.between(0, 100));
    std::size_t bytes = 0;
    std::size_t waiting = 0;
    for (const auto& [id, call] : naive_.calls) {
      bytes += call.ask.bytes;
      waiting += call.running ? 0 : 1;
    }
    const bool fits = waiting < limits_.waiting && (bytes == 0 || bytes + entry.ask.bytes <= limits_.bytes);
    const auto id = lines_.add(entry.ask, now_);
    ASSERT_EQ(id.has_value(), fits);
    if (id) naive_.calls.emplace(*id, entry);
  }
  void pass_time() {
    if (random_.chance(0.5)) {
      now_ += std::chrono::milliseconds(random_.between(0, 800));
      return;
    }
    const auto next = lines_.next();
    if (!next) return;
    ASSERT_GT(*next, now_) << "what was due has been done";
    if (*next > now_ + 1h) return;
    // A token may be there a millionth early.
    EXPECT_FALSE(*next - 2us > now_ && naive_.anything(*next - 2us))
        << "something was to be done before `next`";
    now_ = *next;
  }
  std::optional<Id> some_call(bool running) {
    std::vector<Id> fitting;
    for (const auto& [id, entry] : naive_.calls) {
      if (entry.running == running) fitting.push_back(id);
    }
    if (fitting.empty()) return std::nullopt;
    return fitting[static_cast<std::size_t>(
        random_.between(0, static_cast<std::int64_t>(fitting.size()) - 1))];
  }
  void end_one(bool running) {
    const auto id = some_call(running);
    if (!id) return;
    lines_.end(*id);
    naive_.calls.erase(*id);
  }
  void again() {
    const auto id = some_call(true);
    if (!id) return;
    const MonoTime not_before = now_ + std::chrono::milliseconds(random_.between(0, 3000));
    lines_.again(*id, not_before, now_);
    naive_.calls.at(*id).running = false;
    naive_.calls.at(*id).not_before = not_before;
  }
  void hold() {
    const std::string line = some_line();
    const MonoTime until = now_ + std::chrono::milliseconds(random_.between(0, 4000));
    lines_.hold(line, until, now_);
    naive_.holds[line] = std::max(naive_.holds[line], until);
  }
  void hold_all() {
    const MonoTime until = now_ + std::chrono::milliseconds(random_.between(0, 2000));
    lines_.hold_all(until, now_);
    naive_.all = std::max(naive_.all, until);
  }
  /// What a driver does after each change.
  void settle() {
    std::vector<Id> over;
    for (const auto& [id, entry] : naive_.calls) {
      if (naive_.is_over(id, now_)) over.push_back(id);
    }
    std::vector<Id> given_up;
    while (const auto id = lines_.give_up(now_)) given_up.push_back(*id);
    std::ranges::sort(given_up);
    ASSERT_EQ(given_up, over);
    for (const Id id : over) naive_.calls.erase(id);
    for (;;) {
      const auto expected = naive_.first_to_start(now_);
      const auto id = lines_.start(now_);
      ASSERT_EQ(id, expected);
      if (!id) break;
      NaiveLines::Entry& entry = naive_.calls.at(*id);
      entry.running = true;
      const bool paced = entry.ask.rank != Rank::bulk || naive_.pace.take(now_);
      ASSERT_TRUE(paced);
    }
    const auto running = static_cast<std::size_t>(
        std::ranges::count_if(naive_.calls, [](const auto& call) { return call.second.running; }));
    ASSERT_EQ(lines_.running(), running);
    ASSERT_EQ(lines_.waiting(), naive_.calls.size() - running);
  }

  test::Random& random_;
  CallLimits limits_;
  CallLines lines_;
  NaiveLines naive_;
  MonoTime now_{};
};

TEST(CallLines, random_operations_do_what_a_model_does_that_looks_at_everything) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  for (int round = 0; round < 60; ++round) {
    Play play(random);
    for (int step = 0; step < 300 && !testing::Test::HasFailure(); ++step) play.step();
    if (testing::Test::HasFailure()) return;
    play.finish();
  }
}

}  // namespace
}  // namespace tgkeep::rules
