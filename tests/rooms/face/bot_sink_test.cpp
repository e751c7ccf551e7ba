#include "face/bot_sink.hpp"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <list>

#include "fake_pull.hpp"
#include "loop/virtual_clock.hpp"

namespace tgkeep::test {
namespace {

/// A bot's HTTP server: each delivery waits until the test ends it.
class HeldTarget final : public Sink {
 public:
  explicit HeldTarget(std::vector<std::pair<Seq, loop::Event*>>& open) : open_(open) {}
  asio::awaitable<Outcome> deliver(std::shared_ptr<const Delivery> delivered) override {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    loop::Event ended(executor);
    open_.emplace_back(delivered->item.seq, &ended);
    co_await ended.wait();
    co_return outcome;
  }
  Outcome outcome = Outcome::done();

 private:
  std::vector<std::pair<Seq, loop::Event*>>& open_;
};

class Sent {
 public:
  asio::cancellation_signal cancel;
  std::optional<Outcome> outcome;
  bool failed = false;
};

class BotSinkTest : public testing::Test {
 protected:
  BotSinkTest() : pull(new FakePull(io.get_executor(), clock)), sink(clock, owned()) {}
  std::unique_ptr<sink::PullSink> owned() { return std::unique_ptr<sink::PullSink>(pull); }

  Sent& send(std::int64_t seq, WallTime received = WallTime{}) {
    Sent& one = sent.emplace_back();
    Item item = delivery(seq)->item;
    item.received = received;
    auto on_end = [&one](const std::exception_ptr& failure, Outcome outcome) {
      one.failed = failure != nullptr;
      if (!failure) one.outcome = std::move(outcome);
    };
    asio::co_spawn(io, sink.deliver(std::make_shared<const Delivery>(std::move(item), false)),
                   asio::bind_cancellation_slot(one.cancel.slot(), std::move(on_end)));
    pump();
    return one;
  }
  void set_webhook(std::size_t limit) {
    auto target = std::make_unique<HeldTarget>(open);
    held = target.get();
    sink.push_to(std::move(target), limit);
    pump();
  }
  void end(std::size_t which) {
    open[which].second->notify();
    pump();
  }
  void pump() {
    io.restart();
    io.poll();
  }
  static bool came_back(const Sent& one) {
    return one.outcome && one.outcome->kind == Outcome::Kind::postpone;
  }

