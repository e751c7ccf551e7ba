// A running Gateway changes to other options: bots come, go and change.

#include <gmock/gmock.h>

#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <tgkeep/gateway.hpp>
#include <thread>
#include <vector>

#include "e2e/telegram_thread.hpp"
#include "e2e/temporary_folder.hpp"
#include "support/unix_ask.hpp"

namespace tgkeep {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// What handlers saw, per chat, in the order in which they ended.
class Seen {
 public:
  void note(const std::string& key, const std::string& text) {
    const std::lock_guard lock(mutex_);
    by_key_[key].push_back(text);
    ++count_;
    changed_.notify_all();
  }
  void wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    ASSERT_TRUE(changed_.wait_for(lock, 60s, [&] { return count_ >= count; })) << count_ << " of " << count;
  }
  std::vector<std::string> of(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? std::vector<std::string>() : found->second;
  }
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::vector<std::string>> by_key_;
  std::size_t count_ = 0;
};

std::string text_of(const Context& context) {
  const std::string_view raw = context.raw();
  const std::size_t at = raw.find(R"("text":")") + 8;
  return std::string(raw.substr(at, raw.find('"', at) - at));
}

class ReloadTest : public testing::Test {
 protected:
  ~ReloadTest() override {
    if (!code_.valid()) return;
    gateway_->stop();
    code_.wait();
  }

  BotOptions bot(std::string_view token, const std::string& name) {
    BotOptions options{std::string(token)};
    options.name = name;
    options.api_root = telegram_.root();
    options.folder = folder_.file(name);
    options.handler = [this, name](const Context& context) { return note(name, context); };
    return options;
  }
  BotOptions one() { return bot(test::kBotToken, "one"); }
  BotOptions two() { return bot(test::kOtherToken, "two"); }

  asio::awaitable<Outcome> note(std::string name, Context context) {
    seen_.note(name + " " + context.item().keys.at(0), text_of(context));
    co_return Outcome::done();
  }

  void start(std::vector<BotOptions> bots) {
    ProcessOptions process;
    process.signals = false;
    process.log = Log([this](LogLevel, std::string_view event, std::span<const LogField>) {
      events_.note("log", std::string(event));
    });
    process.admin.socket = folder_.file("admin.sock");
    process.reload = [this] { return next_; };
    process_ = process;
    gateway_ = std::make_unique<Gateway>(process, std::move(bots));
    code_ = std::async(std::launch::async, [this] { return gateway_->run(); });
    // Once it is asked, it runs.
    while (ask("/healthz").status != 200) std::this_thread::yield();
  }
  Result<std::vector<std::string>> change_to(std::vector<BotOptions> bots) {
    next_ = Reconfiguration(process_, std::move(bots));
    for (;;) {
      Result<std::vector<std::string>> changes = gateway_->reload();
      const bool early =
          changes.has_error() && changes.error().text().find("just starting") != std::string::npos;
      if (!early) return changes;
    }
  }
  void wait_for_event(const std::string& event) {
    while (testing::Value(events_.of("log"), testing::Not(Contains(event)))) std::this_thread::yield();
  }
  int stop() {
    gateway_->stop();
    return code_.get();
  }
  test::UnixAnswer ask(const std::string& path, const std::string& json = "") {
    return test::ask_unix(folder_.file("admin.sock"), path, json);
  }
  static std::vector<std::string> numbers(int from, int to) {
    std::vector<std::string> texts;
    for (int i = from; i < to; ++i) texts.push_back(std::to_string(i));
    return texts;
  }

  Seen seen_;
  Seen events_;
  test::TelegramThread telegram_;
  test::TemporaryFolder folder_;
  ProcessOptions process_;
  Result<Reconfiguration> next_ = Error(Errc::bad_config, "nothing to change to");
  std::unique_ptr<Gateway> gateway_;
  std::future<int> code_;
};

