// A stop or a reload of `tgkeep serve` while bots poll and call through it.

#include <gmock/gmock.h>

#include <csignal>
#include <future>
#include <string>

#include "e2e/face_serve_room.hpp"

namespace tgkeep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST_F(FaceServe, P9_a_stop_ends_polls_with_nothing_and_what_is_handed_out_can_still_be_confirmed) {
  Process gateway({program(), "serve"}, pull_environment({{"TGKEEP_DRAIN", "20s"}}));
  const std::string root = face_at(gateway);
  telegram_.send(1, "a");
  const Updates got = poll_until(root, 0, 1);
  auto waiting = std::async(std::launch::async, [&] { return poll(root, got[0].first); });
  EXPECT_THAT(texts(waiting.get()), ElementsAre("a")) << "the same again, as its answer may be lost";
  gateway.signal(SIGTERM);
  ASSERT_TRUE(gateway.wait_for_line("stopping")) << gateway.output();
  EXPECT_THAT(poll(root, got[0].first + 1), IsEmpty());
  EXPECT_EQ(gateway.wait(), 0) << gateway.output();
  EXPECT_THAT(gateway.output(), HasSubstr("cut_off=0"));
}

TEST_F(FaceServe, P9_a_stop_with_something_unconfirmed_ends_within_drain_and_it_comes_again) {
  const Environment environment = pull_environment();
  {
    Process gateway({program(), "serve"}, environment);
    const std::string root = face_at(gateway);
    telegram_.send(1, "a");
    poll_until(root, 0, 1);
    gateway.signal(SIGTERM);
    EXPECT_EQ(gateway.wait(), 3) << gateway.output();
  }
  Process gateway({program(), "serve"}, environment);
  EXPECT_THAT(texts(poll_until(face_at(gateway), 0, 1)), ElementsAre("a"));
  gateway.signal(SIGKILL);
}

TEST_F(FaceServe, P9_a_call_that_is_under_way_at_a_stop_gets_its_answer) {
  Process gateway({program(), "serve"}, pull_environment({{"TGKEEP_DRAIN", "20s"}}));
  const std::string root = face_at(gateway);
  ASSERT_TRUE(gateway.wait_for_line("poll_started")) << gateway.output();
  telegram_.set_faults([](const emulator::CallRecord& record) {
    const bool slow = record.method == "sendMessage";
    return slow ? emulator::Fault::late_answer(std::chrono::seconds(2)) : emulator::Fault();
  });
  auto sent = std::async(std::launch::async, [&] {
    return call(root, "sendMessage", {{"chat_id", 1}, {"text", "slow"}});
  });
  telegram_.wait_for("sendMessage");
  gateway.signal(SIGTERM);
  EXPECT_EQ(sent.get().status, 200);
  EXPECT_EQ(gateway.wait(), 0) << gateway.output();
}

TEST_F(FaceServe, P9_calls_that_are_open_when_the_drain_is_over_are_told_what_became_of_them) {
  const Environment environment = pull_environment();
  Process gateway({program(), "serve"}, environment);
  const std::string root = face_at(gateway);
  ASSERT_TRUE(gateway.wait_for_line("poll_started")) << gateway.output();
  telegram_.set_faults([](const emulator::CallRecord& record) {
    if (record.method != "sendMessage") return emulator::Fault();
    return record.chat == 1 ? emulator::Fault::hang() : emulator::Fault::flood(std::chrono::seconds(20));
  });
  const auto send = [&](int chat) {
    return std::async(std::launch::async, [&root, chat] {
      return call(root, "sendMessage", {{"chat_id", chat}, {"text", "x"}});
    });
  };
  auto sent = send(1);
  telegram_.wait_for("sendMessage");
  auto behind = send(1);
  auto told_to_wait = send(2);
  telegram_.wait_for("sendMessage", 2);
  const auto waiting = [&] { return status(environment).at("face").at("calls").at("waiting").as_int64(); };
  while (waiting() < 2) {
  }
  gateway.signal(SIGTERM);
  const auto outcome = [](const http::ClientResponse& response) {
    const std::string* const value = http::find_header(response.headers, "Tgkeep-Outcome");
    return std::to_string(response.status) + " " + (value == nullptr ? "" : *value);
  };
  EXPECT_EQ(outcome(sent.get()), "502 maybe_sent");
  EXPECT_EQ(outcome(behind.get()), "429 not_sent");
  EXPECT_EQ(outcome(told_to_wait.get()), "429 refused") << "by Telegram";
  EXPECT_EQ(gateway.wait(), 0) << gateway.output();
  EXPECT_THAT(telegram_.sent(), SizeIs(2)) << "none was sent later or twice";
}

TEST_F(FaceServe, P9_calls_and_drops_that_telegram_does_not_answer_hold_no_change_of_a_bot_up) {
  const auto file = [&](const std::string& more) {
    return write("slow.toml", "api_root = \"" + telegram_.root() + "\"\nfolder = \"" +
                                  folder_.file("stores") + "\"\nhandler = \"pull\"\ndrain = \"0s\"\n" + more +
                                  "[face]\nlisten = \"127.0.0.1:0\"\n");
  };
  Process gateway({program(), "serve", "-c", file("")}, {{"TGKEEP_TOKEN", std::string(kBotToken)}});
  const std::string root = face_at(gateway);
  ASSERT_TRUE(gateway.wait_for_line("poll_started")) << gateway.output();
  telegram_.set_faults([](const emulator::CallRecord& record) {
    const bool slow = record.method == "sendMessage" || record.method == "deleteWebhook";
    return slow ? emulator::Fault::late_answer(std::chrono::hours(1)) : emulator::Fault();
  });
  auto sent = std::async(std::launch::async, [&] {
    return call(root, "sendMessage", {{"chat_id", 1}, {"text", "slow"}});
  });
  auto dropped = std::async(std::launch::async, [&] {
    return call(root, "deleteWebhook", {{"drop_pending_updates", true}});
  });
  telegram_.wait_for("sendMessage");
  telegram_.wait_for("deleteWebhook");
  file("inbox.limit = 7\n");
  gateway.signal(SIGHUP);
  ASSERT_TRUE(gateway.wait_for_line("reloaded ")) << gateway.output();
  EXPECT_THAT(gateway.output(), HasSubstr("face_requests_cut_off"));
  const http::ClientResponse told = sent.get();
  EXPECT_EQ(told.status, 502);
  EXPECT_EQ(*http::find_header(told.headers, "Tgkeep-Outcome"), "maybe_sent");
  EXPECT_EQ(dropped.get().status, 429) << "not done: it is to come again";
  EXPECT_EQ(call(root, "getMe", {}).status, 200);
  auto again = std::async(std::launch::async, [&] {
    return call(root, "deleteWebhook", {{"drop_pending_updates", true}});
  });
  telegram_.wait_for("deleteWebhook", 2);
  stop(gateway);
  EXPECT_EQ(again.get().status, 429) << "nor does it hold a stop up";
}

}  // namespace
}  // namespace tgkeep::test
