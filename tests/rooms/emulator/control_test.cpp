// The control requests besides people: updates, calls, clock, snapshots, restarts, faults.

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/json/array.hpp>

#include "rooms/emulator/emulator_scene.hpp"

namespace tgkeep::emulator {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::HasSubstr;

using ControlRequests = EmulatorScene;

TEST_F(ControlRequests, updates_are_queued_as_they_are_under_new_ids) {
  const json::value made =
      control("updates", R"({"updates":[{"update_id":1,"message":{"message_id":9,"date":1,
      "chat":{"id":5,"type":"private","first_name":"A"},"from":{"id":5,"is_bot":false,"first_name":"A"},"text":"x"}}]})");
  EXPECT_EQ(newest().at("update_id"), made.at("update_ids").at(0));
  EXPECT_TRUE(call("forwardMessage", R"({"chat_id":5,"from_chat_id":5,"message_id":9})").at("ok").as_bool())
      << "the world has learned of the message and its sender";
  control("updates", R"({"sample":"message__animation"})");
  EXPECT_TRUE(newest().as_object().contains("message"));
  EXPECT_EQ(control("traffic", R"({"count":20,"seed":3})").at("queued").as_int64(), 20);
  EXPECT_THAT(refusal("updates", R"({"sample":"no"})"), HasSubstr("sample"));
  EXPECT_THAT(refusal("updates"), HasSubstr("updates"));
}

TEST_F(ControlRequests, a_bot_may_answer_in_the_group_that_an_update_comes_from) {
  const std::string group = R"("chat":{"id":-1005,"type":"supergroup","title":"T"},)"
                            R"("from":{"id":5,"is_bot":false,"first_name":"A"},"date":1)";
  const std::string send = R"({"chat_id":-1005,"text":"x"})";
  control("updates", R"({"updates":[{"guest_message":{"message_id":9,"text":"x",)" + group + "}}]}");
  EXPECT_FALSE(call("sendMessage", send).at("ok").as_bool()) << "a guest is no member";
  control("updates", R"({"updates":[{"message":{"message_id":10,"text":"x",)" + group + "}}]}");
  EXPECT_TRUE(call("sendMessage", send).at("ok").as_bool());
  const json::value author = call("getChatMember", R"({"chat_id":-1005,"user_id":5})");
  EXPECT_EQ(author.at("result").at("status").as_string(), "member");
}

TEST_F(ControlRequests, calls_are_shown_and_waited_for) {
  control("users", R"({"id":5,"started":true})");
  std::optional<http::ClientResult> waiting;
  http::ClientRequest request(
      "GET", emulator->server().root() + "/control/calls?method=sendMessage&wait=60&count=2");
  test::asio::co_spawn(io, client.send(std::move(request)),
                       [&](std::exception_ptr, http::ClientResult result) { waiting = std::move(result); });
  call("sendMessage", R"({"chat_id":5,"text":"one"})");
  call("getMe");
  EXPECT_FALSE(waiting);
  call("sendMessage", R"({"chat_id":5,"text":"two"})");
  io.restart();
  while (!waiting && io.run_one() > 0) {
  }
  const json::value calls = json::parse((*waiting)->body).at("result");
  ASSERT_EQ(calls.as_array().size(), 2U);
  EXPECT_EQ(calls.at(1).at("params").at("text").as_string(), "two");
  EXPECT_EQ(calls.at(1).at("params").at("chat_id").as_int64(), 5);
  EXPECT_EQ(calls.at(1).at("answer").at("result").at("text").as_string(), "two");
  EXPECT_EQ(control("calls", R"({"after":1})").as_array().size(), 2U);
  control("calls/clear");
  EXPECT_TRUE(control("calls").as_array().empty());
}

