// A runner that is paused, resumed, stopped and started at random, beside one that is worked out naively.

#include <gtest/gtest.h>

#include "rooms/runner/naive_runner.hpp"
#include "rooms/runner/runner_bench.hpp"
#include "support/random.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

class Story {
 public:
  explicit Story(Random& random) : random_(random), bench_(choose_options(random)), naive_(bench_.options) {
    bench_.sink.script = [this](const Item& item) { return choose_script(item); };
  }

  void play() {
    start();
    for (int step = 0; step < 150 && !::testing::Test::HasFailure(); ++step) {
      act();
      bench_.pass(random_.between(0, 5000) * 1ms);
      compare();
    }
    naive_.resume(now());
    bench_.runner->resume();
    for (int hour = 0; hour < 48; ++hour) bench_.pass(1h);
    compare();
    compare_ends();
  }

 private:
  static RunnerOptions choose_options(Random& random) {
    RunnerOptions options;
    options.limit = 10'000;
    options.timeout = 10h;
    options.max_attempts = static_cast<std::uint32_t>(random.between(2, 12));
    options.max_block = random.between(5, 120) * 1s;
    return options;
  }

  Script choose_script(const Item& item) {
    Script script(random_.between(0, 8000) * 1ms, Outcome::done());
    if (random_.chance(0.4)) script.outcome = Outcome::retry_after(random_.between(1, 40'000) * 1ms, "later");
    if (random_.chance(0.05)) script.outcome = Outcome::dead("refused", "no");
    if (random_.chance(0.1)) script.outcome = Outcome::postpone(random_.between(1, 9000) * 1ms, "not now");
    const std::string wrong =
        naive_.started(item.update_id.value(), item.attempt, now(), script.takes, script.outcome);
    EXPECT_EQ(wrong, "") << "update " << item.update_id.value();
    return script;
  }

  void act() {
    for (std::int64_t i = random_.between(0, 3); i > 0; --i) put();
    if (random_.chance(0.15)) {
      naive_.pause(now());
      bench_.runner->pause();
    }
    if (random_.chance(0.25)) {
      naive_.resume(now());
      bench_.runner->resume();
    }
    if (random_.chance(0.05)) {
      // Long enough for all that runs, or no time at all.
      bench_.stop(random_.chance(0.5) ? Duration(20s) : Duration::zero());
      naive_.stop(now());
      if (random_.chance(0.3)) bench_.pass(random_.between(0, 60'000) * 1ms);
      start();
    }
  }

  void put() {
    std::vector<std::string> keys;
    for (std::int64_t i = random_.between(0, 2); i > 0; --i)
      keys.push_back(std::to_string(random_.between(1, 12)));
    naive_.put(++count_, keys);
    bench_.put(count_, keys);
  }

  void start() {
    naive_.start(now());
    bench_.start();
  }

  void compare() {
    const RunnerStats stats = bench_.runner->stats();
    EXPECT_EQ(naive_.overdue(now()), std::nullopt) << "it may start and was not started";
    EXPECT_EQ(stats.suspended, naive_.is_suspended());
    EXPECT_EQ(stats.running, naive_.running(now()));
    EXPECT_LE(stats.flooded, naive_.flooded(now())) << "what was loaded anew does not know why it waits";
  }

  void compare_ends() {
    const QueueCounts counts = bench_.counts().inbox;
    std::map<std::string, std::int64_t> ends = counts.dead;
    if (counts.done > 0) ends["done"] = counts.done;
    const std::int64_t open = counts.pending + counts.retrying + counts.in_flight;
    if (open > 0) ends["open"] = open;
    EXPECT_EQ(ends, naive_.ends());
  }

  MonoTime now() const { return bench_.clock.mono(); }

  Random& random_;
  RunnerBench bench_;
  NaiveRunner naive_;
  std::int64_t count_ = 0;
};

TEST(RunnerPause, P3_P5_P7_paused_resumed_stopped_and_started_at_random_it_does_what_a_naive_one_would) {
  Random random;
  TGKEEP_TRACE_SEED(random);
  for (int round = 0; round < 10 && !::testing::Test::HasFailure(); ++round) {
    Story story(random);
    story.play();
  }
}

}  // namespace
}  // namespace tgkeep::test
