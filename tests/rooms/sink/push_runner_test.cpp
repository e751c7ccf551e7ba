// Store, runner and push together, in real time.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tgkeep/memory_store.hpp>
#include <tgkeep/runner.hpp>

#include "http/server.hpp"
#include "loop/event.hpp"
#include "loop/real_clock.hpp"
#include "sink/push_sink.hpp"
#include "support/random.hpp"
#include "support/run.hpp"
#include "telegram/update_reader.hpp"

namespace tgkeep::sink {
namespace {

using namespace std::chrono_literals;

constexpr int kUpdates = 400;
constexpr int kChats = 20;

/// Fails, refuses, hangs up, accepts and answers, as the dice say; notes in which order chats were done.
class Receiver {
 public:
  explicit Receiver(test::Random& random) : random_(random) {}
  std::map<std::string, std::vector<int>> done;
  int requests = 0;
  PushSink* sink = nullptr;

  asio::awaitable<http::ServerReply> serve(http::ServerRequest request) {
    ++requests;
    const int id = std::stoi(*http::find_header(request.headers, "Tgkeep-Update-Id"));
    const std::string key = *http::find_header(request.headers, "Tgkeep-Ordering-Key");
    http::ServerReply reply(500);
    const auto dice = random_.between(0, 9);
    if (dice == 0) co_return reply;
    if (dice == 1) reply.hang_up = true;
    if (dice <= 2) reply.status = 429;
    if (dice <= 2) co_return reply;
    done[key].push_back(id);
    if (dice <= 5) {
      http::ServerRequest settlement;
      settlement.method = "POST";
      settlement.target = *http::find_header(request.headers, "Tgkeep-Settle-Url");
      settlement.body = R"({"action":"done","calls":[{"method":"sendDice"}]})";
      const http::ServerReply taken = co_await sink->settle(std::move(settlement));
      EXPECT_EQ(taken.status, 202) << "written only after our answer";
      reply.status = 202;
    } else {
      reply = http::ServerReply(200, R"({"method":"sendDice"})");
    }
    co_return reply;
  }

 private:
  test::Random& random_;
};

asio::awaitable<void> put(Store& store, Clock& clock, int count, int chats) {
  std::vector<Update> updates;
  for (int id = 1; id <= count; ++id) {
    const std::string raw = R"({"update_id":)" + std::to_string(id) + R"(,"message":{"chat":{"id":)" +
                            std::to_string(id % chats + 1) + "}}}";
    updates.push_back(telegram::read_update(BotId(42), clock.wall(), raw).value());
  }
  const auto stored = co_await store.put(std::move(updates));
  EXPECT_TRUE(stored);
}

asio::awaitable<StoreCounts> run_until_done(Store& store, Runner& runner, Clock& clock) {
  co_await put(store, clock, kUpdates, kChats);
  runner.start();
  for (;;) {
    const auto counts = co_await store.counts();
    if (counts->inbox.done == kUpdates || !counts->inbox.dead.empty()) break;
    co_await loop::sleep_for(clock, 5ms);
  }
  co_await runner.stop(1s);
  const auto counts = co_await store.counts();
  co_return counts.value();
}

TEST(PushRunner, P3_P4_P5_P8_P12_every_update_is_done_once_in_order_with_its_call_through_failing_answers) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  asio::io_context io{1};
  loop::RealClock clock(io.get_executor());
  http::Client client(io.get_executor());
  Receiver receiver(random);
  const http::ServerHandler handler = [&](http::ServerRequest request) {
    return receiver.serve(std::move(request));
  };
  const auto server = http::listen(io.get_executor(), http::ServerOptions(), handler, Log()).value();
  PushOptions options("http://127.0.0.1:" + std::to_string(server->port()) + "/");
  options.accept_202 = true;
  options.settle_url = "/settle/";
  const auto sink = make_push_sink(clock, client, options, Log());
  receiver.sink = sink.get();
  const auto store = store::make_memory_store(io.get_executor(), clock);
  RunnerOptions pace;
  pace.first_delay = 1ms;
  pace.max_delay = 2ms;
  pace.max_attempts = 100;
  const auto runner = make_runner(io.get_executor(), clock, *store, Queue::inbox, *sink, pace, Log());
  const StoreCounts counts = test::run(io, run_until_done(*store, *runner, clock));
  test::run(io, server->stop(0s));

  EXPECT_EQ(counts.inbox.done, kUpdates);
  EXPECT_EQ(counts.outbox.stored, kUpdates) << "one call each, whatever was repeated";
  EXPECT_GT(receiver.requests, kUpdates);
  ASSERT_EQ(receiver.done.size(), static_cast<std::size_t>(kChats));
  for (const auto& [key, ids] : receiver.done) {
    EXPECT_EQ(ids.size(), static_cast<std::size_t>(kUpdates / kChats)) << key;
    EXPECT_TRUE(std::ranges::is_sorted(ids)) << key;
  }
}

/// Accepts the first ten and leaves the others without an answer.
class SilentReceiver {
 public:
  explicit SilentReceiver(const asio::any_io_executor& loop) : never_(loop), full_(loop) {}
  asio::awaitable<http::ServerReply> serve(http::ServerRequest) {
    if (++requests_ == 20) full_.notify();
    if (requests_ > 10) co_await never_.wait();
    co_return http::ServerReply(202);
  }
  asio::awaitable<void> full() { co_await full_.wait(); }

 private:
  int requests_ = 0;
  loop::Event never_;
  loop::Event full_;
};

asio::awaitable<StoreCounts> stop_in_the_middle(Store& store, Runner& runner, Clock& clock,
                                                SilentReceiver& receiver) {
  co_await put(store, clock, 40, 40);
  runner.start();
  co_await receiver.full();
  const StopReport report = co_await runner.stop(Duration::zero());
  EXPECT_EQ(report.cut_off, 40U);
  const auto counts = co_await store.counts();
  co_return counts.value();
}

TEST(PushRunner, P9_a_stop_hands_back_uncounted_what_is_accepted_open_or_waiting) {
  asio::io_context io{1};
  loop::RealClock clock(io.get_executor());
  http::Client client(io.get_executor());
  SilentReceiver receiver(io.get_executor());
  const http::ServerHandler handler = [&](http::ServerRequest request) {
    return receiver.serve(std::move(request));
  };
  const auto server = http::listen(io.get_executor(), http::ServerOptions(), handler, Log()).value();
  PushOptions options("http://127.0.0.1:" + std::to_string(server->port()) + "/");
  options.accept_202 = true;
  options.concurrency = 10;
  const auto sink = make_push_sink(clock, client, options, Log());
  const auto store = store::make_memory_store(io.get_executor(), clock);
  const auto runner =
      make_runner(io.get_executor(), clock, *store, Queue::inbox, *sink, RunnerOptions(), Log());
  const StoreCounts counts = test::run(io, stop_in_the_middle(*store, *runner, clock, receiver));
  test::run(io, server->stop(0s));
  EXPECT_EQ(counts.inbox.pending, 40);
  EXPECT_EQ(counts.inbox.in_flight + counts.inbox.retrying + counts.inbox.done, 0);
}

}  // namespace
}  // namespace tgkeep::sink
