// Faults of calls on the wire, alone and by seeded mix.

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "emulator/faults/fault_plan.hpp"
#include "emulator/faults/fault_text.hpp"
#include "rooms/emulator/api_scene.hpp"
#include "rooms/http/raw_tcp.hpp"

namespace tgkeep::emulator {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

struct Heard {
  std::string bytes;
  bool reset = false;
};

test::asio::awaitable<void> hear(test::RawTcp& tcp, std::uint16_t port, std::string request, Heard& heard) {
  co_await tcp.connect(port);
  co_await tcp.send(std::move(request));
  std::array<char, 4096> piece;
  for (;;) {
    const auto [error, size] = co_await tcp.socket().async_read_some(
        test::asio::buffer(piece), test::asio::as_tuple(test::asio::use_awaitable));
    heard.bytes.append(piece.data(), size);
    heard.reset = error == test::asio::error::connection_reset;
    if (error) break;
  }
}

class WireFaults : public ApiScene {
 protected:
  void strike(std::string_view rule) {
    plan = FaultPlan();
    plan.add(read_fault_rule(json::parse(rule).as_object()).value());
    server->set_faults([this](const CallRecord& call) { return plan.decide(call); });
    server->set_early_faults([this](std::string_view method) { return plan.decide_early(method); });
  }
  /// What a client hears from one sendMessage.
  Heard send() {
    const std::string body = R"({"chat_id":5,"text":"x"})";
    std::string request =
        "POST /bot" + std::string(token) + "/sendMessage HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
    request += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
               "\r\n\r\n" + body;
    Heard heard;
    test::RawTcp tcp(io);
    test::run(io, hear(tcp, server->port(), std::move(request), heard));
    return heard;
  }
  /// Starts a call, and returns when the server has come to wait.
  void begin() {
    answer.reset();
    const std::size_t before = server->calls().size();
    http::ClientRequest request(
        "GET", server->root() + "/bot" + std::string(token) + "/sendMessage?chat_id=5&text=x");
    test::asio::co_spawn(
        io, client.send(std::move(request)),
        [this](std::exception_ptr, http::ClientResult result) { answer = std::move(result); });
    io.restart();
    while (server->calls().size() == before && io.run_one() > 0) {
    }
    io.poll();
  }
  /// Lets the call end; a hanging one ends with the server.
  void finish(bool hangs = false) {
    if (hangs) test::run(io, server->stop(0s));
    io.restart();
    while (!answer && io.run_one() > 0) {
    }
  }
  bool took_effect() const { return server->calls().back().took_effect; }

  FaultPlan plan;
  std::optional<http::ClientResult> answer;
};

TEST_F(WireFaults, F12_a_reset_before_the_effect_leaves_nothing_done) {
  strike(R"({"fault":"reset"})");
  const Heard heard = send();
  EXPECT_EQ(heard.bytes, "");
  EXPECT_TRUE(heard.reset);
  EXPECT_FALSE(took_effect());
}

TEST_F(WireFaults, F12_an_answer_can_be_lost_after_the_effect) {
  for (const char* rule : {R"({"fault":"reset_after"})", R"({"fault":"hang_up_after"})"}) {
    strike(rule);
    const Heard heard = send();
    EXPECT_EQ(heard.bytes, "");
    EXPECT_TRUE(took_effect());
    EXPECT_EQ(server->calls().back().end, CallRecord::End::hung_up);
  }
}

TEST_F(WireFaults, F12_a_reset_while_the_body_comes_is_no_call_at_all) {
  strike(R"({"fault":"reset_early","times":1})");
  EXPECT_TRUE(send().reset);
  EXPECT_TRUE(server->calls().empty());
  EXPECT_THAT(send().bytes, StartsWith("HTTP/1.1 200"));
}

TEST_F(WireFaults, F8_an_answer_can_end_in_the_middle) {
  strike(R"({"fault":"cut","bytes":100})");
  const Heard heard = send();
  EXPECT_EQ(heard.bytes.size(), 100U);
  EXPECT_THAT(heard.bytes, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(took_effect());
}

TEST_F(WireFaults, F8_an_answer_can_drip) {
  strike(R"({"fault":"drip","delay":0.001})");
  EXPECT_THAT(send().bytes, HasSubstr("\"text\":\"x\"}}"));
}

TEST_F(WireFaults, F8_a_page_nothing_and_broken_json_come_in_place_of_an_answer) {
  strike(R"({"fault":"html"})");
  EXPECT_THAT(send().bytes,
              testing::AllOf(StartsWith("HTTP/1.1 502"), HasSubstr("text/html"), HasSubstr("<html>")));
  strike(R"({"fault":"empty"})");
  EXPECT_THAT(send().bytes, testing::AllOf(StartsWith("HTTP/1.1 200"), testing::EndsWith("\r\n\r\n")));
  strike(R"({"fault":"broken_json"})");
  EXPECT_THAT(send().bytes, testing::EndsWith("{\"upda"));
  EXPECT_FALSE(took_effect());
}

TEST_F(WireFaults, F8_errors_and_floods_come_in_the_envelope) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"fault":"status","status":500})", R"("error_code":500,"description":"Internal Server Error")"},
      {R"({"fault":"flood","retry_after":10000})", "\"retry_after\":10000"},
      {R"({"fault":"unauthorized"})", R"("error_code":401,"description":"Unauthorized")"},
      {R"({"fault":"blocked"})", "bot was blocked by the user"},
      {R"({"fault":"too_large"})", "Request Entity Too Large"},
      {R"({"fault":"conflict"})", "terminated by other getUpdates request"},
  };
  for (const auto& [rule, words] : cases) {
    strike(rule);
    EXPECT_THAT(send().bytes, HasSubstr(words));
    EXPECT_FALSE(took_effect());
  }
}

