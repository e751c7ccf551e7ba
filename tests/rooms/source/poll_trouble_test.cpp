// Outages: what is said, how long is waited, and that it ends by itself (P10).

#include "source/poll_trouble.hpp"

#include <gtest/gtest.h>

#include "rooms/source/polling.hpp"

namespace tgkeep::source {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using test::batch;
using test::Journal;
using test::Polling;
using test::refused;

ApiError unreachable() {
  return ApiError(ApiError::Kind::not_sent, "connection refused");
}

TEST(PollTrouble, P10_network_failures_back_off_from_1_s_to_30_s_and_a_success_starts_anew) {
  Polling polling;
  for (int i = 0; i < 8; ++i) polling.api.updates(unreachable());
  polling.api.updates(batch(5));
  polling.api.updates(ApiError(ApiError::Kind::maybe_sent, "reset"));
  polling.start(minutes(10));
  std::vector<double> waits;
  const auto& times = polling.api.times;
  for (std::size_t i = 2; i < times.size(); ++i) {
    waits.push_back(std::chrono::duration<double>(times[i] - times[i - 1]).count());
  }
  const std::vector<double> most{1, 2, 4, 8, 16, 30, 30, 30, 0, 1};
  ASSERT_EQ(waits.size(), most.size());
  for (std::size_t i = 0; i < most.size(); ++i) {
    EXPECT_LE(waits[i], most[i]) << i;
    EXPECT_GE(waits[i], most[i] * 0.75) << i;
  }
  EXPECT_EQ(polling.stats().failures, 9);
}

TEST(PollTrouble, P10_one_line_is_logged_per_change_of_state) {
  Polling polling;
  for (int i = 0; i < 5; ++i) polling.api.updates(unreachable());
  ApiError server(ApiError::Kind::maybe_sent, "Bad Gateway");
  server.code = 502;
  for (int i = 0; i < 3; ++i) polling.api.updates(server);
  polling.api.updates(std::string("[]"), seconds(30));
  polling.api.updates(std::string("[]"), seconds(30));
  polling.start(hours(1));
  EXPECT_EQ(polling.lines, (Journal{"info poll_started unchanged unknown", "warning poll_trouble unreachable",
                                    "warning poll_trouble server", "info poll_recovered server 8"}));
  EXPECT_TRUE(polling.stats().healthy);
  EXPECT_EQ(polling.stats().problem, "");
}

TEST(PollTrouble, P10_a_retry_after_is_obeyed_in_full) {
  Polling polling;
  ApiError flood = refused(429, "Too Many Requests: retry after 10072");
  flood.retry_after = seconds(10072);
  polling.api.updates(flood);
  ApiError down(ApiError::Kind::maybe_sent, "Service Unavailable");
  down.code = 503;
  down.retry_after = seconds(60);
  polling.api.updates(down);
  flood.retry_after = seconds(0);
  polling.api.updates(flood);
  polling.start(hours(4));
  const auto& times = polling.api.times;
  ASSERT_EQ(times.size(), 5U);
  EXPECT_EQ(times[2] - times[1], seconds(10072));
  EXPECT_EQ(times[3] - times[2], seconds(60));
  EXPECT_EQ(times[4] - times[3], seconds(1));
}

TEST(PollTrouble, P10_a_refused_token_suspends_polling_and_is_tried_again_slowly) {
  for (const int code : {401, 404}) {
    Polling polling;
    polling.options.suspended_retry = minutes(5);
    polling.api.updates(refused(code, "Unauthorized"));
    polling.api.updates(refused(code, "Unauthorized"));
    polling.api.updates(batch(5));
    polling.start(minutes(4));
    EXPECT_FALSE(polling.stats().healthy);
    EXPECT_EQ(polling.stats().problem,
              "Telegram does not accept the bot's token (" + std::to_string(code) +
                  " \"Unauthorized\"): check it and the API's address; it is tried again "
                  "every 300 s");
    EXPECT_EQ(polling.polls().size(), 1U);
    polling.pass(minutes(7));
    EXPECT_EQ(polling.polls().size(), 4U);
    EXPECT_TRUE(polling.stats().healthy);
    EXPECT_TRUE(polling.store.has(5));
  }
}

TEST(PollTrouble, P10_conflicts_are_waited_out_and_say_what_to_do) {
  Polling polling;
  polling.api.updates(
      refused(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook"));
  polling.api.updates(refused(409, "Conflict: terminated by setWebhook request"));
  polling.api.updates(refused(409, "Conflict: terminated by other getUpdates request"));
  polling.api.updates(batch(5));
  polling.start();
  EXPECT_NE(polling.stats().problem.find("delete it with deleteWebhook, or run tgkeep in webhook mode"),
            std::string::npos);
  polling.pass(seconds(3));
  EXPECT_NE(polling.stats().problem.find("another program polls"), std::string::npos);
  polling.pass(seconds(5));
  EXPECT_TRUE(polling.store.has(5));
  EXPECT_EQ(polling.lines,
            (Journal{"info poll_started unchanged unknown", "warning poll_trouble webhook_active",
                     "warning poll_trouble other_poller", "info poll_recovered other_poller 3"}));
}

TEST(PollTrouble, P10_an_answer_that_cannot_be_cut_is_asked_for_again_and_stores_nothing) {
  Polling polling;
  polling.api.updates(std::string("<html>"));
  polling.api.updates("[" + test::update(5) + ",{\"upd");
  polling.api.updates(std::string("true"));
  polling.api.updates(batch(5));
  polling.start();
  EXPECT_FALSE(polling.stats().healthy);
  polling.pass(seconds(30));
  EXPECT_EQ(polling.polls(), (Journal{R"({"limit":100,"timeout":30})", R"({"limit":100,"timeout":30})",
                                      R"({"limit":100,"timeout":30})", R"({"limit":100,"timeout":30})",
                                      R"({"offset":6,"limit":100,"timeout":30})"}));
  EXPECT_EQ(polling.stats().failures, 3);
  EXPECT_TRUE(polling.stats().healthy);
}

TEST(PollTrouble, P9_a_stop_ends_every_kind_of_wait_at_once) {
  for (int wait = 0; wait < 4; ++wait) {
    Polling polling;
    if (wait == 0) polling.api.updates(refused(401, "Unauthorized"));
    if (wait == 1) polling.api.updates(unreachable());
    if (wait == 2) polling.api.updates(std::string("[]"));
    if (wait == 3) {
      polling.api.updates(batch(5));
      polling.store.next_put(test::PutScript(seconds(0), Error(Errc::store_full, "disk full")));
    }
    polling.start(std::chrono::milliseconds(100));
    polling.stop();
    ASSERT_TRUE(polling.ended) << wait;
    EXPECT_TRUE(polling.ended->has_value()) << wait;
    EXPECT_EQ(polling.clock.alarms(), 0U) << wait;
    EXPECT_EQ(polling.stats().problem, "polling was stopped");
  }
}

}  // namespace
}  // namespace tgkeep::source
