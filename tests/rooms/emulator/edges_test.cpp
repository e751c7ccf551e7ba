// The edges of the public server's behaviour that have no better place.

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/json/array.hpp>

#include "emulator/update_queue.hpp"
#include "emulator/webhook_methods.hpp"
#include "emulator/webhook_sender.hpp"
#include "rooms/emulator/emulator_scene.hpp"
#include "rooms/emulator/webhook_scene.hpp"
#include "rooms/http/raw_tcp.hpp"

namespace tgkeep::emulator {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

test::asio::awaitable<std::string> say(test::RawTcp& tcp, std::uint16_t port, std::string request) {
  co_await tcp.connect(port);
  co_await tcp.send(std::move(request));
  std::string heard = co_await tcp.read_to_end();
  co_return heard;
}

class RawRequests : public ApiScene {
 protected:
  /// Everything the server says until it closes.
  std::string ask(std::string request) {
    test::RawTcp tcp(io);
    return test::run(io, say(tcp, server->port(), std::move(request)));
  }
  std::string method(std::string_view name) const {
    return "/bot" + std::string(token) + "/" + std::string(name);
  }
};

TEST_F(RawRequests, B3_what_the_parser_refuses_gets_a_bare_status_and_the_connection_closes) {
  const std::string large(300U << 10, 'x');
  const std::string params = "text=" + std::string((1U << 20) + 1, 'x');
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"431", "GET " + method("getMe") + " HTTP/1.1\r\nHost: x\r\nX-Large: " + large + "\r\n\r\n"},
      {"413", "POST " + method("getMe") + " HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000000\r\n\r\n"},
      {"413",
       "POST " + method("getMe") +
           " HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " +
           std::to_string(params.size()) + "\r\n\r\n" + params},
      {"415", "POST " + method("getMe") +
                  " HTTP/1.1\r\nHost: x\r\nContent-Encoding: br\r\nContent-Length: 0\r\n\r\n"},
      {"501", "PUT " + method("getMe") + " HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"},
      {"505", "GET " + method("getMe") + " HTTP/3.0\r\nHost: x\r\n\r\n"},
  };
  for (const auto& [status, request] : cases) {
    const std::string answer = ask(request);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 " + status + " ")) << request.substr(0, 80);
    EXPECT_THAT(answer, HasSubstr("Content-Length: 0\r\n"));
    EXPECT_THAT(answer, EndsWith("\r\n\r\n"));
  }
}

