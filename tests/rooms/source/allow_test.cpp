// Which kinds Telegram is asked for can change while the source runs, and what waits there can be given up.

#include <gtest/gtest.h>

#include "rooms/source/polling.hpp"
#include "rooms/source/webhook_room.hpp"
#include "source/allowed_kinds.hpp"
#include "support/run.hpp"

namespace tgkeep::source {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using test::batch;
using test::Journal;
using test::Polling;
using test::WebhookRoom;
using Kinds = std::vector<std::string>;

TEST(AllowedKinds, are_sets) {
  EXPECT_TRUE(same_kinds({"a", "b"}, {"b", "a", "b"}));
  EXPECT_FALSE(same_kinds({"a", "b"}, {"a"}));
  EXPECT_TRUE(same_kinds({}, {}));
  EXPECT_FALSE(same_kinds({}, {"a"}));
}

TEST(LongPollAllow, P1_the_poll_under_way_is_given_up_and_asked_again_by_the_old_offset) {
  Polling polling;
  polling.api.updates(batch(5));
  polling.start(seconds(10));
  polling.source->allow({"message", "poll"});
  polling.pass(seconds(1));
  EXPECT_EQ(polling.polls(),
            (Journal{R"({"limit":100,"timeout":30})", R"({"offset":6,"limit":100,"timeout":30})",
                     R"({"offset":6,"limit":100,"timeout":30,"allowed_updates":["message","poll"]})"}));
  EXPECT_EQ(polling.stats().failures, 0);
  EXPECT_TRUE(polling.stats().healthy);
}

TEST(LongPollAllow, the_same_kinds_again_change_nothing) {
  Polling polling;
  polling.options.allowed_updates = {"message", "poll"};
  polling.start(seconds(1));
  polling.source->allow({"poll", "message", "poll"});
  polling.pass(seconds(1));
  EXPECT_EQ(polling.polls().size(), 1U);
  polling.source->allow({});
  polling.pass(seconds(1));
  EXPECT_EQ(polling.polls().back(), R"({"limit":100,"timeout":30,"allowed_updates":[]})");
  polling.source->allow({});
  polling.pass(seconds(1));
  EXPECT_EQ(polling.polls().size(), 2U);
}

TEST(LongPollAllow, P1_while_a_batch_is_stored_it_is_kept_and_confirmed_with_the_new_kinds) {
  Polling polling;
  polling.api.updates(batch(5, 6));
  polling.store.next_put(test::PutScript(seconds(3)));
  polling.start(seconds(1));
  polling.source->allow({"poll"});
  polling.pass(seconds(5));
  EXPECT_EQ(polling.polls().back(), R"({"offset":7,"limit":100,"timeout":30,"allowed_updates":["poll"]})");
  EXPECT_EQ(polling.polls().size(), 2U);
  EXPECT_EQ(polling.store.stored.size(), 2U);
}

TEST(LongPollAllow, kinds_that_change_again_and_again_are_asked_for_until_an_answer_came) {
  Polling polling;
  polling.api.updates(test::refused(500, "Internal Server Error"));
  polling.start();
  for (const char* kind : {"a", "b", "c"}) polling.source->allow({kind});
  polling.api.updates(std::string("[]"), seconds(30));
  polling.pass(minutes(2));
  EXPECT_EQ(polling.polls(),
            (Journal{R"({"limit":100,"timeout":30})", R"({"limit":100,"timeout":30,"allowed_updates":["c"]})",
                     R"({"limit":100,"timeout":30})"}))
      << "once the server has them, they are not sent again";
}

TEST(LongPollAllow, before_the_start_it_is_what_the_first_poll_asks_for_and_a_stop_comes_through) {
  Polling polling;
  polling.source = make_long_poll(polling.clock, polling.api, polling.store, polling.options, Log());
  polling.source->allow({"poll"});
  polling.start(seconds(1));
  EXPECT_EQ(polling.polls(), Journal{R"({"limit":100,"timeout":30,"allowed_updates":["poll"]})"});
  polling.source->allow({"message"});
  polling.stop();  // at the same moment
  ASSERT_TRUE(polling.ended);
  EXPECT_TRUE(polling.ended->has_value());
  polling.start(seconds(1));
  EXPECT_EQ(polling.polls().back(), R"({"limit":100,"timeout":30,"allowed_updates":["message"]})");
}

TEST(LongPollDrop, what_waits_at_telegram_is_given_up_and_polling_goes_on) {
  Polling polling;
  polling.start(seconds(1));
  const Result<void> dropped = test::run(polling.io, polling.source->drop_pending());
  EXPECT_TRUE(dropped);
  EXPECT_EQ(polling.journal.back(), R"(deleteWebhook {"drop_pending_updates":true})");
  EXPECT_TRUE(polling.running);
  polling.api.other(test::refused(401, "Unauthorized"));
  const Result<void> refused = test::run(polling.io, polling.source->drop_pending());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Errc::network);
  EXPECT_NE(refused.error().text().find("Unauthorized"), std::string::npos) << refused.error().text();
}

