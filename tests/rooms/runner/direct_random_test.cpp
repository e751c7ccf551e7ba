// Random updates, handlers, suppliers, stops and starts against what must hold at every instant.

#include <gtest/gtest.h>

#include "rooms/runner/direct_bench.hpp"
#include "support/random.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

/// Looks on while the scripted sink works: order and exclusion of each key, repeats only after a cut.
class Watcher final : public Sink {
 public:
  explicit Watcher(ScriptedSink& real) : real_(real) {}

  asio::awaitable<Outcome> deliver(std::shared_ptr<const Delivery> delivery) override {
    EXPECT_FALSE(paused) << "started while paused";
    const Item& item = delivery->item;
    for (const std::string& key : item.keys) {
      EXPECT_TRUE(busy_.insert(key).second) << key << " runs twice at once";
      const bool in_order = last_[key] < item.seq || (last_[key] == item.seq && item.starts > 0);
      EXPECT_TRUE(in_order) << key;
      last_[key] = item.seq;
    }
    EXPECT_EQ(starts_[item.update_id.value()]++, static_cast<int>(item.starts));
    const Leaves leaves(*this, item.keys);
    Outcome outcome = co_await real_.deliver(std::move(delivery));
    co_return outcome;
  }
  std::size_t seen() const { return starts_.size(); }
  bool paused = false;

 private:
  class Leaves {
   public:
    Leaves(Watcher& watcher, std::vector<std::string> keys) : watcher_(watcher), keys_(std::move(keys)) {}
    ~Leaves() {
      for (const std::string& key : keys_) watcher_.busy_.erase(key);
    }
    Leaves(const Leaves&) = delete;
    Leaves& operator=(const Leaves&) = delete;

   private:
    Watcher& watcher_;
    const std::vector<std::string> keys_;
  };
  ScriptedSink& real_;
  std::set<std::string> busy_;
  std::map<std::string, Seq> last_;
  std::map<std::int64_t, int> starts_;
};

class Story {
 public:
  explicit Story(Random& random)
      : random_(random),
        options_(choose_options(random)),
        line_(io_.get_executor(), clock_),
        scripted_(clock_),
        watcher_(scripted_) {
    options_.on_error = [this](const DeliveryFailure& failure) {
      EXPECT_TRUE(failed_.insert(failure.delivery->item.update_id.value()).second) << "told twice";
    };
    scripted_.script = [this](const Item&) { return choose_script(); };
    runner_ = make_direct_runner(
        io_.get_executor(), clock_, [this](std::size_t limit) { return supply(limit); }, watcher_, options_,
        Log());
  }

  void play() {
    runner_->start();
    for (int step = 0; step < 60; ++step) {
      for (std::int64_t i = random_.between(0, 30); i > 0; --i) put();
      loop::run_for(io_, clock_, random_.between(0, 3000) * 1ms);
      if (random_.chance(0.15)) pause();
      if (random_.chance(0.4)) resume();
      if (random_.chance(0.2)) stop_and_start();
    }
    resume();
    line_.end();
    bool ended = false;
    asio::co_spawn(io_, runner_->wait(), [&](std::exception_ptr, Result<void>) { ended = true; });
    for (int hour = 0; !ended && hour < 100; ++hour) loop::run_for(io_, clock_, 1h);
    ASSERT_TRUE(ended);
    const RunnerStats stats = runner_->stats();
    EXPECT_EQ(line_.left(), 0U);
    EXPECT_EQ(stats.heads, 0U);
    EXPECT_EQ(stats.done + stats.dead, count_) << "each ends once, none is lost";
    EXPECT_EQ(stats.dead, static_cast<std::int64_t>(failed_.size()));
    EXPECT_EQ(stats.started, count_ + static_cast<std::int64_t>(cut_off_));
    EXPECT_EQ(watcher_.seen(), static_cast<std::size_t>(count_));
    EXPECT_LE(line_.most_calls_at_once, 1);
  }

 private:
  static DirectOptions choose_options(Random& random) {
    DirectOptions options = DirectOptions::concurrent(static_cast<std::size_t>(random.between(1, 40)));
    options.in_batches = random.chance(0.3);
    options.timeout = 2s;
    options.max_stuck = static_cast<std::size_t>(random.between(1, 10));
    options.max_waiting = static_cast<std::size_t>(random.between(1, 50));
    options.speed_traffic_balance = random.chance(0.5) ? 0.5 : 0;
    return options;
  }

  Script choose_script() {
    Script script(random_.chance(0.5) ? 0ms : random_.between(1, 2500) * 1ms, Outcome::done());
    script.throws = random_.chance(0.1);
    script.deaf = random_.chance(0.1);
    script.deaf_for = random_.between(0, 20'000) * 1ms;
    if (random_.chance(0.05)) script.outcome = Outcome::retry("not done");
    return script;
  }

  void put() {
    std::vector<std::string> keys;
    for (std::int64_t i = random_.between(0, 3); i > 0; --i)
      keys.push_back(std::to_string(random_.between(1, 12)));
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    line_.put(++count_, keys);
  }

  asio::awaitable<std::optional<std::vector<Update>>> supply(std::size_t limit) {
    const RunnerStats stats = runner_->stats();
    const std::size_t busy = stats.running - stats.stuck;
    EXPECT_LE(limit, std::min<std::size_t>(100, options_.limit - busy)) << "never more than is free";
    EXPECT_GE(limit, 1U);
    EXPECT_FALSE(stats.paused);
    EXPECT_FALSE(stats.suspended);
    EXPECT_TRUE(busy == 0 || !options_.in_batches);
    if (random_.chance(0.05)) throw std::runtime_error("no luck");
    return line_.supplier()(limit);
  }

  void pause() {
    runner_->pause();
    watcher_.paused = true;
  }
  void resume() {
    watcher_.paused = false;
    runner_->resume();
    loop::run_for(io_, clock_, 0ms);
  }

  void stop_and_start() {
    std::optional<StopReport> report;
    const std::size_t before = runner_->stats().heads;
    asio::co_spawn(io_, runner_->stop(random_.between(0, 4000) * 1ms),
                   [&](std::exception_ptr, StopReport value) { report = value; });
    const MonoTime began = clock_.mono();
    while (!report && clock_.mono() - began < 10s) loop::run_for(io_, clock_, 100ms);
    ASSERT_TRUE(report) << "a stop is bounded";
    EXPECT_EQ(report->cut_off + report->waiting, runner_->stats().heads);
    EXPECT_LE(runner_->stats().heads, before);
    EXPECT_EQ(runner_->size(), 0U);
    cut_off_ += report->cut_off;
    runner_->start();
  }

  Random& random_;
  DirectOptions options_;
  asio::io_context io_;
  loop::VirtualClock clock_;
  Line line_;
  ScriptedSink scripted_;
  Watcher watcher_;
  std::unique_ptr<Runner> runner_;
  std::set<std::int64_t> failed_;
  std::int64_t count_ = 0;
  std::size_t cut_off_ = 0;
};

TEST(DirectRunner, M3_M5_M6_M8_whatever_happens_order_room_and_the_count_of_updates_hold) {
  Random random;
  TGKEEP_TRACE_SEED(random);
  for (int round = 0; round < 8 && !::testing::Test::HasFailure(); ++round) {
    Story story(random);
    story.play();
  }
}

}  // namespace
}  // namespace tgkeep::test