TEST_F(ReloadTest, P3_P5_a_bot_that_changes_again_and_again_handles_everything_once_and_in_order) {
  constexpr int kRounds = 20;
  constexpr int kEach = 15;
  start({one()});
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kEach; ++i) telegram_.send(1 + i % 3, std::to_string(round * kEach + i));
    BotOptions changed = one();
    changed.inbox.limit = 10 + static_cast<std::size_t>(round % 2);
    // Every third time the store is closed and opened again, too.
    if (round % 3 == 0) changed.reserve += static_cast<std::uint64_t>(round);
    ASSERT_THAT(change_to({changed}).value(), SizeIs(1));
  }
  seen_.wait_for(kRounds * kEach);
  EXPECT_EQ(stop(), 0);
  for (int chat = 1; chat <= 3; ++chat) {
    std::vector<std::string> sent;
    for (int i = chat - 1; i < kRounds * kEach; i += 3) sent.push_back(std::to_string(i));
    EXPECT_EQ(seen_.of("one chat:" + std::to_string(chat)), sent);
  }
  EXPECT_EQ(gateway_->stats().counts.inbox.done, kRounds * kEach);
}

TEST_F(ReloadTest, bots_come_and_go_while_others_are_not_touched) {
  start({one()});
  telegram_.send(1, "a");
  seen_.wait_for(1);
  EXPECT_THAT(change_to({two(), one()}).value(), ElementsAre("bot two (4343) was added"));
  telegram_.send(2, "b", test::kOtherToken);
  seen_.wait_for(2);
  EXPECT_THAT(change_to({one(), two()}).value(), IsEmpty());
  EXPECT_EQ(gateway_->stats().source.received, 1) << "one goes on as it was";
  EXPECT_THAT(change_to({two()}).value(), ElementsAre(HasSubstr("bot one (4242) was removed")));
  EXPECT_EQ(gateway_->stats().counts.inbox.done, 1) << "as it ended";
  // What comes for it waits at Telegram; its store can be opened by others.
  telegram_.send(1, "c");
  EXPECT_THAT(change_to({one(), two()}).value(), ElementsAre("bot one (4242) was added"));
  seen_.wait_for(3);
  EXPECT_THAT(seen_.of("one chat:1"), ElementsAre("a", "c"));
  EXPECT_EQ(stop(), 0);
}

asio::awaitable<Outcome> block(std::promise<void>* began, std::shared_future<void> go_on, Context) {
  began->set_value();
  go_on.wait();
  co_return Outcome::done();
}

TEST_F(ReloadTest, P3_what_waits_in_memory_outlives_a_change) {
  std::promise<void> began;
  std::promise<void> release;
  const std::shared_future<void> go_on = release.get_future().share();
  BotOptions busy = one();
  busy.in_memory = true;
  busy.inbox.limit = 1;
  busy.handler = [&began, go_on](const Context& context) { return block(&began, go_on, context); };
  start({busy});
  for (int i = 0; i < 20; ++i) telegram_.send(1, std::to_string(i));
  began.get_future().wait();
  while (gateway_->stats().source.stored < 20) std::this_thread::yield();
  BotOptions changed = one();
  changed.in_memory = true;
  std::future<Result<std::vector<std::string>>> changes =
      std::async(std::launch::async, [&] { return change_to({changed}); });
  wait_for_event("poll_stopped");
  release.set_value();
  EXPECT_THAT(changes.get().value(), ElementsAre(HasSubstr("started again with other handler")));
  seen_.wait_for(19);
  EXPECT_EQ(seen_.of("one chat:1"), numbers(1, 20));
}

TEST_F(ReloadTest, a_bot_that_can_not_run_with_new_options_goes_on_with_its_old_ones_and_the_error_says_so) {
  start({one(), two()});
  BotOptions wrong = one();
  wrong.transformers.emplace_back();
  BotOptions good = two();
  good.inbox.limit = 3;
  const Result<std::vector<std::string>> changes = change_to({wrong, good});
  ASSERT_TRUE(changes.has_error());
  EXPECT_THAT(changes.error().text(),
              AllOf(HasSubstr("bot one goes on with its old settings"),
                    HasSubstr("bot two (4343) was started again with other inbox.limit")));
  telegram_.send(1, "a");
  telegram_.send(2, "b", test::kOtherToken);
  seen_.wait_for(2);
  EXPECT_THAT(change_to({one(), good}).value(), IsEmpty()) << "as if it had not been asked for";
}

