#include "sink/push_gate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <deque>
#include <vector>

#include "support/random.hpp"

namespace tgkeep::sink {
namespace {

class Visitor {
 public:
  asio::cancellation_signal cancel;
  bool ended = false;
  bool entered = false;
};

class PushGateTest : public testing::Test {
 protected:
  Visitor& visit(PushGate& gate) {
    Visitor& visitor = visitors.emplace_back();
    const auto number = static_cast<int>(visitors.size());
    auto on_end = [this, &visitor, number](const std::exception_ptr&, bool entered) {
      visitor.ended = true;
      visitor.entered = entered;
      if (entered) order.push_back(number);
    };
    asio::co_spawn(io, gate.enter(), asio::bind_cancellation_slot(visitor.cancel.slot(), std::move(on_end)));
    return visitor;
  }
  void settle_down() {
    io.restart();
    io.poll();
  }
  asio::io_context io{1};
  std::deque<Visitor> visitors;
  std::vector<int> order;
};

TEST_F(PushGateTest, P6_places_are_given_in_the_order_of_coming) {
  PushGate gate(2);
  for (int i = 0; i < 6; ++i) visit(gate);
  settle_down();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  EXPECT_EQ(gate.waiting(), 4U);
  gate.leave();
  gate.leave();
  gate.leave();  // more than had come in would be a fault of the caller's; these had
  settle_down();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_EQ(gate.open(), 2U);
}

TEST_F(PushGateTest, a_newcomer_does_not_pass_one_that_is_called_but_not_yet_awake) {
  PushGate gate(1);
  visit(gate);
  visit(gate);
  settle_down();
  gate.leave();
  visit(gate);
  settle_down();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST_F(PushGateTest, P9_a_cancelled_one_leaves_the_line_and_takes_no_place) {
  PushGate gate(1);
  visit(gate);
  Visitor& second = visit(gate);
  visit(gate);
  settle_down();
  second.cancel.emit(asio::cancellation_type::terminal);
  settle_down();
  EXPECT_TRUE(second.ended);
  EXPECT_FALSE(second.entered);
  gate.leave();
  settle_down();
  EXPECT_EQ(order, (std::vector<int>{1, 3}));
}

TEST_F(PushGateTest, one_that_is_called_and_cancelled_at_once_passes_its_place_on) {
  PushGate gate(1);
  visit(gate);
  Visitor& second = visit(gate);
  visit(gate);
  settle_down();
  gate.leave();
  second.cancel.emit(asio::cancellation_type::terminal);
  settle_down();
  EXPECT_EQ(gate.open(), 1U);
  EXPECT_EQ(visitors[1].entered + visitors[2].entered, 1) << "one place, one of the two";
  EXPECT_TRUE(visitors[1].ended);
}

TEST_F(PushGateTest, a_limit_of_nothing_would_be_a_standstill_and_lets_one_in) {
  PushGate gate(0);
  visit(gate);
  settle_down();
  EXPECT_EQ(order.size(), 1U);
}

TEST_F(PushGateTest, P6_random_visits_never_exceed_the_limit_nor_leave_a_place_empty) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  PushGate gate(4);
  std::size_t inside = 0;
  std::size_t seen = 0;
  for (int step = 0; step < 3000; ++step) {
    if (random.chance(0.5)) {
      visit(gate);
    } else if (inside > 0 && random.chance(0.6)) {
      gate.leave();
      --inside;
    } else if (!visitors.empty()) {
      auto& visitor = visitors[static_cast<std::size_t>(
          random.between(0, static_cast<std::int64_t>(visitors.size()) - 1))];
      if (!visitor.ended) visitor.cancel.emit(asio::cancellation_type::terminal);
    }
    settle_down();
    inside += order.size() - seen;
    seen = order.size();
    ASSERT_EQ(gate.open(), inside);
    ASSERT_LE(inside, 4U);
    ASSERT_TRUE(gate.waiting() == 0 || inside == 4) << "somebody waits beside an empty place";
  }
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

}  // namespace
}  // namespace tgkeep::sink