TEST_F(RawRequests, B1_an_absolute_uri_has_a_text_of_its_own) {
  EXPECT_THAT(ask("GET http://x" + method("getMe") + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
              HasSubstr("Not Found: absolute URI is specified in the Request-Line"));
}

TEST_F(RawRequests, B2_bad_integers_are_0_and_numbers_are_clamped) {
  account.add("message", "{}");
  account.add("message", "{}");
  EXPECT_EQ(result("getUpdates", R"({"limit":"many"})").as_array().size(), 1U);
  clock.advance(1s);
  EXPECT_EQ(result("getUpdates", R"({"limit":"1000"})").as_array().size(), 2U);
}

class CloudServer : public ApiScene {
 protected:
  CloudServer() : ApiScene(options()) {}
  static BotServerOptions options() {
    BotServerOptions cloud;
    cloud.cloud_errors = true;
    return cloud;
  }
};

TEST_F(CloudServer, B5_malformed_tokens_are_404_in_the_cloud) {
  for (const char* token : {"/bot0:a/getMe", "/botabc/getMe", "/botx1:a/getMe"}) {
    EXPECT_EQ(get(token).status, 404) << token;
  }
  EXPECT_EQ(get("/bot7:unknown/getMe").status, 401);
}

TEST(UpdateQueueEdges, B15_holds_128_MiB) {
  UpdateQueue queue(1);
  const std::string large = '"' + std::string(500U << 10, 'x') + '"';
  std::size_t taken = 0;
  while (queue.push("message", large)) ++taken;
  EXPECT_EQ(taken, (128U << 20) / (large.size() + 46));
}

TEST(UpdateQueueEdges, F10_at_the_end_of_ids_the_queue_is_emptied_and_starts_elsewhere) {
  UpdateQueue queue(1);
  queue.jump_to(UpdateQueue::end_of_ids - 1);
  EXPECT_EQ(queue.push("message", "{}"), UpdateId(UpdateQueue::end_of_ids - 1));
  const auto next = queue.push("message", "{}");
  EXPECT_LE(next->value(), 1'000'000'000);
  EXPECT_EQ(queue.size(), 1U);
}

test::asio::awaitable<void> note_end(test::asio::awaitable<Answer> work, std::vector<std::string>& ends) {
  Answer answer = co_await std::move(work);
  ends.push_back(answer.body());
}

using WebhookEdges = WebhookScene;

TEST_F(WebhookEdges, B12_a_setWebhook_that_is_under_way_loses_to_a_newer_one) {
  std::vector<std::string> ends;
  telegram::Params slow;  // a name, which takes a while
  slow.add("url", "http://localhost:1/");
  telegram::Params fast;
  fast.add("url", url());
  const StartSender start = [this](BotAccount& bot) {
    return std::make_unique<WebhookSender>(io.get_executor(), bot, WebhookSenderOptions(), Log());
  };
  // All queued before the first look-up can end.
  const auto begin = [&](telegram::Params params) {
    auto work =
        emulator::set_webhook(clock, account, std::move(params), telegram::WebhookRules::local, start);
    test::asio::co_spawn(io, note_end(std::move(work), ends), test::asio::detached);
  };
  begin(std::move(slow));
  test::asio::post(io, [this] { clock.advance(1s); });
  begin(std::move(fast));
  until([&] { return ends.size() == 2; });
  EXPECT_THAT(ends, testing::UnorderedElementsAre(HasSubstr("Conflict: terminated by other setWebhook"),
                                                  HasSubstr("Webhook was set")));
  EXPECT_EQ(call("getWebhookInfo").at("result").at("url").as_string(), url());
}

TEST_F(WebhookEdges, B13_the_allowed_kinds_are_one_setting_for_polls_and_webhooks) {
  set_webhook("&allowed_updates=[\"poll\"]");
  call("deleteWebhook");
  EXPECT_FALSE(account.add("message", "{}"));
  EXPECT_TRUE(account.add("poll", "{\"id\":\"1\"}"));
}

TEST_F(WebhookEdges, B26_connections_to_an_old_address_end_after_their_next_answer) {
  set_webhook();
  add(5);
  until([&] { return account.webhook.sender->connections() == 1 && ended() == 1; });
  account.webhook.sender->move_to("127.0.0.2");
  EXPECT_EQ(call("getWebhookInfo").at("result").at("ip_address").as_string(), "127.0.0.2");
  add(5);
  until_ended(2);
  add(5);
  until_ended(3);
  EXPECT_EQ(log()[0].connection, log()[1].connection);
  EXPECT_NE(log()[1].connection, log()[2].connection);
}

TEST_F(WebhookEdges, F4_a_receiver_that_closed_an_idle_connection_still_gets_the_update) {
  set_webhook();
  add(5);
  until_ended(1);
  const std::uint16_t port = receiver->port();
  test::run(io, receiver->stop(no_drain));
  http::ServerOptions options;
  options.port = port;
  receiver = http::listen(
                 io.get_executor(), std::move(options),
                 [this](http::ServerRequest request) -> boost::asio::awaitable<http::ServerReply> {
                   received.push_back(std::move(request));
                   co_return http::ServerReply(200);
                 },
                 Log())
                 .value();
  add(5);
  ride_until([&] { return account.queue.size() == 0; });
  EXPECT_EQ(received.size(), 2U);
}

using Oddities = EmulatorScene;

TEST_F(Oddities, F13_the_same_press_twice_is_two_queries_and_the_same_message_two_updates) {
  control("send-text", R"({"user":5,"text":"hi"})");
  call("sendMessage",
       R"({"chat_id":5,"text":"?","reply_markup":{"inline_keyboard":[[{"text":"Y","callback_data":"y"}]]}})");
  control("press-button", R"({"user":5,"data":"y"})");
  const json::value first = newest();
  control("press-button", R"({"user":5,"data":"y"})");
  const json::value second = newest();
  EXPECT_NE(first.at("update_id"), second.at("update_id"));
  EXPECT_NE(first.at("callback_query").at("id"), second.at("callback_query").at("id"));
  const std::string twice =
      R"({"updates":[{"message":{"message_id":1,"text":"a"}},{"message":{"message_id":1,"text":"a"}}]})";
  const json::value ids = control("updates", twice).at("update_ids");
  EXPECT_NE(ids.at(0), ids.at(1));
}

TEST_F(Oddities, F14_strange_updates_pass_as_they_are) {
  const std::string strange =
      R"({"updates":[{"levitation":{"height":1e3,"from":{"id":4503599627370495,"is_bot":false,"first_name":"Zoë 🙂"}}},
                     {"message":{"message_id":0,"date":1,"chat":{"id":-4503599627370495,"type":"group","title":"t"},
                                 "unheard_of":[null,{}]}}]})";
  control("updates", strange);
  const json::array updates = call("getUpdates").at("result").as_array();
  ASSERT_EQ(updates.size(), 2U);
  EXPECT_EQ(updates[0].at("levitation").at("from").at("first_name").as_string(), "Zoë 🙂");
  EXPECT_EQ(updates[1].at("message").at("unheard_of").as_array().size(), 2U);
  const std::string large(500U << 10, 'x');
  control("updates", R"({"updates":[{"message":{"message_id":2,"text":")" + large + "\"}}]}");
  EXPECT_EQ(newest().at("message").at("text").as_string().size(), large.size());
}

TEST_F(Oddities, F9_a_second_consumer_takes_the_poll_or_the_updates_and_a_stranger_the_webhook) {
  control("send-text", R"({"user":5,"text":"x"})");
  EXPECT_FALSE(newest().is_null()) << "this consumer confirms";
  EXPECT_TRUE(newest().is_null()) << "so the other one never sees it";
  call("setWebhook", R"({"url":"http://127.0.0.1:1/stranger"})");
  EXPECT_EQ(call("getUpdates").at("error_code").as_int64(), 409);
  EXPECT_EQ(call("getWebhookInfo").at("result").at("url").as_string(), "http://127.0.0.1:1/stranger");
  call("deleteWebhook");
  EXPECT_TRUE(call("getUpdates").at("ok").as_bool());
}

}  // namespace
}  // namespace tgkeep::emulator