TEST_F(ControlRequests, clearing_calls_leaves_only_those_that_run) {
  std::optional<http::ClientResult> poll;
  http::ClientRequest request("GET", emulator->server().root() + method("getUpdates?timeout=50"));
  boost::asio::co_spawn(io, client.send(std::move(request)),
                        [&](std::exception_ptr, http::ClientResult result) { poll = std::move(result); });
  io.restart();
  while (emulator->server().calls().empty() && io.run_one() > 0) {
  }
  call("getMe");
  call("getMe");
  EXPECT_EQ(emulator->server().calls().size(), 3U);
  control("calls/clear");
  EXPECT_TRUE(control("calls").as_array().empty());
  ASSERT_EQ(emulator->server().calls().size(), 1U);
  EXPECT_EQ(emulator->server().calls()[0].method, "getUpdates");
  control("users", R"({"id":5,"started":true})");
  control("send-text", R"({"user":5,"text":"x"})");
  io.restart();
  while (!poll && io.run_one() > 0) {
  }
  EXPECT_THAT(poll.value().value().body, HasSubstr(R"("text":"x")"));
  control("calls/clear");
  EXPECT_TRUE(control("calls").as_array().empty());
}

TEST_F(ControlRequests, the_clock_moves_when_told_and_only_then) {
  const std::int64_t before = control("clock").at("unix_time").as_int64();
  control("send-text", R"({"user":5,"text":"x"})");
  EXPECT_EQ(newest().at("message").at("date").as_int64(), before);
  EXPECT_EQ(control("clock", R"({"advance":3600})").at("unix_time").as_int64(), before + 3600);
  EXPECT_EQ(control("clock", R"({"wall_step":-7200})").at("unix_time").as_int64(), before - 3600);
  EXPECT_THAT(refusal("clock", R"({"advance":-1})"), HasSubstr("advance"));
}

TEST_F(ControlRequests, F16_lifetimes_follow_the_wall_clock_when_it_jumps) {
  control("ask-inline", R"({"user":5,"query":"q"})");
  control("clock", R"({"wall_step":31})");
  EXPECT_TRUE(newest().is_null());
}

TEST_F(ControlRequests, a_snapshot_brings_everything_back) {
  control("send-text", R"({"user":5,"text":"kept"})");
  call("setMyCommands", R"({"commands":[{"command":"a","description":"b"}]})");
  const json::value sent = call("sendMessage", R"({"chat_id":5,"text":"kept, too"})");
  const json::value snapshot = control("snapshot", R"({"name":"one"})");
  control("reset");
  EXPECT_TRUE(newest().is_null());
  EXPECT_TRUE(call("getMyCommands").at("result").as_array().empty());
  EXPECT_FALSE(call("sendMessage", R"({"chat_id":5,"text":"x"})").at("ok").as_bool());
  control("restore", R"({"name":"one"})");
  EXPECT_EQ(call("getMyCommands").at("result").as_array().size(), 1U);
  const std::string id = json::serialize(sent.at("result").at("message_id"));
  EXPECT_TRUE(call("editMessageText", "{\"chat_id\":5,\"text\":\"new\",\"message_id\":" + id + "}")
                  .at("ok")
                  .as_bool());
  EXPECT_EQ(newest().at("message").at("text").as_string(), "kept");
  control("reset");
  control("restore", "{\"snapshot\":" + json::serialize(snapshot) + "}");
  EXPECT_EQ(newest().at("message").at("text").as_string(), "kept");
  EXPECT_THAT(refusal("restore", R"({"name":"two"})"), HasSubstr("name"));
}