  asio::io_context io{1};
  loop::VirtualClock clock;
  FakePull* pull;
  face::BotSink sink;
  std::vector<std::pair<Seq, loop::Event*>> open;
  HeldTarget* held = nullptr;
  std::list<Sent> sent;
};

TEST_F(BotSinkTest, deliveries_wait_to_be_fetched_until_a_webhook_is_set) {
  Sent& first = send(1);
  EXPECT_EQ(pull->deliveries, std::vector<Seq>{Seq(1)});
  set_webhook(2);
  EXPECT_TRUE(pull->closed_all);
  EXPECT_TRUE(came_back(first)) << "it comes again, to the webhook";
  Sent& second = send(1);
  ASSERT_EQ(open.size(), 1U);
  end(0);
  EXPECT_EQ(second.outcome->kind, Outcome::Kind::done);
  sink.let_pull();
  EXPECT_TRUE(pull->open_now);
  EXPECT_FALSE(sink.pushes());
}

TEST_F(BotSinkTest, no_more_are_open_than_max_connections_and_the_first_come_goes_first) {
  set_webhook(2);
  for (int seq = 1; seq <= 4; ++seq) send(seq);
  ASSERT_EQ(open.size(), 2U);
  end(1);
  ASSERT_EQ(open.size(), 3U);
  EXPECT_EQ(open[2].first, Seq(3));
  end(0);
  ASSERT_EQ(open.size(), 4U);
  EXPECT_EQ(open[3].first, Seq(4));
  end(2);
  end(3);
  for (const Sent& one : sent) EXPECT_EQ(one.outcome->kind, Outcome::Kind::done);
}

TEST_F(BotSinkTest, a_changed_webhook_gets_what_the_old_one_had_not_been_sent) {
  set_webhook(1);
  Sent& running = send(1);
  Sent& waits = send(2);
  set_webhook(1);
  EXPECT_TRUE(came_back(waits));
  send(2);
  ASSERT_EQ(open.size(), 2U) << "the new one has places of its own";
  EXPECT_FALSE(running.outcome);
  end(0);
  EXPECT_EQ(running.outcome->kind, Outcome::Kind::done) << "a request that is open ends by itself";
  end(1);
}

TEST_F(BotSinkTest, P9_a_delivery_cancelled_in_the_line_costs_no_attempt_and_no_place) {
  set_webhook(1);
  send(1);
  Sent& cancelled = send(2);
  Sent& third = send(3);
  cancelled.cancel.emit(asio::cancellation_type::terminal);
  pump();
  EXPECT_TRUE(came_back(cancelled));
  end(0);
  ASSERT_EQ(open.size(), 2U);
  EXPECT_EQ(open[1].first, Seq(3));
  end(1);
  EXPECT_TRUE(third.outcome);
}

TEST_F(BotSinkTest, one_that_is_called_and_cancelled_at_once_passes_its_place_on) {
  set_webhook(1);
  send(1);
  Sent& second = send(2);
  Sent& third = send(3);
  open[0].second->notify();
  second.cancel.emit(asio::cancellation_type::terminal);
  pump();
  while (!third.outcome) {
    ASSERT_FALSE(open.empty());
    for (auto& [seq, ended] : open) {
      if (seq == Seq(3)) ended->notify();
    }
    const std::size_t before = open.size();
    pump();
    if (!third.outcome && open.size() == before) break;
  }
  EXPECT_TRUE(third.outcome) << "the place is not lost";
}

TEST_F(BotSinkTest, what_failed_last_is_kept_until_the_webhook_changes) {
  set_webhook(1);
  send(1);
  held->outcome = Outcome::retry("the receiver at 127.0.0.1 answered 500");
  clock.advance(std::chrono::seconds(5));
  end(0);
  ASSERT_TRUE(sink.failure());
  EXPECT_EQ(sink.failure()->text, "the receiver at 127.0.0.1 answered 500");
  EXPECT_EQ(sink.failure()->at, clock.wall());
  set_webhook(1);
  EXPECT_FALSE(sink.failure());
}

TEST_F(BotSinkTest, what_is_dropped_ends_dead_wherever_it_waits) {
  const WallTime now = clock.wall();
  set_webhook(1);
  send(1, now);
  Sent& waits = send(2, now);
  sink.drop(face::DropMark(Seq(3), now));
  EXPECT_EQ(pull->dropped, std::vector<Seq>{Seq(3)});
  Sent& comes = send(3, now);
  EXPECT_EQ(comes.outcome->kind, Outcome::Kind::dead);
  EXPECT_EQ(comes.outcome->reason, "drop_pending");
  Sent& later = send(4, now);
  end(0);
  EXPECT_EQ(waits.outcome->reason, "drop_pending");
  EXPECT_EQ(open.back().first, Seq(4));
  end(open.size() - 1);
  EXPECT_EQ(later.outcome->kind, Outcome::Kind::done);
}

TEST_F(BotSinkTest, a_store_brought_back_from_a_backup_loses_nothing_to_an_old_drop) {
  sink.remember(face::DropMark(Seq(100), clock.wall()));
  clock.advance(std::chrono::seconds(1));
  set_webhook(1);
  send(50, clock.wall());
  EXPECT_EQ(open.size(), 1U) << "its number is below, but it came later";
  end(0);
}

TEST_F(BotSinkTest, P9_winding_down_hands_out_nothing_more) {
  sink.wind_down();
  EXPECT_FALSE(pull->open_now);
  EXPECT_FALSE(pull->closed_all);
  set_webhook(1);
  sink.let_pull();
  EXPECT_FALSE(pull->open_now);
}

}  // namespace
}  // namespace tgkeep::test
