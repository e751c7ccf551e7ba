// A bot that polls and settles, with the runner and its store behind: when it is answered.

#include <tgkeep/memory_store.hpp>
#include <tgkeep/runner.hpp>

#include "rooms/runner/runner_bench.hpp"
#include "rooms/sink/pull_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* kDone = R"({"update_id":1,"action":"done"})";

class SettleRunner : public PullBench {
 protected:
  void SetUp() override {
    settles = true;
    RunnerOptions pace;
    pace.timeout = 1000h;
    pace.seed = 1;
    runner = make_runner(io.get_executor(), clock, store, Queue::inbox, *sink, pace, Log());
    runner->start();
  }
  void TearDown() override {
    store.release();
    stop(*runner, io, clock, 0s);
    PullBench::TearDown();
  }
  /// Updates 1 … count, each of its own chat, all in the bot's hand.
  void hand_out(int count) {
    std::vector<Update> updates;
    for (int id = 1; id <= count; ++id)
      updates.push_back(make_update(id, {std::to_string(id)}, clock.wall()));
    ASSERT_TRUE(run(io, store.put(std::move(updates))));
    pass(0s);
    ASSERT_TRUE(poll(request(0, 0s, 1000)).result);
    ASSERT_EQ(sink->stats().unconfirmed, static_cast<std::size_t>(count));
  }
  std::int64_t done() { return run(io, store.counts())->inbox.done; }
  static int status(const Asking& asking) { return asking.result ? asking.result->status : 0; }

  std::unique_ptr<Store> memory = store::make_memory_store(io.get_executor(), clock);
  StoreDouble store{io.get_executor(), *memory};
  std::unique_ptr<Runner> runner;
};

TEST_F(SettleRunner, P4_P6_200_comes_only_after_the_store_has_settled) {
  hand_out(1);
  store.hold_settle();
  const Asking& first = begin_to_ask(kDone);
  const Asking& again = begin_to_ask(kDone);
  pass(4s);
  EXPECT_FALSE(first.ended() || again.ended());
  store.release();
  pass(0s);
  EXPECT_EQ(status(first), 200);
  EXPECT_EQ(status(again), 200);
  EXPECT_EQ(done(), 1);
}

TEST_F(SettleRunner, P4_P11_a_full_disk_is_503_and_once_there_is_space_the_same_settlement_is_200) {
  hand_out(1);
  store.fail_settle = Error(Errc::store_full, "no room");
  const Asking& first = begin_to_ask(kDone);
  pass(5s);
  EXPECT_EQ(status(first), 503);
  const Asking& second = begin_to_ask(kDone);
  pass(2s);
  EXPECT_FALSE(second.ended());
  store.fail_settle.reset();
  pass(1s);
  EXPECT_EQ(status(second), 200);
  EXPECT_EQ(done(), 1);
  EXPECT_EQ(ask(kDone).body, R"({"ok":true,"action":"done","repeated":true,"update_id":1})");
}

TEST_F(SettleRunner, P4_P9_a_stop_while_it_waits_writes_it_before_it_ends) {
  hand_out(1);
  store.hold_settle();
  const Asking& asking = begin_to_ask(kDone);
  bool stopped = false;
  asio::co_spawn(io, runner->stop(0s), [&stopped](const std::exception_ptr&, StopReport) { stopped = true; });
  pass(1s);
  EXPECT_FALSE(stopped || asking.ended());
  store.release();
  pass(1s);
  EXPECT_TRUE(stopped);
  EXPECT_EQ(status(asking), 200);
}

TEST_F(SettleRunner, P4_P9_a_stop_does_not_wait_for_space_and_the_next_start_answers_what_is_asked_then) {
  hand_out(1);
  store.fail_settle = Error(Errc::store_full, "no room");
  const Asking& asking = begin_to_ask(kDone);
  stop(*runner, io, clock, 0s);
  pass(5s);
  EXPECT_EQ(status(asking), 503);
  store.fail_settle.reset();
  const Asking& again = begin_to_ask(kDone);
  EXPECT_FALSE(again.ended());
  runner->start();
  pass(0s);
  EXPECT_EQ(status(again), 200);
  EXPECT_EQ(done(), 1);
}

TEST_F(SettleRunner, P4_a_store_that_breaks_is_503_at_once) {
  hand_out(1);
  store.fail_settle = Error(Errc::store_broken, "gone");
  EXPECT_EQ(ask(kDone).status, 503);
}

TEST_F(SettleRunner, P4_another_attempt_is_asked_for_durably_too) {
  hand_out(1);
  store.hold_settle();
  const Asking& asking = begin_to_ask(R"({"update_id":1,"action":"retry","after":60})");
  EXPECT_FALSE(asking.ended());
  store.release();
  pass(0s);
  EXPECT_EQ(status(asking), 200);
  pass(60s);
  EXPECT_EQ(text(poll(request(2))), "3:1") << "under another number (two says that one counts no more)";
}

TEST_F(SettleRunner, P6_settlements_that_come_while_others_are_written_share_the_next_commit) {
  hand_out(300);
  store.hold_settle();
  begin_to_ask(kDone);
  for (int number = 2; number <= 200; ++number) {
    begin_to_ask(R"({"update_id":)" + std::to_string(number) + R"(,"action":"done"})");
  }
  std::string many = "[";
  for (int number = 201; number <= 300; ++number) {
    many += R"({"update_id":)" + std::to_string(number) + R"(,"action":"done"},)";
  }
  many.back() = ']';
  const Asking& array = begin_to_ask(many);
  store.release();
  pass(0s);
  for (const Asking& asking : askings) EXPECT_EQ(status(asking), 200);
  EXPECT_TRUE(boost::json::parse(array.result->body).at("ok").as_bool());
  EXPECT_EQ(done(), 300);
  EXPECT_EQ(store.commits, 2U);
}

}  // namespace
}  // namespace tgkeep::test
