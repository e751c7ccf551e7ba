// What a polling bot asks of Telegram, call by call (M9).

#include <gtest/gtest.h>

#include "rooms/source/polling.hpp"

namespace tgkeep::source {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using test::batch;
using test::Journal;
using test::Polling;

/// The calls of two runs with these options: one answer with updates 5 and 6, then nothing comes.
Journal calls_with(std::function<void(LongPollOptions&)> choose) {
  Polling polling;
  choose(polling.options);
  for (int run = 0; run < 2; ++run) {
    polling.api.updates(batch(5, 6));
    polling.api.updates(std::string("[]"), seconds(30));
    polling.start(minutes(1));
    polling.stop();
  }
  Journal calls;
  for (const std::string& line : polling.journal) {
    if (line.find('{') != std::string::npos) calls.push_back(line);
  }
  return calls;
}

const std::string kFirst = R"(getUpdates {"limit":100,"timeout":30})";
const std::string kLater = R"(getUpdates {"offset":7,"limit":100,"timeout":30})";
const std::string kInfo = "getWebhookInfo {}";

TEST(PollCalls, M9_by_default_nothing_at_the_server_is_changed) {
  const Journal calls = calls_with([](LongPollOptions&) {});
  EXPECT_EQ(calls, (Journal{kInfo, kFirst, kLater, kLater, kInfo, kFirst, kLater, kLater}));
}

TEST(PollCalls, M9_allowed_updates_go_with_the_first_call_of_each_run_only) {
  const Journal calls = calls_with([](LongPollOptions& options) {
    options.allowed_updates = {"message", "chat_member"};
  });
  const std::string asking =
      R"(getUpdates {"limit":100,"timeout":30,"allowed_updates":["message","chat_member"]})";
  EXPECT_EQ(calls, (Journal{kInfo, asking, kLater, kLater, kInfo, asking, kLater, kLater}));
}

TEST(PollCalls, M9_pending_updates_are_dropped_only_when_asked_and_once) {
  const Journal calls = calls_with([](LongPollOptions& options) { options.drop_pending = true; });
  const std::string dropping = R"(deleteWebhook {"drop_pending_updates":true})";
  EXPECT_EQ(calls, (Journal{dropping, kInfo, kFirst, kLater, kLater, kInfo, kFirst, kLater, kLater}));
}

TEST(PollCalls, M9_a_webhook_is_deleted_when_asked_and_drops_nothing) {
  const Journal calls = calls_with([](LongPollOptions& options) { options.take_over = true; });
  const std::string deleting = "deleteWebhook {}";
  EXPECT_EQ(calls,
            (Journal{deleting, kInfo, kFirst, kLater, kLater, deleting, kInfo, kFirst, kLater, kLater}));
}

TEST(PollCalls, M9_timeout_and_limit_are_as_chosen_within_the_server_s_bounds) {
  const Journal calls = calls_with([](LongPollOptions& options) {
    options.timeout = minutes(5);
    options.limit = 1000;
  });
  EXPECT_EQ(calls.at(1), R"(getUpdates {"limit":100,"timeout":50})");
}

}  // namespace
}  // namespace tgkeep::source