TEST_F(WireFaults, F8_a_call_can_hang_for_ever) {
  strike(R"({"fault":"hang"})");
  begin();
  EXPECT_FALSE(answer);
  EXPECT_FALSE(took_effect());
  finish(true);
}

TEST_F(WireFaults, F8_a_call_can_take_effect_and_never_answer) {
  strike(R"({"fault":"hang_after"})");
  begin();
  EXPECT_FALSE(answer);
  EXPECT_TRUE(took_effect());
  finish(true);
}

TEST_F(WireFaults, F12_a_slow_reply_comes_late_and_takes_effect_before_or_after_the_wait) {
  strike(R"({"fault":"late_answer","delay":8})");
  begin();
  EXPECT_TRUE(took_effect());
  EXPECT_FALSE(answer);
  clock.advance(8s);
  finish();
  EXPECT_EQ((*answer)->status, 200);
  strike(R"({"fault":"late","delay":8})");
  begin();
  EXPECT_FALSE(took_effect());
  clock.advance(8s);
  finish();
  EXPECT_TRUE(took_effect());
}

CallRecord call_of(std::string_view method, std::int64_t chat) {
  CallRecord record;
  record.method = method;
  record.chat = chat;
  record.bot = BotId(1);
  return record;
}

FaultRule rule_of(std::string_view text) {
  return read_fault_rule(json::parse(text).as_object()).value();
}

TEST(FaultPlan, strikes_whom_it_names_after_so_many_and_so_often) {
  FaultPlan plan;
  plan.add(rule_of(R"({"fault":"hang_up","methods":["SENDmessage"],"chat":5,"after":1,"times":2})"));
  EXPECT_EQ(plan.decide(call_of("getMe", 5)).kind, Fault::Kind::none);
  EXPECT_EQ(plan.decide(call_of("sendMessage", 6)).kind, Fault::Kind::none);
  std::vector<bool> struck;
  for (int i = 0; i < 4; ++i)
    struck.push_back(plan.decide(call_of("sendMessage", 5)).kind == Fault::Kind::hang_up);
  EXPECT_EQ(struck, std::vector<bool>({false, true, true, false}));
  EXPECT_EQ(plan.counts().at("hang_up"), 2);
}

TEST(FaultPlan, a_mix_is_the_same_for_the_same_seed) {
  const auto kinds = [](std::uint64_t seed) {
    FaultPlan plan;
    plan.seed(seed);
    plan.add(rule_of(R"({"fault":["reset","flood","html","late"],"share":0.3})"));
    std::vector<Fault::Kind> all;
    for (int i = 0; i < 200; ++i) all.push_back(plan.decide(call_of("sendMessage", 5)).kind);
    return all;
  };
  EXPECT_EQ(kinds(7), kinds(7));
  EXPECT_NE(kinds(7), kinds(8));
  const auto some = kinds(7);
  const auto struck = 200 - std::ranges::count(some, Fault::Kind::none);
  EXPECT_GT(struck, 30);
  EXPECT_LT(struck, 90);
}

TEST(FaultPlan, rules_that_can_not_be_read_say_why) {
  const auto why = [](std::string_view text) {
    return read_fault_rule(json::parse(text).as_object()).error().description;
  };
  EXPECT_THAT(why(R"({"fault":"gremlins"})"), HasSubstr("gremlins"));
  EXPECT_THAT(why(R"({"fault":"webhook_gremlins"})"), HasSubstr("webhook_gremlins"));
  EXPECT_THAT(why(R"({"fault":["reset","webhook_twice"]})"), HasSubstr("either"));
  EXPECT_THAT(why(R"({"fault":"reset","share":"much"})"), HasSubstr("share"));
}

}  // namespace
}  // namespace tgkeep::emulator