TEST_F(ReloadTest, a_new_bot_whose_store_can_not_be_opened_changes_nothing_at_all) {
  start({one()});
  BotOptions changed = one();
  changed.inbox.limit = 3;
  BotOptions homeless = two();
  homeless.folder = folder_.file("admin.sock");
  EXPECT_THAT(change_to({changed, homeless}).error().text(), HasSubstr("bot two: the store's folder"));
  next_ = Error(Errc::bad_config, "line 3 is wrong");
  EXPECT_EQ(gateway_->reload().error().text(), "line 3 is wrong");
  EXPECT_THAT(change_to({changed}).value(), SizeIs(1)) << "it had not been changed before";
}

TEST_F(ReloadTest, P9_a_stop_in_the_middle_of_a_reload_cuts_it_short) {
  std::promise<void> began;
  std::promise<void> release;
  const std::shared_future<void> go_on = release.get_future().share();
  BotOptions busy = one();
  busy.handler = [&began, go_on](const Context& context) { return block(&began, go_on, context); };
  start({busy, two()});
  telegram_.send(1, "x");
  began.get_future().wait();
  std::future<Result<std::vector<std::string>>> changes =
      std::async(std::launch::async, [&] { return change_to({one()}); });
  wait_for_event("poll_stopped");
  EXPECT_THAT(gateway_->reload().error().text(), HasSubstr("a reload is running"));
  gateway_->stop(0s);
  EXPECT_THAT(changes.get().error().text(), HasSubstr("stop"));
  release.set_value();
  EXPECT_EQ(code_.get(), 3);
  EXPECT_EQ(gateway_->cut_off(), 1U);
}

TEST_F(ReloadTest, an_operator_sees_pauses_resumes_and_drains_a_running_bot) {
  start({one()});
  telegram_.send(1, "a");
  seen_.wait_for(1);
  const test::UnixAnswer status = ask("/api/status");
  EXPECT_EQ(status.status, 200);
  EXPECT_THAT(status.body, AllOf(HasSubstr(R"("live":true)"), HasSubstr(R"("name":"one")"),
                                 HasSubstr(R"("epoch":1)"), HasSubstr(R"("receiving":true)")));
  EXPECT_EQ(ask("/api/bots/one/pause", R"({"queue":"inbox"})").status, 200);
  telegram_.send(1, "b");
  telegram_.send(1, "c");
  while (gateway_->stats().counts.inbox.stored < 3) std::this_thread::yield();
  EXPECT_THAT(seen_.of("one chat:1"), ElementsAre("a"));
  // A change does not end the pause.
  BotOptions changed = one();
  changed.inbox.limit = 3;
  EXPECT_THAT(change_to({changed}).value(), SizeIs(1));
  EXPECT_THAT(seen_.of("one chat:1"), ElementsAre("a"));
  EXPECT_EQ(ask("/api/bots/one/resume", R"({"queue":"inbox"})").status, 200);
  seen_.wait_for(3);
  EXPECT_THAT(seen_.of("one chat:1"), ElementsAre("a", "b", "c"));

  EXPECT_EQ(ask("/api/drain", "{}").status, 200);
  EXPECT_THAT(ask("/api/status").body, HasSubstr(R"("receiving":false)"));
  telegram_.send(1, "d");
  EXPECT_EQ(ask("/api/receive", "{}").status, 200);
  seen_.wait_for(4);
  next_ = Reconfiguration(process_, {one()});
  EXPECT_THAT(ask("/api/reload", "{}").body,
              HasSubstr("bot one (4242) was started again with other inbox.limit"));
  EXPECT_EQ(ask("/api/stop", "{}").status, 200);
  EXPECT_EQ(code_.get(), 0);
  EXPECT_EQ(ask("/healthz").status, 0) << "the socket is gone with its process";
}

}  // namespace
}  // namespace tgkeep
