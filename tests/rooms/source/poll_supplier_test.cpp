// Polling without a store: what is asked, confirmed and waited out.

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <tgkeep/poll_supplier.hpp>

#include "rooms/source/polling.hpp"
#include "support/run.hpp"

namespace tgkeep::source {
namespace {

using namespace std::chrono_literals;
using test::batch;
using test::Journal;

class Supplying {
 public:
  Supplying() : api(clock, journal), options(BotId(42)) {}

  /// Calls it once; what it gave is in `given` when it has returned.
  void call(std::size_t limit, Duration duration = 1s) {
    if (!supplier) supplier = make_poll_supplier(clock, api, options, Log());
    given.reset();
    failure = nullptr;
    auto on_end = [this](std::exception_ptr error, std::optional<std::vector<Update>> updates) {
      failure = error;
      given = std::move(updates);
    };
    asio::co_spawn(io, supplier(limit), asio::bind_cancellation_slot(cancel.slot(), on_end));
    loop::run_for(io, clock, duration);
  }
  std::vector<std::int64_t> ids() const {
    std::vector<std::int64_t> all;
    for (const Update& update : given.value()) all.push_back(update.id.value());
    return all;
  }

  boost::asio::io_context io;
  loop::VirtualClock clock;
  Journal journal;
  test::FakeApi api;
  LongPollOptions options;
  UpdateSupplier supplier;
  boost::asio::cancellation_signal cancel;
  std::optional<std::vector<Update>> given;
  std::exception_ptr failure;
};

TEST(PollSupplier, asks_for_as_many_as_wanted_and_confirms_with_the_next_call) {
  Supplying poll;
  poll.options.allowed_updates = std::vector<std::string>{"message"};
  poll.api.updates(batch(5, 6));
  poll.api.updates(batch(7));
  poll.call(500);
  EXPECT_EQ(poll.ids(), (std::vector<std::int64_t>{5, 6}));
  EXPECT_EQ(poll.given->at(0).kind, "message");
  EXPECT_EQ(poll.given->at(0).keys.at(0).text(), "chat:1");
  poll.call(1);
  EXPECT_EQ(poll.journal, (Journal{"getWebhookInfo {}",
                                   R"(getUpdates {"limit":100,"timeout":30,"allowed_updates":["message"]})",
                                   R"(getUpdates {"offset":7,"limit":1,"timeout":30})"}));
}

TEST(PollSupplier, takes_over_from_a_webhook_and_drops_what_is_pending_only_when_told_and_only_once) {
  Supplying poll;
  poll.options.take_over = true;
  poll.options.drop_pending = true;
  poll.api.updates(batch(5));
  poll.api.updates(batch(6));
  poll.call(1);
  poll.call(1);
  EXPECT_EQ(poll.journal.at(0), R"(deleteWebhook {"drop_pending_updates":true})");
  EXPECT_EQ(std::ranges::count(poll.journal, poll.journal.at(0)), 1);
}

TEST(PollSupplier, P10_outages_are_waited_out_for_at_most_30_s_and_then_polling_goes_on) {
  Supplying poll;
  for (int i = 0; i < 20; ++i) poll.api.updates(ApiError(ApiError::Kind::not_sent, "no route"));
  poll.api.updates(batch(5));
  std::vector<Duration> waits;
  for (int i = 0; i < 20; ++i) {
    const MonoTime before = poll.clock.mono();
    poll.call(100, 0s);
    while (!poll.given) loop::run_for(poll.io, poll.clock, 100ms);
    EXPECT_TRUE(poll.given->empty());
    waits.push_back(poll.clock.mono() - before);
  }
  EXPECT_LE(waits.front(), Duration(1100ms));
  EXPECT_GE(waits.back(), Duration(22s)) << "the jitter takes up to a quarter";
  EXPECT_LE(*std::ranges::max_element(waits), Duration(30100ms));
  poll.call(100);
  EXPECT_EQ(poll.ids(), (std::vector<std::int64_t>{5}));
}

TEST(PollSupplier, P9_a_cancelled_call_ends_at_once_and_has_taken_nothing) {
  Supplying poll;
  poll.call(100);
  EXPECT_FALSE(poll.given);
  poll.cancel.emit(boost::asio::cancellation_type::terminal);
  loop::run_for(poll.io, poll.clock, 0s);
  EXPECT_TRUE(poll.failure);
  poll.api.updates(batch(5));
  poll.call(100);
  EXPECT_EQ(poll.ids(), (std::vector<std::int64_t>{5}));
  EXPECT_EQ(poll.journal.back(), R"(getUpdates {"limit":100,"timeout":30})") << "nothing was confirmed";
}

TEST(PollSupplier, P9_stop_during_a_backoff_returns_at_once) {
  Supplying poll;
  ApiError flood = test::refused(429, "Too Many Requests");
  flood.retry_after = std::chrono::hours(7);
  poll.api.updates(flood);
  poll.call(100);
  const MonoTime before = poll.clock.mono();
  poll.cancel.emit(boost::asio::cancellation_type::terminal);
  loop::run_for(poll.io, poll.clock, 0s);
  EXPECT_TRUE(poll.failure);
  EXPECT_EQ(poll.clock.mono(), before);
}

TEST(PollSupplier, pieces_that_cannot_be_read_are_left_out_and_passed_by) {
  Supplying poll;
  poll.api.updates(
      std::string(R"([{"update_id":5,"message":{"chat":{"id":1}}},{"update_id":6,"message":}])"));
  poll.api.updates(batch(7));
  poll.call(100);
  EXPECT_EQ(poll.ids(), (std::vector<std::int64_t>{5}));
  poll.call(100);
  EXPECT_EQ(poll.journal.back(), R"(getUpdates {"offset":7,"limit":100,"timeout":30})");
}

TEST(PollSupplier, an_answer_that_comes_again_is_not_handed_out_again) {
  Supplying poll;
  poll.api.updates(batch(5));
  poll.api.updates(batch(5));
  poll.call(100);
  EXPECT_EQ(poll.ids().size(), 1U);
  poll.call(100, 5s);
  EXPECT_TRUE(poll.given && poll.given->empty());
}

TEST(PollSupplier, keys_are_those_of_the_bot_s_own_rule) {
  Supplying poll;
  poll.options.sequentialize = [](const Update& update) {
    return std::vector<std::string>{update.keys.at(0).text(), "user:7"};
  };
  poll.api.updates(batch(5));
  poll.call(100);
  ASSERT_EQ(poll.given->at(0).keys.size(), 2U);
  EXPECT_EQ(poll.given->at(0).keys[1].text(), "user:7");
}

}  // namespace
}  // namespace tgkeep::source
