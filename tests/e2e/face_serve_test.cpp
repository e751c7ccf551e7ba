// `tgkeep serve` with bots that reach the Bot API through it: what they fetch, confirm and call.

#include <gmock/gmock.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <csignal>
#include <future>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "e2e/receiver_thread.hpp"
#include "e2e/serve_room.hpp"

namespace tgkeep::test {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::UnorderedElementsAre;

/// What a bot was handed: number and text.
using Updates = std::vector<std::pair<std::int64_t, std::string>>;

class FaceServe : public ServeRoom {
 protected:
  Environment pull_environment(const Environment& more = {}) const {
    Environment all = environment(more);
    all.emplace("TGKEEP_HANDLER", "pull");
    all.emplace("TGKEEP_FACE_LISTEN", "127.0.0.1:0");
    all.emplace("TGKEEP_DRAIN", "1s");
    return all;
  }
  /// The API root for bots, once the process has said it.
  static std::string face_at(Process& process) {
    if (!process.wait_for_line(" face_opened ")) ADD_FAILURE() << process.output();
    const std::string& output = process.output();
    const std::size_t at = output.find("api_root=", output.find(" face_opened ")) + 9;
    return output.substr(at, output.find_first_of(" \n", at) - at);
  }
  static http::ClientResponse call(const std::string& root, const std::string& method,
                                   const json::object& params, std::string_view token = kBotToken) {
    return post(root + "/bot" + std::string(token) + "/" + method, {}, json::serialize(params));
  }
  static Updates updates_in(const http::ClientResponse& response) {
    EXPECT_EQ(response.status, 200) << response.body;
    Updates updates;
    const json::value answer = json::parse(response.body);
    for (const json::value& update : answer.at("result").as_array()) {
      updates.emplace_back(update.at("update_id").as_int64(), update.at("message").at("text").as_string());
    }
    return updates;
  }
  static Updates poll(const std::string& root, std::int64_t offset, std::string_view token = kBotToken,
                      int timeout = 50) {
    return updates_in(call(root, "getUpdates", {{"offset", offset}, {"timeout", timeout}}, token));
  }
  /// Polls from `offset` on until so many have come; confirms all but the last batch.
  static Updates poll_until(const std::string& root, std::int64_t offset, std::size_t count) {
    Updates all;
    while (all.size() < count) {
      const Updates batch = poll(root, offset);
      all.insert(all.end(), batch.begin(), batch.end());
      if (!batch.empty()) offset = batch.back().first + 1;
    }
    return all;
  }
  static std::vector<std::string> texts(const Updates& updates) {
    std::vector<std::string> all;
    for (const auto& [id, text] : updates) all.push_back(text);
    return all;
  }
  /// The one bot as `tgkeep status --json` shows it.
  static json::value status(const Environment& environment) {
    Process shown({program(), "status", "--json"}, environment);
    EXPECT_EQ(shown.wait(), 0) << shown.output();
    return json::parse(shown.output()).at("bots").at(0);
  }
};

TEST_F(FaceServe, P1_P4_a_poll_gets_what_came_under_numbers_of_ours_and_the_next_offset_confirms_it) {
  const Environment environment = pull_environment();
  Process gateway({program(), "serve"}, environment);
  const std::string root = face_at(gateway);
  telegram_.send(1, "a");
  telegram_.send(2, "b");
  telegram_.send(3, "c");
  const Updates got = poll_until(root, 0, 3);
  EXPECT_THAT(texts(got), UnorderedElementsAre("a", "b", "c"));
  EXPECT_EQ(got[0].first + 1, got[1].first);
  EXPECT_EQ(got[1].first + 1, got[2].first);
  EXPECT_THAT(poll(root, got[2].first + 1, kBotToken, 0), IsEmpty());
  const json::value bot = status(environment);
  EXPECT_EQ(bot.at("inbox").at("done").as_int64(), 3);
  EXPECT_EQ(bot.at("target").at("kind").as_string(), "pull");
  EXPECT_EQ(bot.at("face").at("unconfirmed").as_int64(), 0);
  EXPECT_EQ(bot.at("face").at("handed_out").as_int64(), 3);
  Process shown({program(), "status"}, environment);
  EXPECT_EQ(shown.wait(), 0);
  EXPECT_THAT(shown.output(), AllOf(HasSubstr("to pull"), HasSubstr("face: polled")));
  stop(gateway);
}

TEST_F(FaceServe, P5_the_next_update_of_a_chat_comes_when_the_one_before_is_confirmed) {
  Process gateway({program(), "serve"}, pull_environment());
  const std::string root = face_at(gateway);
  telegram_.send(1, "first");
  telegram_.send(1, "second");
  const Updates first = poll_until(root, 0, 1);
  EXPECT_THAT(texts(first), ElementsAre("first"));
  const Updates second = poll(root, first[0].first + 1);
  EXPECT_THAT(texts(second), ElementsAre("second"));
  EXPECT_THAT(poll(root, second[0].first + 1, kBotToken, 0), IsEmpty());
  stop(gateway);
}

TEST_F(FaceServe, P3_a_kill_between_poll_and_confirmation_loses_nothing_and_repeats_nothing_confirmed) {
  const Environment environment = pull_environment();
  Updates got;
  {
    Process gateway({program(), "serve"}, environment);
    const std::string root = face_at(gateway);
    for (int chat = 1; chat <= 5; ++chat) telegram_.send(chat, "t" + std::to_string(chat));
    got = poll_until(root, 0, 5);
    gateway.signal(SIGKILL);
    EXPECT_EQ(gateway.wait(), -SIGKILL);
  }
  // The bot goes on where it was: what it has is confirmed, though another process handed it out.
  Process gateway({program(), "serve"}, environment);
  const std::string root = face_at(gateway);
  telegram_.send(9, "new");
  const Updates next = poll(root, got.back().first + 1);
  EXPECT_THAT(texts(next), ElementsAre("new"));
  EXPECT_GT(next[0].first, got.back().first);
  EXPECT_THAT(poll(root, next[0].first + 1, kBotToken, 0), IsEmpty());
  stop(gateway);
  EXPECT_EQ(status(environment).at("inbox").at("done").as_int64(), 6);
}

TEST_F(FaceServe, P3_a_bot_that_starts_anew_with_tgkeep_gets_what_it_had_not_confirmed_again) {
  const Environment environment = pull_environment();
  Updates got;
  {
    Process gateway({program(), "serve"}, environment);
    const std::string root = face_at(gateway);
    telegram_.send(1, "a");
    telegram_.send(2, "b");
    got = poll_until(root, 0, 2);
    gateway.signal(SIGKILL);
    EXPECT_EQ(gateway.wait(), -SIGKILL);
  }
  Process gateway({program(), "serve"}, environment);
  const std::string root = face_at(gateway);
  const Updates again = poll_until(root, 0, 2);
  EXPECT_THAT(texts(again), UnorderedElementsAre("a", "b"));
  EXPECT_GT(again[0].first, got.back().first);
  EXPECT_THAT(poll(root, again.back().first + 1, kBotToken, 0), IsEmpty());
  stop(gateway);
}

TEST_F(FaceServe, calls_pass_to_telegram_and_its_answers_back) {
  Process gateway({program(), "serve"}, pull_environment());
  const std::string root = face_at(gateway);
  telegram_.send(1, "hello");
  const Updates got = poll_until(root, 0, 1);
  EXPECT_THAT(poll(root, got[0].first + 1, kBotToken, 0), IsEmpty());
  const http::ClientResponse sent = call(root, "sendMessage", {{"chat_id", 1}, {"text", "hi"}});
  EXPECT_EQ(sent.status, 200) << sent.body;
  EXPECT_THAT(telegram_.sent(), ElementsAre("1:hi"));
  EXPECT_EQ(json::parse(get(root + "/bot" + std::string(kBotToken) + "/getMe").body)
                .at("result")
                .at("id")
                .as_int64(),
            4242);
  EXPECT_EQ(call(root, "sendNothing", {}).status, 404);
  stop(gateway);
}

TEST_F(FaceServe, whoever_has_no_token_of_a_bot_is_refused_and_no_token_is_logged) {
  Process gateway({program(), "serve"}, pull_environment());
  const std::string root = face_at(gateway);
  const std::string wrong = "4242:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB";
  EXPECT_EQ(call(root, "getMe", {}, wrong).status, 401);
  EXPECT_EQ(call(root, "getMe", {}, "nonsense").status, 401);
  EXPECT_EQ(call(root, "getMe", {}, kOtherToken).status, 401)
      << "a bot of Telegram's, but not of this process";
  EXPECT_EQ(get(root + "/").status, 404);
  stop(gateway);
  EXPECT_THAT(gateway.output(), AllOf(HasSubstr("face_request_refused"), Not(HasSubstr("BBBBBB")),
                                      Not(HasSubstr("CCCCCC")), Not(HasSubstr("AAAAAA"))));
}

TEST_F(FaceServe, many_bots_share_one_face_each_with_its_own_token) {
  const std::string file =
      write("two.toml", "api_root = \"" + telegram_.root() + "\"\nfolder = \"" + folder_.file("stores") +
                            "\"\ndrain = \"1s\"\n[face]\nlisten = \"127.0.0.1:0\"\n"
                            "[[bot]]\nname = \"one\"\ntoken_env = \"ONE\"\nhandler = \"pull\"\n"
                            "[[bot]]\nname = \"two\"\ntoken_env = \"TWO\"\nhandler = \"pull\"\n");
  Process gateway({program(), "serve", "-c", file},
                  {{"ONE", std::string(kBotToken)}, {"TWO", std::string(kOtherToken)}});
  const std::string root = face_at(gateway);
  telegram_.send(1, "to one");
  telegram_.send(2, "to two", kOtherToken);
  EXPECT_THAT(texts(poll(root, 0)), ElementsAre("to one"));
  EXPECT_THAT(texts(poll(root, 0, kOtherToken)), ElementsAre("to two"));
  gateway.signal(SIGTERM);
  EXPECT_EQ(gateway.wait(), 3) << "nobody confirmed";
}

TEST_F(FaceServe, a_bot_whose_updates_go_elsewhere_has_its_calls_passed_and_its_polls_refused) {
  Environment environment = this->environment({{"TGKEEP_FACE_LISTEN", "127.0.0.1:0"}});
  Process gateway({program(), "serve"}, environment);  // echo
  const std::string root = face_at(gateway);
  EXPECT_EQ(call(root, "getMe", {}).status, 200);
  const http::ClientResponse refused = call(root, "getUpdates", {});
  EXPECT_EQ(refused.status, 409);
  EXPECT_THAT(refused.body, HasSubstr("a handler within tgkeep"));
  stop(gateway);
}

TEST_F(FaceServe, the_webhook_that_a_bot_sets_itself_survives_a_restart_and_never_reaches_telegram) {
  ReceiverThread bot([](const http::ServerRequest&) { return http::ServerReply(200); });
  const Environment environment = pull_environment();
  {
    Process gateway({program(), "serve"}, environment);
    const std::string root = face_at(gateway);
    EXPECT_EQ(call(root, "setWebhook", {{"url", bot.url()}, {"secret_token", "its_secret"}}).status, 200);
    telegram_.send(1, "one");
    EXPECT_THAT(bot.request(0).body, HasSubstr("\"one\""));
    EXPECT_EQ(call(root, "getUpdates", {}).status, 409);
    stop(gateway);
  }
  telegram_.send(1, "two");
  Process gateway({program(), "serve"}, environment);
  const std::string root = face_at(gateway);
  const http::ServerRequest second = bot.request(1);
  EXPECT_THAT(second.body, HasSubstr("\"two\""));
  const std::string* const secret = http::find_header(second.headers, kSecretHeader);
  ASSERT_NE(secret, nullptr);
  EXPECT_EQ(*secret, "its_secret");
  EXPECT_EQ(status(environment).at("face").at("own_webhook").as_string(),
            bot.url().substr(7, bot.url().find("/bot") - 7));
  EXPECT_EQ(call(root, "deleteWebhook", {}).status, 200);
  telegram_.send(1, "three");
  EXPECT_THAT(texts(poll_until(root, 0, 1)), ElementsAre("three"));
  gateway.signal(SIGTERM);
  EXPECT_EQ(gateway.wait(), 3) << gateway.output();
}

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

TEST_F(FaceServe, doctor_and_status_say_that_nobody_polls) {
  const Environment environment = pull_environment();
  Process gateway({program(), "serve"}, environment);
  face_at(gateway);
  telegram_.send(1, "waits");
  while (status(environment).at("face").at("waiting").as_int64() == 0) {
  }
  Process shown({program(), "status"}, environment);
  EXPECT_EQ(shown.wait(), 0);
  EXPECT_THAT(shown.output(), AllOf(HasSubstr("not polled yet"), HasSubstr("the bot does not fetch them")));
  Process doctor({program(), "doctor", "--offline"}, environment);
  EXPECT_EQ(doctor.wait(), 1) << doctor.output();
  EXPECT_THAT(doctor.output(), HasSubstr("updates wait for it (1), and the bot has never asked for any"));
  stop(gateway);
}

TEST_F(FaceServe, an_address_that_others_can_reach_is_refused_without_tls) {
  Environment open = pull_environment();
  open["TGKEEP_FACE_LISTEN"] = "0.0.0.0:0";
  Process refused({program(), "serve"}, open);
  EXPECT_EQ(refused.wait(), 2);
  EXPECT_THAT(refused.output(), AllOf(HasSubstr("face.certificate"), HasSubstr("face.allow_plain = true")));
  open["TGKEEP_FACE_ALLOW_PLAIN"] = "true";
  Process allowed({program(), "serve"}, open);
  EXPECT_THAT(face_at(allowed), HasSubstr("http://127.0.0.1:"));
  ASSERT_TRUE(allowed.wait_for_line("poll_started")) << allowed.output();
  stop(allowed);
}

TEST_F(FaceServe, pull_and_push_at_once_are_refused_with_words) {
  Process refused({program(), "serve"}, pull_environment({{"TGKEEP_PUSH_URL", "http://127.0.0.1:3000/"}}));
  EXPECT_EQ(refused.wait(), 2);
  EXPECT_THAT(refused.output(), HasSubstr("take out push.url"));
}

TEST_F(FaceServe, polls_and_streams_of_a_bot_that_is_changed_end_and_hold_nothing_up) {
  const auto file = [&](const std::string& more) {
    return write("change.toml", "api_root = \"" + telegram_.root() + "\"\nfolder = \"" +
                                    folder_.file("stores") + "\"\nhandler = \"pull\"\n" + more +
                                    "[face]\nlisten = \"127.0.0.1:0\"\n");
  };
  const Environment token{{"TGKEEP_TOKEN", std::string(kBotToken)}};
  Process gateway({program(), "serve", "-c", file("")}, token);
  const std::string root = face_at(gateway);
  ASSERT_TRUE(gateway.wait_for_line("poll_started")) << gateway.output();
  auto poll = std::async(std::launch::async, [&] { return this->poll(root, 0); });
  Environment asking = token;
  asking.emplace("TGKEEP_FOLDER", folder_.file("stores"));
  while (status(asking).at("face").at("pollers").as_int64() == 0) {
  }
  file("inbox.limit = 7\n");
  gateway.signal(SIGHUP);
  ASSERT_TRUE(gateway.wait_for_line("reloaded ")) << gateway.output();
  EXPECT_THAT(poll.get(), IsEmpty());
  auto stream = std::async(std::launch::async,
                           [&] { return get(root + "/bot" + std::string(kBotToken) + "/tgkeep/updates"); });
  while (status(asking).at("face").at("pollers").as_int64() == 0) {
  }
  file("inbox.limit = 8\n");
  gateway.signal(SIGHUP);
  ASSERT_TRUE(gateway.wait_for_line("reloaded ")) << gateway.output();
  EXPECT_EQ(stream.get().status, 200);
  stop(gateway);
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
  EXPECT_THROW(sent.get(), std::runtime_error);
  EXPECT_THROW(dropped.get(), std::runtime_error);
  EXPECT_EQ(call(root, "getMe", {}).status, 200);
  auto again = std::async(std::launch::async, [&] {
    return call(root, "deleteWebhook", {{"drop_pending_updates", true}});
  });
  telegram_.wait_for("deleteWebhook", 2);
  stop(gateway);
  EXPECT_THROW(again.get(), std::runtime_error) << "nor does it hold a stop up";
}

TEST_F(FaceServe, sighup_lets_bots_come_and_change_at_the_face_and_refuses_another_address) {
  const auto file = [&](const std::string& face, const std::string& more) {
    return write("reload.toml", "api_root = \"" + telegram_.root() + "\"\nfolder = \"" +
                                    folder_.file("stores") + "\"\n[face]\nlisten = \"" + face +
                                    "\"\n[[bot]]\nname = \"one\"\ntoken_env = \"ONE\"\nhandler = \"pull\"\n" +
                                    more);
  };
  const std::string second = "[[bot]]\nname = \"two\"\ntoken_env = \"TWO\"\nhandler = \"pull\"\n";
  Process gateway({program(), "serve", "-c", file("127.0.0.1:0", "")},
                  {{"ONE", std::string(kBotToken)}, {"TWO", std::string(kOtherToken)}});
  const std::string root = face_at(gateway);
  ASSERT_TRUE(gateway.wait_for_line("poll_started")) << gateway.output();
  EXPECT_EQ(call(root, "getMe", {}, kOtherToken).status, 401);
  file("127.0.0.1:0", "inbox.limit = 7\n" + second);
  gateway.signal(SIGHUP);
  ASSERT_TRUE(gateway.wait_for_line("reloaded ")) << gateway.output();
  EXPECT_EQ(call(root, "getMe", {}, kOtherToken).status, 200);
  telegram_.send(1, "after the change");
  EXPECT_THAT(texts(poll_until(root, 0, 1)), ElementsAre("after the change"));
  file("127.0.0.1:1", second);
  gateway.signal(SIGHUP);
  ASSERT_TRUE(gateway.wait_for_line("reload_failed")) << gateway.output();
  EXPECT_THAT(gateway.output(), HasSubstr("face.listen"));
  EXPECT_EQ(call(root, "getMe", {}).status, 200);
  gateway.signal(SIGKILL);
}

}  // namespace
}  // namespace tgkeep::test
