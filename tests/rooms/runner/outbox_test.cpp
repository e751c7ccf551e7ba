// P7, P12: calls of which nobody knows whether they were sent.

#include <gtest/gtest.h>

#include "rooms/runner/runner_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

/// An outbox with `calls` calls to chats of their own, and a runner on it.
class OutboxBench {
 public:
  explicit OutboxBench(int calls) {
    Outcome outcome = Outcome::done();
    for (int chat = 1; chat <= calls; ++chat) {
      outcome.calls.emplace_back("sendMessage", R"({"chat_id":)" + std::to_string(chat) + "}");
    }
    inbox.sink.script = [outcome](const Item&) { return Script(0s, outcome); };
    inbox.put(1, {"a"});
    inbox.start();
    outbox = make_runner(inbox.io.get_executor(), inbox.clock, inbox.store, Queue::outbox, sink,
                         inbox.options, Log());
    outbox->start();
    inbox.pass(0s);
  }
  ~OutboxBench() {
    asio::co_spawn(inbox.io, outbox->stop(0s), [](std::exception_ptr, StopReport) {});
    inbox.pass(5s);
  }
  OutboxBench(const OutboxBench&) = delete;
  OutboxBench& operator=(const OutboxBench&) = delete;

  RunnerBench inbox;
  ScriptedSink sink{inbox.clock};
  std::unique_ptr<Runner> outbox;
};

Outcome doubt(Outcome::Target target) {
  Outcome outcome = Outcome::doubt("connection reset");
  outcome.target = target;
  return outcome;
}

TEST(OutboxRunner, P7_P12_a_call_that_is_always_in_doubt_is_sent_twelve_times_at_most) {
  OutboxBench bench(0);
  bench.sink.script = [](const Item&) { return Script(0s, doubt(Outcome::Target::fine)); };
  Outcome outcome = Outcome::done();
  outcome.calls.emplace_back("sendMessage", R"({"chat_id":1})");
  bench.inbox.sink.script = [outcome](const Item&) { return Script(0s, outcome); };
  bench.inbox.put(2, {"b"});
  bench.inbox.pass(24h);
  EXPECT_EQ(bench.sink.deliveries.size(), 12U);
  EXPECT_EQ(bench.inbox.counts().outbox.dead.at("in_doubt"), 1);
}

TEST(OutboxRunner, P7_while_telegram_fails_as_a_whole_no_call_uses_up_its_attempts) {
  OutboxBench bench(12);
  bench.inbox.pass(1h);
  EXPECT_EQ(bench.inbox.counts().outbox.done, 12);

  OutboxBench failing(0);
  bool down = true;
  failing.sink.script = [&](const Item&) {
    return Script(0s, down ? doubt(Outcome::Target::failed) : Outcome::done());
  };
  Outcome outcome = Outcome::done();
  for (int chat = 1; chat <= 12; ++chat) {
    outcome.calls.emplace_back("sendMessage", R"({"chat_id":)" + std::to_string(chat) + "}");
  }
  failing.inbox.sink.script = [outcome](const Item&) { return Script(0s, outcome); };
  failing.inbox.put(2, {"b"});
  failing.inbox.pass(24h);
  EXPECT_TRUE(failing.inbox.counts().outbox.dead.empty());
  down = false;
  failing.inbox.pass(5min);
  EXPECT_EQ(failing.inbox.counts().outbox.done, 12);
}

}  // namespace
}  // namespace tgkeep::test