class OwnWebhook : public WebhookRoom {
 public:
  OwnWebhook() {
    options.registration.emplace("https://example.org/hook-8842");
    telegram.info["url"] = "";
  }
  ~OwnWebhook() { stop(); }
};

TEST(WebhookAllow, registers_again_when_the_kinds_differ) {
  OwnWebhook room;
  room.options.registration->allowed_updates = {"message"};
  room.start(seconds(1));
  room.webhook().allow({"message"});
  room.pass(seconds(1));
  EXPECT_EQ(room.telegram.count("setWebhook"), 1U);
  room.webhook().allow({"poll", "message"});
  room.pass(seconds(1));
  ASSERT_EQ(room.telegram.count("setWebhook"), 2U);
  EXPECT_NE(room.telegram.requests[room.telegram.requests.size() - 2].params.find(
                R"("allowed_updates":["poll","message"])"),
            std::string::npos);
  EXPECT_TRUE(room.stats().healthy) << room.stats().problem;
  room.pass(hours(1));
  EXPECT_EQ(room.telegram.count("setWebhook"), 2U);
}

TEST(WebhookAllow, P10_kinds_that_change_while_it_can_not_be_registered_are_told_in_the_end) {
  OwnWebhook room;
  room.telegram.fail("setWebhook", ApiError(ApiError::Kind::not_sent, "down"));
  room.start();
  room.webhook().allow({"poll"});
  room.webhook().allow({"message"});
  room.pass(minutes(10));
  const auto calls = room.telegram.calls("setWebhook");
  EXPECT_NE(calls.back().params.find(R"("allowed_updates":["message"])"), std::string::npos);
  EXPECT_TRUE(room.stats().healthy) << room.stats().problem;
}

TEST(WebhookAllow, somebody_elses_webhook_is_left_alone) {
  WebhookRoom room;
  room.start(seconds(1));
  room.webhook().allow({"poll"});
  room.pass(minutes(1));
  EXPECT_EQ(room.telegram.count("setWebhook"), 0U);
  const Result<void> dropped = test::run(room.io, room.webhook().drop_pending());
  ASSERT_FALSE(dropped);
  EXPECT_EQ(dropped.error().code(), Errc::misuse);
}

TEST(WebhookDrop, what_waits_at_telegram_is_given_up_by_registering_with_that_wish) {
  OwnWebhook room;
  room.start(seconds(1));
  EXPECT_TRUE(test::run(room.io, room.webhook().drop_pending()));
  const auto calls = room.telegram.calls("setWebhook");
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0].params.find("drop_pending"), std::string::npos);
  EXPECT_NE(calls[1].params.find(R"("drop_pending_updates":true)"), std::string::npos);
  room.telegram.fail("setWebhook", test::refused(401, "Unauthorized"));
  EXPECT_EQ(test::run(room.io, room.webhook().drop_pending()).error().code(), Errc::network);
}

}  // namespace
}  // namespace tgkeep::source
