// Several ordering keys, from receipt to handler, on a real SQLite file.

#include <gmock/gmock.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>
#include <condition_variable>
#include <future>
#include <mutex>
#include <sstream>
#include <string>
#include <tgkeep/run.hpp>
#include <thread>
#include <vector>

#include "e2e/telegram_thread.hpp"
#include "e2e/temporary_folder.hpp"

namespace tgkeep {
namespace {

using testing::ElementsAre;

std::string text_of(std::string_view raw) {
  const boost::json::value body = boost::json::parse(boost::json::string_view(raw.data(), raw.size()));
  return std::string(body.at("message").at("text").as_string());
}

/// Texts are a name and the keys: "ab a b".
std::vector<std::string> keys_in_text(const Update& update) {
  std::istringstream words(text_of(update.raw));
  std::string name;
  words >> name;
  std::vector<std::string> keys;
  for (std::string key; words >> key;) keys.push_back(key);
  return keys;
}

/// What happened, in order.
class Trace {
 public:
  void add(std::string line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
    changed_.notify_all();
  }
  void wait_for(const std::string& line) {
    std::unique_lock lock(mutex_);
    const auto there = [&] { return std::ranges::find(lines_, line) != lines_.end(); };
    if (!changed_.wait_for(lock, std::chrono::minutes(1), there)) throw std::runtime_error("no " + line);
  }
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
};

/// "b1" ends when told, or never; "a" fails for good.
asio::awaitable<Outcome> handle(Trace* trace, std::shared_future<bool> b1_ends, Context context) {
  const std::string text = text_of(context.raw());
  const std::string name = text.substr(0, text.find(' '));
  trace->add("start " + name);
  if (name == "b1" && !b1_ends.get()) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    asio::steady_timer never(executor, asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::use_awaitable);
  }
  trace->add("end " + name);
  if (name == "a") co_return Outcome::dead("failed", "as it was told");
  co_return Outcome::done();
}

class RunOrderTest : public testing::Test {
 protected:
  GatewayOptions options() const {
    GatewayOptions options{std::string(test::kBotToken)};
    options.api_root = telegram_.root();
    options.folder = folder_.file("store");
    options.log = Log();
    options.sequentialize = keys_in_text;
    return options;
  }
  RunnerHandle start(std::promise<bool>& b1_ends) {
    std::shared_future<bool> future = b1_ends.get_future().share();
    return run(options(), [this, future](Context context) { return handle(&trace_, future, context); });
  }

  Trace trace_;
  test::TelegramThread telegram_;
  test::TemporaryFolder folder_;
};

// The trace that a runner must not give which waits for all predecessors or the first failure:
// b1 start, a failed, ab start, ab end, b2 start, b1 end.
TEST_F(RunOrderTest, M7_P5_an_update_with_two_keys_waits_for_both_though_one_predecessor_failed) {
  std::promise<bool> b1_ends;
  RunnerHandle bot = start(b1_ends);
  for (const auto* text : {"b1 b", "a a", "ab a b", "b2 b"}) telegram_.send(1, text);
  trace_.wait_for("start b1");
  trace_.wait_for("end a");
  while (bot.stats().dead < 1) std::this_thread::yield();
  EXPECT_EQ(bot.size(), 1U);
  trace_.add("let b1 end");
  b1_ends.set_value(true);
  trace_.wait_for("end b2");
  bot.stop();
  std::vector<std::string> lines = trace_.lines();
  std::erase_if(lines, [](const std::string& line) { return line.ends_with(" a"); });
  EXPECT_THAT(lines,
              ElementsAre("start b1", "let b1 end", "end b1", "start ab", "end ab", "start b2", "end b2"));
}

TEST_F(RunOrderTest, M7_P5_the_keys_are_stored_so_that_order_outlasts_a_restart) {
  for (const auto* text : {"b1 b", "ab a b", "b2 b", "a2 a"}) telegram_.send(1, text);
  {
    std::promise<bool> never;
    RunnerHandle bot = start(never);
    never.set_value(false);
    trace_.wait_for("start b1");
    while (bot.stats().heads < 4) std::this_thread::yield();
    EXPECT_EQ(bot.stop(Duration::zero()).cut_off, 1U);
  }
  EXPECT_THAT(trace_.lines(), ElementsAre("start b1"));
  std::promise<bool> b1_ends;
  GatewayOptions changed = options();
  changed.sequentialize = nullptr;  // the stored keys count
  std::shared_future<bool> future = b1_ends.get_future().share();
  RunnerHandle bot =
      run(changed, [this, future](Context context) { return handle(&trace_, future, context); });
  b1_ends.set_value(true);
  trace_.wait_for("end b2");
  trace_.wait_for("end a2");
  bot.stop();
  std::vector<std::string> lines = trace_.lines();
  std::erase_if(lines, [](const std::string& line) { return line.ends_with("a2"); });
  EXPECT_THAT(lines,
              ElementsAre("start b1", "start b1", "end b1", "start ab", "end ab", "start b2", "end b2"));
}

}  // namespace
}  // namespace tgkeep
