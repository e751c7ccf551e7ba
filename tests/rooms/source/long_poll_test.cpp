// What is asked, stored and confirmed, in which order (P1, P2).

#include <gtest/gtest.h>

#include <tgkeep/long_poll.hpp>

#include "rooms/source/polling.hpp"

namespace tgkeep::source {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using test::batch;
using test::Journal;
using test::Polling;
using test::PutScript;

const std::string kInfo = "getWebhookInfo {}";

TEST(LongPoll, P1_the_offset_moves_only_after_the_put_is_durable) {
  Polling polling;
  polling.api.updates(batch(5, 6));
  polling.store.next_put(PutScript(seconds(3)));
  polling.start(seconds(2));
  EXPECT_EQ(polling.journal, (Journal{kInfo, R"(getUpdates {"limit":100,"timeout":30})", "put 5 6"}));
  polling.pass(seconds(2));
  EXPECT_EQ(polling.journal, (Journal{kInfo, R"(getUpdates {"limit":100,"timeout":30})", "put 5 6", "durable",
                                      R"(getUpdates {"offset":7,"limit":100,"timeout":30})"}));
  EXPECT_EQ(polling.store.stored.at(5).raw, test::update(5));
}

TEST(LongPoll, P1_while_the_store_is_full_the_same_batch_is_tried_again_and_nothing_is_confirmed) {
  Polling polling;
  polling.api.updates(batch(5, 6));
  for (int i = 0; i < 3; ++i)
    polling.store.next_put(PutScript(seconds(0), Error(Errc::store_full, "disk full")));
  polling.start(milliseconds(500));
  EXPECT_EQ(polling.journal,
            (Journal{kInfo, R"(getUpdates {"limit":100,"timeout":30})", "put 5 6", "store_full"}));
  EXPECT_FALSE(polling.stats().healthy);
  EXPECT_EQ(polling.stats().problem, "polling pauses, the store takes nothing: disk full");
  const WallTime received = polling.clock.wall();
  polling.pass(seconds(30));
  EXPECT_EQ(polling.journal,
            (Journal{kInfo, R"(getUpdates {"limit":100,"timeout":30})", "put 5 6", "store_full", "put 5 6",
                     "store_full", "put 5 6", "store_full", "put 5 6", "durable",
                     R"(getUpdates {"offset":7,"limit":100,"timeout":30})"}));
  EXPECT_TRUE(polling.stats().healthy);
  EXPECT_LT(polling.store.stored.at(5).received, received);
}

TEST(LongPoll, is_fine_while_its_first_poll_is_under_way_but_not_after_one_that_failed) {
  Polling polling;
  polling.start(seconds(5));
  EXPECT_FALSE(polling.stats().healthy);
  EXPECT_TRUE(polling.stats().fine());
  EXPECT_EQ(polling.stats().problem, "");
  EXPECT_EQ(polling.clock.mono() - polling.stats().first_since.value(), seconds(5));
  Polling failing;
  failing.api.updates(test::refused(502, "Bad Gateway"));
  failing.start(milliseconds(500));
  EXPECT_FALSE(failing.stats().fine());
  EXPECT_FALSE(failing.stats().first_since);
}

TEST(LongPoll, P1_a_broken_store_ends_polling_with_its_error_and_confirms_nothing) {
  Polling polling;
  polling.api.updates(batch(5, 6));
  polling.store.next_put(PutScript(seconds(0), Error(Errc::store_broken, "fsync failed")));
  polling.start(hours(1));
  ASSERT_TRUE(polling.ended);
  EXPECT_EQ(polling.ended->error().code(), Errc::store_broken);
  EXPECT_EQ(polling.polls(), Journal{R"({"limit":100,"timeout":30})"});
  EXPECT_FALSE(polling.stats().healthy);
  EXPECT_EQ(polling.stats().problem, "fsync failed");
}

TEST(LongPoll, P1_a_stop_during_the_put_confirms_nothing_and_the_next_run_starts_without_an_offset) {
  Polling polling;
  polling.api.updates(batch(5));
  polling.store.next_put(PutScript(seconds(3)));
  polling.start(seconds(1));
  polling.stop();
  ASSERT_TRUE(polling.ended);
  EXPECT_TRUE(polling.ended->has_value());
  polling.api.updates(batch(5));
  polling.start(seconds(1));
  EXPECT_EQ(polling.polls(), (Journal{R"({"limit":100,"timeout":30})", R"({"limit":100,"timeout":30})",
                                      R"({"offset":6,"limit":100,"timeout":30})"}));
}

TEST(LongPoll, P1_the_next_offset_is_the_last_id_plus_one_also_when_lower_than_before) {
  Polling polling;
  polling.api.updates(batch(900, 901));
  polling.api.updates(batch(20, 21));
  polling.api.updates(batch(22));
  polling.start(seconds(1));
  EXPECT_EQ(
      polling.polls(),
      (Journal{R"({"limit":100,"timeout":30})", R"({"offset":902,"limit":100,"timeout":30})",
               R"({"offset":22,"limit":100,"timeout":30})", R"({"offset":23,"limit":100,"timeout":30})"}));
}

TEST(LongPoll, P1_the_last_of_the_answer_counts_not_the_highest) {
  Polling polling;
  polling.api.updates(batch(5, 900, 7));
  polling.start(seconds(1));
  EXPECT_EQ(polling.polls().back(), R"({"offset":8,"limit":100,"timeout":30})");
}

TEST(LongPoll, P1_empty_answers_leave_the_offset_as_it_is) {
  Polling polling;
  polling.api.updates(batch(5));
  polling.api.updates(std::string("[]"), seconds(30));
  polling.api.updates(std::string("[]"), hours(200));
  polling.start(hours(201));
  EXPECT_EQ(
      polling.polls(),
      (Journal{R"({"limit":100,"timeout":30})", R"({"offset":6,"limit":100,"timeout":30})",
               R"({"offset":6,"limit":100,"timeout":30})", R"({"offset":6,"limit":100,"timeout":30})"}));
}

TEST(LongPoll, P2_duplicates_are_counted_and_confirmed) {
  Polling polling;
  polling.api.updates(batch(5, 6));
  polling.api.updates(batch(6, 7));
  polling.start(seconds(1));
  EXPECT_EQ(polling.stats().received, 4);
  EXPECT_EQ(polling.stats().stored, 3);
  EXPECT_EQ(polling.stats().duplicates, 1);
  EXPECT_EQ(polling.polls().back(), R"({"offset":8,"limit":100,"timeout":30})");
}

TEST(LongPoll, exchanges_run_from_request_to_answer_and_puts_until_durable) {
  Polling polling;
  polling.api.updates(std::string("[]"), seconds(30));
  polling.api.updates(batch(5), seconds(2));
  polling.store.next_put(PutScript(seconds(3), Error(Errc::store_full, "disk full")));
  polling.store.next_put(PutScript(seconds(4)));
  polling.start(seconds(60));
  EXPECT_EQ(polling.stats().exchanges.count(), 2U);
  EXPECT_DOUBLE_EQ(polling.stats().exchanges.sum(), 32);
  EXPECT_EQ(polling.stats().puts.count(), 1U);
  EXPECT_DOUBLE_EQ(polling.stats().puts.sum(), 4);
}

TEST(LongPoll, P8_a_piece_that_cannot_be_read_is_stored_and_does_not_stop_the_others) {
  Polling polling;
  polling.api.updates("[" + test::update(5) + "," + test::update(6, "\xff") + ",junk," + test::update(8) +
                      "]");
  polling.start(seconds(1));
  EXPECT_EQ(polling.journal[2], "put 5 6 ? 8");
  EXPECT_EQ(polling.stats().unreadable, 2);
  EXPECT_FALSE(polling.store.stored.at(6).unreadable.empty());
  EXPECT_EQ(polling.polls().back(), R"({"offset":9,"limit":100,"timeout":30})");
}

TEST(LongPoll, P8_an_unreadable_piece_with_an_id_moves_the_offset_alone) {
  Polling polling;
  polling.api.updates("[" + test::update(6, "\xff") + "]");
  polling.start(seconds(1));
  EXPECT_EQ(polling.polls().back(), R"({"offset":7,"limit":100,"timeout":30})");
}

TEST(LongPoll, P11_a_batch_without_any_id_does_not_spin) {
  Polling polling;
  for (int i = 0; i < 1000; ++i) polling.api.updates(std::string("[junk]"));
  polling.start(seconds(60));
  EXPECT_LT(polling.polls().size(), 10U);
  EXPECT_GT(polling.polls().size(), 4U);
  EXPECT_FALSE(polling.stats().healthy);
  EXPECT_EQ(polling.store.stored.size(), 1U);
  EXPECT_EQ(polling.lines,
            (Journal{"info poll_started unchanged unknown", "warning poll_trouble no_progress"}));
}

TEST(LongPoll, P11_a_server_that_ignores_the_offset_does_not_make_it_spin) {
  Polling polling;
  for (int i = 0; i < 1000; ++i) polling.api.updates(batch(5));
  polling.start(seconds(60));
  EXPECT_LT(polling.polls().size(), 10U);
  EXPECT_EQ(polling.stats().problem.substr(0, 27), "Telegram sent updates again");
}

TEST(LongPoll, P11_empty_answers_that_come_at_once_are_asked_for_once_a_second) {
  Polling polling;
  for (int i = 0; i < 1000; ++i) polling.api.updates(std::string(i % 2 == 0 ? "[]" : " [ ]"));
  polling.start(seconds(10));
  EXPECT_EQ(polling.polls().size(), 11U);
  EXPECT_TRUE(polling.stats().healthy);
  EXPECT_EQ(polling.stats().last_success, polling.clock.mono());
}

TEST(LongPoll, allowed_updates_go_with_every_poll_until_one_is_answered) {
  Polling polling;
  polling.options.allowed_updates = std::vector<std::string>{"message", "chat_member"};
  polling.options.limit = 1000;
  polling.options.timeout = seconds(600);
  polling.api.updates(ApiError(ApiError::Kind::not_sent, "connection refused"));
  polling.api.updates(std::string("[]"), seconds(50));
  polling.start(seconds(60));
  const std::string asking = R"({"limit":100,"timeout":50,"allowed_updates":["message","chat_member"]})";
  EXPECT_EQ(polling.polls(), (Journal{asking, asking, R"({"limit":100,"timeout":50})"}));
  EXPECT_TRUE(polling.api.requests.back().repeatable);
  EXPECT_EQ(polling.api.requests.back().timeout, seconds(60));
}

TEST(LongPoll, an_empty_list_of_kinds_asks_for_the_default_ones) {
  Polling polling;
  polling.options.allowed_updates.emplace();
  polling.options.limit = 0;
  polling.options.timeout = seconds(0);
  polling.start(seconds(1));
  EXPECT_EQ(polling.polls(), Journal{R"({"limit":1,"timeout":1,"allowed_updates":[]})"});
}

TEST(LongPoll, pending_updates_are_dropped_once_and_only_when_asked) {
  Polling polling;
  polling.options.drop_pending = true;
  polling.api.other(ApiError(ApiError::Kind::not_sent, "connection refused"));
  polling.start(seconds(5));
  const Journal dropping{R"(deleteWebhook {"drop_pending_updates":true})",
                         R"(deleteWebhook {"drop_pending_updates":true})", kInfo,
                         R"(getUpdates {"limit":100,"timeout":30})"};
  EXPECT_EQ(polling.journal, dropping);
  EXPECT_FALSE(polling.api.requests.front().repeatable);
  polling.stop();
  polling.journal.clear();
  polling.start(seconds(5));
  EXPECT_EQ(polling.journal, (Journal{kInfo, R"(getUpdates {"limit":100,"timeout":30})"}));
}

TEST(LongPoll, the_server_s_settings_are_shown_at_the_start) {
  Polling polling;
  polling.options.allowed_updates = std::vector<std::string>{"message"};
  polling.api.other(
      std::string(R"({"url":"https://u:p@bot.example:8443/hook/SECRET?x=1","has_custom_certificate":false,
      "pending_update_count":12,"allowed_updates":["message","poll"]})"));
  polling.start(seconds(1));
  EXPECT_EQ(
      polling.lines,
      (Journal{"info poll_started message message,poll 12",
               "warning webhook_is_set bot.example:8443 delete it with deleteWebhook, set take_over, or run "
               "tgkeep in webhook mode"}));
}

TEST(LongPoll, P9_a_stop_ends_a_waiting_poll_at_once) {
  Polling polling;
  polling.start(seconds(5));
  EXPECT_FALSE(polling.ended);
  polling.stop();
  ASSERT_TRUE(polling.ended);
  EXPECT_TRUE(polling.ended->has_value());
  EXPECT_EQ(polling.stats().failures, 0);
  EXPECT_EQ(polling.polls().size(), 1U);
  EXPECT_EQ(polling.clock.alarms(), 0U);
}

TEST(LongPoll, P1_taking_over_from_a_webhook_deletes_it_and_drops_nothing) {
  Polling polling;
  polling.options.take_over = true;
  ApiError down(ApiError::Kind::not_sent, "down");
  polling.api.other(down);
  polling.start(seconds(2));
  EXPECT_EQ(polling.journal, (Journal{"deleteWebhook {}", "deleteWebhook {}", kInfo,
                                      R"(getUpdates {"limit":100,"timeout":30})"}));
  polling.stop();
  polling.journal.clear();
  polling.start(seconds(2));
  EXPECT_EQ(polling.journal.front(), "deleteWebhook {}") << "a webhook may have come back";
}

}  // namespace
}  // namespace tgkeep::source
