#include "emulator/webhook_sender.hpp"

#include <set>

#include "rooms/emulator/webhook_scene.hpp"
#include "rooms/http/raw_tcp.hpp"

namespace tgkeep::emulator {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class WebhookSending : public WebhookScene {
 protected:
  std::vector<std::int64_t> seconds_between() const {
    std::vector<std::int64_t> gaps;
    for (std::size_t i = 1; i < log().size(); ++i) {
      gaps.push_back(
          std::chrono::duration_cast<std::chrono::seconds>(log()[i].sent - log()[i - 1].sent).count());
    }
    return gaps;
  }
};

test::asio::awaitable<std::string> first_request(test::RawListener& listener) {
  test::RawTcp tcp = co_await listener.accept();
  std::string request = co_await tcp.read_message();
  std::string reply = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  co_await tcp.send(std::move(reply));
  co_return request;
}

TEST_F(WebhookSending, B19_the_request_is_what_telegram_sends) {
  test::RawListener listener(io);
  const std::string host = "127.0.0.1:" + std::to_string(listener.port());
  ASSERT_EQ(description("setWebhook?secret_token=S3-_&url=http://" + host + "/path?q=1"), "Webhook was set");
  const std::int64_t id = add(5);
  const std::string request = test::run(io, first_request(listener));
  const std::string body =
      "{\"update_id\":" + std::to_string(id) + ",\n\"message\":{\"chat\":{\"id\":5},\"from\":{\"id\":1}}}";
  EXPECT_THAT(request, StartsWith("POST /path?q=1 HTTP/1.1\r\n"));
  EXPECT_THAT(request, testing::EndsWith("\r\n\r\n" + body));
  for (const std::string& header :
       {"Host: " + host, std::string("X-Telegram-Bot-Api-Secret-Token: S3-_"),
        std::string("Content-Type: application/json"), "Content-Length: " + std::to_string(body.size()),
        std::string("Connection: keep-alive"), std::string("Accept-Encoding: gzip, deflate")}) {
    EXPECT_THAT(request, HasSubstr("\r\n" + header + "\r\n"));
  }
  for (const char* header : {"User-Agent:", "Expect:", "Transfer-Encoding:"}) {
    EXPECT_THAT(request, Not(HasSubstr(header)));
  }
  until([&] { return account.queue.size() == 0; });
}

TEST_F(WebhookSending, B20_order_holds_within_a_key_and_one_connection_is_kept_alive) {
  set_webhook();
  std::vector<std::int64_t> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(add(7));
  until_ended(5);
  EXPECT_EQ(sent(), ids);
  for (const WebhookRecord& record : log()) EXPECT_EQ(record.connection, 1);
}

TEST_F(WebhookSending, B21_connections_grow_by_keys_only_after_the_first_success) {
  hold = true;
  set_webhook();
  for (std::int64_t chat = 1; chat <= 30; ++chat) add(chat);
  until([&] { return holding == 1; });
  clock.advance(60s);
  io.restart();
  io.poll();
  EXPECT_EQ(holding, 1U) << "nothing else before the first success";
  hold = false;
  release.notify();
  until_ended(1);
  hold = true;
  until([&] { return holding == 11; });
  EXPECT_EQ(account.webhook.sender->connections(), 11U) << "a burst of ten beside the first";
  clock.advance(50ms);
  until([&] { return holding == 12; });
  hold = false;
  release.notify();
  until_ended(30);
  EXPECT_EQ(account.queue.size(), 0U);
}

TEST_F(WebhookSending, B24_F7_a_failed_update_comes_again_by_the_schedule_and_blocks_only_its_key) {
  set_webhook();
  add(5);
  until_ended(1);
  answer = [this] {
    const bool stuck = received.back().body.find("\"id\":6}") != std::string::npos;
    return http::ServerReply(stuck ? 503 : 200);
  };
  const std::int64_t stuck = add(6);
  const std::int64_t behind = add(6);
  add(8);
  ride_until_ended(9);
  EXPECT_EQ(log()[1].update.value(), stuck);
  std::vector<std::int64_t> gaps;
  MonoTime last = log()[1].sent;
  for (std::size_t i = 2; i < log().size(); ++i) {
    EXPECT_NE(log()[i].update.value(), behind);
    if (log()[i].update.value() != stuck) continue;
    gaps.push_back(std::chrono::round<std::chrono::seconds>(log()[i].sent - last).count());
    last = log()[i].sent;
  }
  EXPECT_THAT(gaps, ElementsAre(0, 2, 4, 8, 16, 32));
}

TEST_F(WebhookSending, B24_retry_after_is_obeyed) {
  std::vector<std::string> waits = {"30", "5000", "soon"};
  answer = [&] {
    http::ServerReply reply(waits.empty() ? 200 : 429);
    if (!waits.empty()) {
      reply.headers.emplace_back("Retry-After", waits.front());
      waits.erase(waits.begin());
    }
    return reply;
  };
  set_webhook();
  add(5);
  ride_until_ended(4);
  EXPECT_THAT(seconds_between(), ElementsAre(30, 3600, 2));
}

TEST_F(WebhookSending, B23_a_redirect_is_a_failure_and_is_not_followed) {
  answer = [this] {
    http::ServerReply reply(302);
    reply.headers.emplace_back("Location", url());
    return reply;
  };
  set_webhook();
  add(5);
  until_ended(2);
  EXPECT_EQ(log()[0].error, "Wrong response from the webhook: 302 Found");
  EXPECT_EQ(received.size(), 2U);
}

TEST_F(WebhookSending, F1_a_refused_connection_and_a_broken_one_are_failures_in_the_servers_words) {
  answer = [] {
    http::ServerReply reply;
    reply.hang_up = true;
    return reply;
  };
  set_webhook();
  add(5);
  until_ended(1);
  EXPECT_EQ(log()[0].status, 0);
  EXPECT_NE(log()[0].error, "");
  test::run(io, receiver->stop(no_drain));
  ride_until_ended(3);
  EXPECT_EQ(log().back().error, "Connection refused");
  EXPECT_EQ(call("getWebhookInfo").at("result").at("last_error_message").as_string(), "Connection refused");
  EXPECT_EQ(account.queue.size(), 1U);
}

TEST_F(WebhookSending, B21_while_failing_without_keep_alive_there_is_one_attempt_in_two_seconds) {
  answer = [] {
    http::ServerReply reply(500);
    reply.headers.emplace_back("Connection", "close");
    return reply;
  };
  set_webhook();
  for (std::int64_t chat = 1; chat <= 4; ++chat) add(chat);
  ride_until_ended(5);
  EXPECT_THAT(seconds_between(), ElementsAre(2, 2, 2, 2));
  std::set<std::int64_t> connections;
  for (const WebhookRecord& record : log()) connections.insert(record.connection);
  EXPECT_EQ(connections.size(), 5U);
}

TEST_F(WebhookSending, B21_an_idle_connection_is_closed_after_a_minute) {
  set_webhook();
  add(5);
  until_ended(1);
  until([&] { return account.webhook.sender->connections() == 1; });
  clock.advance(59s);
  io.poll();
  EXPECT_EQ(account.webhook.sender->connections(), 1U);
  clock.advance(1s);
  until([&] { return account.webhook.sender->connections() == 0; });
}

TEST_F(WebhookSending, B20_F5_no_more_than_two_keys_a_connection_are_loaded_so_failing_keys_stop_the_rest) {
  answer = [this] {
    const bool good = received.back().body.find("\"id\":99}") != std::string::npos;
    return http::ServerReply(good ? 200 : 500);
  };
  set_webhook("&max_connections=2");
  for (std::int64_t chat = 1; chat <= 4; ++chat) add(chat);
  const std::int64_t shut_out = add(99);
  ride_until_ended(20);
  EXPECT_THAT(sent(), Not(testing::Contains(shut_out)));
}

TEST_F(WebhookSending, B24_an_update_that_can_not_be_delivered_in_its_lifetime_is_dropped) {
  answer = [] { return http::ServerReply(500); };
  set_webhook();
  add(5, "inline_query");
  ride_until_ended(6);
  EXPECT_EQ(account.queue.size(), 0U);
}

TEST_F(WebhookSending, B23_a_day_of_410_removes_the_webhook) {
  answer = [] {
    http::ServerReply reply(410);
    reply.headers.emplace_back("Retry-After", "3600");
    return reply;
  };
  set_webhook();
  add(5);
  ride_until_ended(25);
  EXPECT_FALSE(account.webhook.is_active());
  EXPECT_EQ(call("getWebhookInfo").at("result").at("url").as_string(), "");
}

TEST_F(WebhookSending, B25_replies_are_calls_of_the_bot) {
  answer = [] { return http::ServerReply(200, R"({"method":"sendMessage","chat_id":5,"text":"x"})"); };
  set_webhook();
  add(5);
  until([&] { return server->calls().back().method == "sendMessage"; });
  EXPECT_TRUE(server->calls().back().webhook_reply);
  EXPECT_EQ(server->calls().back().chat, 5);
  until([&] { return account.queue.size() == 0; });
  answer = [] { return http::ServerReply(500, R"({"method":"sendMessage","chat_id":6,"text":"x"})"); };
  add(6);
  until_ended(3);
  EXPECT_EQ(server->calls().back().chat, 5) << "only a 2xx may hold a call";
}

TEST_F(WebhookSending, F6_a_script_can_send_an_update_on_two_connections_at_once) {
  server->set_webhook_faults([](const WebhookRecord&) { return WebhookFault::twice; });
  hold = true;
  set_webhook();
  const std::int64_t id = add(5);
  until([&] { return holding == 2; });
  hold = false;
  release.notify();
  until_ended(2);
  until([&] { return account.queue.size() == 0; });
  EXPECT_THAT(sent(), ElementsAre(id, id));
  EXPECT_TRUE(log()[1].extra);
  EXPECT_NE(log()[0].connection, log()[1].connection);
  EXPECT_EQ(received[0].body, received[1].body);
}

TEST_F(WebhookSending, F6_a_lost_confirmation_brings_an_acknowledged_update_again) {
  bool lost = false;
  server->set_webhook_faults([&](const WebhookRecord&) {
    return std::exchange(lost, true) ? WebhookFault::none : WebhookFault::again;
  });
  set_webhook();
  const std::int64_t first = add(5);
  const std::int64_t second = add(5);
  until([&] { return account.queue.size() == 0; });
  EXPECT_THAT(sent(), ElementsAre(first, second, first));
  EXPECT_EQ(account.deliveries.delivered(), 3);
  EXPECT_EQ(account.deliveries.acknowledged(), 3);
  clock.advance(1s);
  account.queue.send_confirmed_again(1);
  const std::int64_t third = add(5);
  until([&] { return account.queue.size() == 0; });
  EXPECT_THAT(sent(), ElementsAre(first, second, first, third, third));
}

TEST_F(WebhookSending, B22_a_receiver_that_does_not_answer_in_time_is_a_failure) {
  BotServerOptions options;
  options.webhook_deadline = 50ms;
  test::run(io, server->stop(no_drain));
  server = BotServer::listen(io.get_executor(), clock, Log(), options).value();
  BotAccount& bot = server->add_bot(token, 1);
  hold = true;
  set_webhook();
  bot.add("message", "{}");
  until([&] { return !bot.webhook.log.empty() && bot.webhook.log.front().ended; });
  EXPECT_EQ(bot.webhook.log.front().error, "Read timeout expired");
}

TEST_F(WebhookSending, a_faster_pace_shortens_the_waits) {
  BotServerOptions options;
  options.speed = 100;
  test::run(io, server->stop(no_drain));
  server = BotServer::listen(io.get_executor(), clock, Log(), options).value();
  BotAccount& bot = server->add_bot(token, 1);
  answer = [] { return http::ServerReply(500); };
  set_webhook();
  bot.add("message", "{}");
  until([&] { return bot.webhook.log.size() == 2 && bot.webhook.log.back().ended; });
  clock.advance(19ms);
  io.poll();
  EXPECT_EQ(bot.webhook.log.size(), 2U);
  clock.advance(2ms);
  until([&] { return bot.webhook.log.size() == 3; });
}

}  // namespace
}  // namespace tgkeep::emulator
