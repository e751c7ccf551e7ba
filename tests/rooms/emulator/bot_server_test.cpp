#include "emulator/bot_server.hpp"

#include <gmock/gmock.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "loop/virtual_clock.hpp"
#include "rooms/http/raw_tcp.hpp"
#include "support/run.hpp"

namespace tgkeep::emulator {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::HasSubstr;

/// A request under way, on a connection of its own.
class Pending {
 public:
  explicit Pending(test::asio::io_context& io) : tcp(io) {}
  bool ended() const { return !answer.empty(); }
  json::value body() const {
    return json::parse(std::string_view(answer).substr(answer.find("\r\n\r\n") + 4));
  }
  int status() const { return test::status_of(answer); }

  test::RawTcp tcp;
  std::string answer;
};

test::asio::awaitable<void> exchange(std::shared_ptr<Pending> pending, std::uint16_t port,
                                     std::string request) {
  co_await pending->tcp.connect(port);
  co_await pending->tcp.send(std::move(request));
  pending->answer = co_await pending->tcp.read_to_end();
  if (pending->answer.empty()) pending->answer = "closed";
}

class BotServerTest : public testing::Test {
 protected:
  static constexpr std::string_view token = "4242:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

  void TearDown() override { test::run(io, server->stop(0s)); }

  std::shared_ptr<Pending> start(std::string_view target, std::string_view body = {},
                                 std::string_view type = {}) {
    std::string request = body.empty() ? "GET " : "POST ";
    request.append(target).append(" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
    if (!body.empty()) {
      request += "Content-Length: " + std::to_string(body.size()) + "\r\nContent-Type: ";
      request.append(type).append("\r\n");
    }
    request.append("\r\n").append(body);
    auto pending = std::make_shared<Pending>(io);
    test::asio::co_spawn(io, exchange(pending, server->port(), std::move(request)), test::asio::detached);
    return pending;
  }
  std::string method(std::string_view name) const {
    return "/bot" + std::string(token) + "/" + std::string(name);
  }
  template <class Condition>
  void until(Condition met) {
    io.restart();
    bool reached = met();
    while (!reached && io.run_one() > 0) reached = met();
    ASSERT_TRUE(reached);
  }
  std::shared_ptr<Pending> ask(std::string_view target, std::string_view body = {},
                               std::string_view type = {}) {
    auto pending = start(target, body, type);
    until([&] { return pending->ended(); });
    return pending;
  }
  /// A getUpdates that has come to wait.
  std::shared_ptr<Pending> waiting(std::string_view query) {
    const WaitingPoll* before = account.waiting;
    auto pending = start(method("getUpdates?") + std::string(query));
    until([&] { return account.waiting != nullptr && account.waiting != before; });
    return pending;
  }
  /// Lets the short wait for a burst pass.
  void finish(const Pending& pending) {
    until([&] { return pending.ended() || clock.advance_to_next(clock.mono() + 5ms); });
    until([&] { return pending.ended(); });
  }

  test::asio::io_context io;
  loop::VirtualClock clock;
  std::unique_ptr<BotServer> server = BotServer::listen(io.get_executor(), clock).value();
  BotAccount& account = server->add_bot(token, 1);
};

std::int64_t updates(const Pending& pending) {
  return static_cast<std::int64_t>(pending.body().at("result").as_array().size());
}

TEST_F(BotServerTest, B4_answers_in_the_documented_envelope) {
  const auto answer = ask(method("GETME"));
  EXPECT_EQ(answer->status(), 200);
  EXPECT_TRUE(answer->body().at("ok").as_bool());
  EXPECT_EQ(answer->body().at("result").at("id").as_int64(), 4242);
}

TEST_F(BotServerTest, B5_refuses_by_path_token_and_method_with_the_servers_own_words) {
  const std::vector<std::tuple<std::string, int, std::string>> cases = {
      {"/", 404, "Not Found"},
      {"/file/bot1:a/x", 404, "Not Found"},
      {"/bot1:a", 404, "Not Found"},
      {"/bot1:a/testing", 404, "Not Found"},
      {"/bot0:a/getMe", 401, "Unauthorized: invalid token specified"},
      {"/botabc/getMe", 401, "Unauthorized: invalid token specified"},
      {"/bot-5:a/getMe", 401, "Unauthorized: invalid token specified"},
      {"/botx1:a/getMe", 421, "Misdirected Request: unallowed token specified"},
      {"/bot7:unknown/getMe", 401, "Unauthorized"},
      {method("test/getMe"), 401, "Unauthorized"},
      {method("sendPigeon"), 404, "Not Found: method not found"},
  };
  for (const auto& [target, status, description] : cases) {
    const auto answer = ask(target);
    EXPECT_EQ(answer->status(), status) << target;
    EXPECT_FALSE(answer->body().at("ok").as_bool()) << target;
    EXPECT_EQ(answer->body().at("error_code").as_int64(), status) << target;
    EXPECT_EQ(answer->body().at("description").as_string(), description) << target;
  }
}

TEST_F(BotServerTest, B1_keeps_a_queue_of_its_own_for_the_test_environment) {
  server->add_bot(token, 2, true).add("message", "{}");
  EXPECT_EQ(updates(*ask(method("getUpdates"))), 0);
  EXPECT_EQ(updates(*ask(method("test/getUpdates"))), 1);
}

TEST_F(BotServerTest, B1_takes_the_method_from_a_parameter_when_the_path_has_none) {
  EXPECT_EQ(ask(method("?method=getMe"))->status(), 200);
}

TEST_F(BotServerTest, B2_reads_parameters_from_query_json_and_form_and_the_query_wins) {
  const std::string json_body = R"({"chat_id":"-1001","text":"from the body"})";
  auto answer = ask(method("sendMessage?text=from+the%20query"), json_body, "application/json");
  EXPECT_EQ(answer->body().at("result").at("text").as_string(), "from the query");
  EXPECT_EQ(answer->body().at("result").at("chat").at("id").as_int64(), -1001);
  EXPECT_EQ(answer->body().at("result").at("message_id").as_int64(), 1);
  answer = ask(method("sendMessage"), "chat_id=5&text=a%26b", "application/x-www-form-urlencoded");
  EXPECT_EQ(answer->body().at("result").at("text").as_string(), "a&b");
  EXPECT_EQ(answer->body().at("result").at("message_id").as_int64(), 2);
  EXPECT_EQ(answer->body().at("result").at("date").as_int64(), to_millis(clock.wall()) / 1000);
  ASSERT_EQ(server->calls().size(), 2U);
  EXPECT_EQ(server->calls()[1].method, "sendMessage");
  EXPECT_EQ(server->calls()[1].chat, 5);
  EXPECT_EQ(server->calls()[1].end, CallRecord::End::answered);
}

TEST_F(BotServerTest, B2_broken_json_behaves_as_missing_parameters) {
  const auto answer = ask(method("sendMessage"), R"({"chat_id":1,"text":)", "application/json");
  EXPECT_EQ(answer->status(), 400);
  EXPECT_EQ(answer->body().at("description").as_string(), "Bad Request: message text is empty");
}

TEST_F(BotServerTest, a_poll_finds_what_is_queued_at_once) {
  account.add("message", "{}");
  account.add("chat_member", "{}");
  EXPECT_EQ(updates(*ask(method("getUpdates?timeout=30"))), 1);
}

TEST_F(BotServerTest, B13_allowed_updates_stay_until_changed_and_decide_at_creation) {
  ask(method("getUpdates"), R"({"allowed_updates":["Chat_Member"]})", "application/json");
  EXPECT_FALSE(account.add("message", "{}"));
  EXPECT_TRUE(account.add("chat_member", "{}"));
  ask(method("getUpdates?allowed_updates=nonsense"));
  EXPECT_FALSE(account.add("message", "{}"));
  ask(method("getUpdates?allowed_updates=[]"));
  EXPECT_TRUE(account.add("message", "{}"));
  EXPECT_FALSE(account.add("chat_member", "{}"));
}

TEST_F(BotServerTest, B10_a_waiting_poll_is_answered_soon_after_the_first_update_with_the_whole_burst) {
  const auto poll = waiting("timeout=30");
  account.add("message", "{}");
  account.add("message", "{}");
  finish(*poll);
  EXPECT_EQ(updates(*poll), 2);
}

TEST_F(BotServerTest, a_waiting_poll_ends_empty_at_its_timeout) {
  const auto poll = waiting("timeout=30");
  clock.advance(29s);
  io.poll();
  EXPECT_FALSE(poll->ended());
  clock.advance(1s);
  until([&] { return poll->ended(); });
  EXPECT_EQ(poll->status(), 200);
  EXPECT_EQ(updates(*poll), 0);
}

TEST_F(BotServerTest, B11_F9_a_newer_waiting_poll_ends_the_older_one_with_409) {
  const auto older = waiting("timeout=30");
  const auto newer = waiting("timeout=30&offset=-1");
  until([&] { return older->ended(); });
  EXPECT_EQ(older->status(), 409);
  EXPECT_EQ(
      older->body().at("description").as_string(),
      "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running");
  const auto third = waiting("timeout=30&offset=-2");
  io.poll();
  EXPECT_FALSE(newer->ended()) << "a second 409 within 3 s is held back";
  clock.advance(3s);
  until([&] { return newer->ended(); });
  EXPECT_EQ(newer->status(), 409);
  account.add("message", "{}");
  finish(*third);
  EXPECT_EQ(updates(*third), 1);
}

TEST_F(BotServerTest, B11_a_short_poll_does_not_disturb_the_waiting_one) {
  const auto poll = waiting("timeout=30&offset=-1");
  EXPECT_EQ(updates(*ask(method("getUpdates"))), 0);
  account.add("message", "{}");
  finish(*poll);
  EXPECT_EQ(poll->status(), 200);
}

TEST_F(BotServerTest, nothing_is_confirmed_by_a_poll_whose_client_has_gone) {
  const auto poll = waiting("timeout=30");
  poll->tcp.close();
  until([&] { return account.waiting == nullptr; });
  EXPECT_EQ(server->calls().back().end, CallRecord::End::cut_off);
  account.add("message", "{}");
  clock.advance(1s);
  EXPECT_EQ(updates(*ask(method("getUpdates"))), 1);
}

TEST_F(BotServerTest, counts_deliveries_and_what_the_next_offset_acknowledges) {
  const auto first = account.add("message", "{}");
  account.add("message", "{}");
  ask(method("getUpdates"));
  ask(method("getUpdates?timeout=1"));
  EXPECT_EQ(account.deliveries.delivered(), 3) << "the same offset at once gets one update only";
  EXPECT_EQ(account.deliveries.acknowledged(), 0);
  ask(method("getUpdates?offset=") + std::to_string(first->value() + 1));
  EXPECT_EQ(account.deliveries.acknowledged(), 1);
}

TEST_F(BotServerTest, B16_deleteWebhook_can_drop_what_is_pending) {
  account.add("message", "{}");
  EXPECT_EQ(ask(method("getWebhookInfo"))->body().at("result").at("pending_update_count").to_number<int>(),
            1);
  const auto answer = ask(method("deleteWebhook?drop_pending_updates=Yes"));
  EXPECT_EQ(answer->body().at("description").as_string(), "Webhook is already deleted");
  EXPECT_EQ(account.queue.size(), 0U);
}

TEST_F(BotServerTest, F12_scripted_faults_hit_before_or_after_the_effect) {
  std::vector<Fault> script = {Fault::hang_up(), Fault::hang_up_after(), Fault::status(502),
                               Fault::flood(7s)};
  std::size_t next = 0;
  server->set_faults([&](const CallRecord&) { return next < script.size() ? script[next++] : Fault(); });
  const std::string send = method("sendMessage?chat_id=1&text=x");
  EXPECT_EQ(ask(send)->answer, "closed");
  EXPECT_EQ(ask(send)->answer, "closed");
  EXPECT_EQ(ask(send)->status(), 502);
  const auto flood = ask(send);
  EXPECT_EQ(flood->status(), 429);
  EXPECT_THAT(flood->answer, HasSubstr("Retry-After: 7\r\n"));
  EXPECT_EQ(flood->body().at("parameters").at("retry_after").as_int64(), 7);
  EXPECT_EQ(flood->body().at("description").as_string(), "Too Many Requests: retry after 7");
  EXPECT_EQ(ask(send)->body().at("result").at("message_id").as_int64(), 2);
  std::vector<bool> effects;
  for (const CallRecord& call : server->calls()) effects.push_back(call.took_effect);
  EXPECT_EQ(effects, std::vector<bool>({false, true, false, false, true}));
}

TEST_F(BotServerTest, a_scripted_late_answer_comes_late_but_takes_effect_at_once) {
  server->set_faults([](const CallRecord&) { return Fault::late_answer(10s); });
  const auto answer = start(method("sendMessage?chat_id=1&text=x"));
  until([&] { return !server->calls().empty() && server->calls().back().took_effect; });
  io.poll();
  EXPECT_FALSE(answer->ended());
  clock.advance(10s);
  until([&] { return answer->ended(); });
  EXPECT_EQ(answer->status(), 200);
}

TEST_F(BotServerTest, B32_a_stop_answers_the_waiting_poll_with_nothing) {
  const auto poll = waiting("timeout=30");
  test::run(io, server->stop(1s));
  until([&] { return poll->ended(); });
  EXPECT_EQ(updates(*poll), 0);
}

}  // namespace
}  // namespace tgkeep::emulator