TEST_F(ControlRequests, a_bot_that_runs_goes_on_after_a_reset) {
  control("send-text", R"({"user":5,"text":"before"})");
  const std::int64_t before = newest().at("update_id").as_int64();
  call("setWebhook", R"({"url":"http://127.0.0.1:1/hook","allowed_updates":["message"]})");
  control("send-text", R"({"user":5,"text":"forgotten"})");
  control("reset");
  const json::value info = call("getWebhookInfo").at("result");
  EXPECT_EQ(info.at("url").as_string(), "http://127.0.0.1:1/hook");
  EXPECT_EQ(info.at("pending_update_count").as_int64(), 0);
  EXPECT_TRUE(control("deliveries").as_array().empty());
  call("deleteWebhook");
  control("send-text", R"({"user":5,"text":"after"})");
  EXPECT_EQ(newest().at("update_id").as_int64(), before + 2);
}

TEST_F(ControlRequests, B32_a_restart_ends_the_waiting_poll_with_nothing_and_keeps_the_rest) {
  control("send-text", R"({"user":5,"text":"x"})");
  const std::int64_t id = newest().at("update_id").as_int64();
  std::optional<http::ClientResult> poll;
  http::ClientRequest request("GET", emulator->server().root() + method("getUpdates?timeout=30&offset=-1"));
  test::asio::co_spawn(io, client.send(std::move(request)),
                       [&](std::exception_ptr, http::ClientResult result) { poll = std::move(result); });
  BotAccount& bot = *emulator->server().find_bot(4242);
  io.restart();
  while (bot.waiting == nullptr && io.run_one() > 0) {
  }
  control("faults", R"({"fault":"late","methods":["getMe"],"delay":600})");
  std::optional<http::ClientResult> late;
  http::ClientRequest slow("GET", emulator->server().root() + method("getMe"));
  test::asio::co_spawn(io, client.send(std::move(slow)),
                       [&](std::exception_ptr, http::ClientResult result) { late = std::move(result); });
  while (emulator->server().calls().back().fault.empty() && io.run_one() > 0) {
  }
  control("restart");
  while (!(poll && late) && io.run_one() > 0) {
  }
  EXPECT_EQ((*poll)->body, R"({"ok":true,"result":[]})");
  EXPECT_EQ((*late)->status, 429);
  EXPECT_THAT((*late)->body, HasSubstr("retry after 5"));
  while (!send("/control/state", "{}")) {
  }
  control("faults/clear");
  control("send-text", R"({"user":5,"text":"y"})");
  EXPECT_EQ(newest().at("update_id").as_int64(), id + 1) << "B6: ids go on over a restart";
}

TEST_F(ControlRequests, F10_an_update_id_jumps_when_told) {
  control("queue", R"({"next_id":77})");
  control("send-text", R"({"user":5,"text":"x"})");
  EXPECT_EQ(newest().at("update_id").as_int64(), 77);
}

TEST_F(ControlRequests, F6_confirmed_updates_come_again_when_told) {
  control("queue", R"({"confirmed_again":1})");
  control("send-text", R"({"user":5,"text":"x"})");
  const json::value first = call("getUpdates").at("result");
  const std::string next = std::to_string(first.at(0).at("update_id").as_int64() + 1);
  EXPECT_EQ(call("getUpdates", "{\"offset\":" + next + "}").at("result"), first);
}

TEST_F(ControlRequests, faults_are_listed_counted_and_cleared) {
  control("faults", R"({"fault":["flood","html"],"methods":["getMe"],"times":3,"seed":4,"retry_after":9})");
  for (int i = 0; i < 5; ++i) send(method("getMe"), "{}");
  const json::value faults = control("faults");
  EXPECT_EQ(faults.at("rules").at(0).at("struck").as_int64(), 3);
  std::int64_t counted = 0;
  for (const auto& count : faults.at("counts").as_object()) counted += count.value().as_int64();
  EXPECT_EQ(counted, 3);
  control("faults/clear");
  EXPECT_TRUE(control("faults").at("rules").as_array().empty());
  EXPECT_THAT(refusal("faults", R"({"fault":"gremlins"})"), HasSubstr("gremlins"));
}

TEST_F(ControlRequests, several_bots_have_queues_and_messages_of_their_own) {
  control("bots", R"({"token":"77:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB","username":"second_bot"})");
  EXPECT_THAT(refusal("send-text", R"({"user":5,"text":"x"})"), HasSubstr("several bots"));
  control("send-text", R"({"user":5,"bot":"@second_bot","text":"for the second"})");
  EXPECT_TRUE(newest().is_null());
  const std::string chat = json::serialize(control("chats", R"({"type":"supergroup"})").at("id"));
  const json::value deed = control("send-text", "{\"user\":5,\"text\":\"both\",\"chat\":" + chat + "}");
  EXPECT_EQ(deed.at("updates").as_array().size(), 2U);
  const json::value state = control("state");
  EXPECT_EQ(state.at("bots").at(1).at("pending_updates").to_number<int>(), 2);
}

}  // namespace
}  // namespace tgkeep::emulator
