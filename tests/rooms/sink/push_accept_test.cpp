#include <gtest/gtest.h>

#include "rooms/sink/push_bench.hpp"
#include "sink/push_sink.hpp"

namespace tgkeep::sink {
namespace {

using namespace std::chrono_literals;
using Kind = Outcome::Kind;
using test::Push;
using test::PushBench;

class PushAccept : public PushBench {
 protected:
  void SetUp() override {
    PushBench::SetUp();
    options.accept_202 = true;
    options.settle_url = "http://127.0.0.1:8480/settle/";
    answer = http::ServerReply(202);
  }
  std::string settle_url() {
    const std::string* const value = http::find_header(requests.back().headers, "Tgkeep-Settle-Url");
    return value == nullptr ? "absent" : *value;
  }
  static http::ServerRequest settlement(const std::string& settle_url, const std::string& body) {
    http::ServerRequest request;
    request.method = "POST";
    request.target = settle_url.substr(std::string("http://127.0.0.1:8480").size());
    request.body = body;
    return request;
  }
  http::ServerReply settle(const std::string& settle_url, const std::string& body) {
    return test::run(io, sink->settle(settlement(settle_url, body)));
  }
  /// A delivery the bot has accepted.
  Push& accepted(std::int64_t id) {
    const std::size_t before = requests.size();
    const std::size_t alarms = clock.alarms();
    Push& push = start(item(id));
    pump([&] { return requests.size() > before && clock.alarms() > alarms; });
    return push;
  }
};

TEST_F(PushAccept, P4_a_202_is_settled_later_at_the_url_of_its_request) {
  Push& push = accepted(1);
  EXPECT_EQ(settle_url().size(), options.settle_url.size() + 32);
  EXPECT_FALSE(push.ended());
  EXPECT_EQ(settle(settle_url(), R"({"action":"done","calls":[{"method":"sendDice"}]})").status, 200);
  pump([&] { return push.ended(); });
  EXPECT_EQ(push.outcome->kind, Kind::done);
  EXPECT_EQ(push.outcome->calls.at(0).method, "sendDice");
}

TEST_F(PushAccept, P6_an_accepted_one_gives_its_place_to_the_next) {
  options.concurrency = 1;
  for (int id = 1; id <= 5; ++id) accepted(id);
  EXPECT_EQ(requests.size(), 5U);
  EXPECT_EQ(most_open, 1U);
  std::vector<std::string> urls;
  for (const auto& request : requests)
    urls.push_back(*http::find_header(request.headers, "Tgkeep-Settle-Url"));
  EXPECT_EQ(settle(urls.at(3), R"({"action":"retry"})").status, 200);
  pump([&] { return pushes.at(3).ended(); });
  EXPECT_FALSE(pushes.at(0).ended());
  for (const std::string& url : urls) settle(url, R"({"action":"done"})");
  pump([&] { return running == 0; });
  EXPECT_EQ(pushes.at(3).outcome->kind, Kind::retry);
  EXPECT_EQ(pushes.at(4).outcome->kind, Kind::done);
}

TEST_F(PushAccept, P3_each_attempt_has_a_url_of_its_own_and_an_old_one_settles_nothing) {
  accepted(1);
  const std::string first = settle_url();
  clock.advance(5min);
  pump([&] { return pushes.at(0).ended(); });
  EXPECT_EQ(pushes.at(0).outcome->kind, Kind::retry);
  accepted(1);
  EXPECT_NE(settle_url(), first);
  EXPECT_EQ(settle(first, R"({"action":"done"})").status, 404);
  EXPECT_FALSE(pushes.at(1).ended());
  EXPECT_EQ(settle(settle_url(), R"({"action":"done"})").status, 200);
  pump([&] { return pushes.at(1).ended(); });
}

TEST_F(PushAccept, P4_a_settlement_while_the_request_is_open_counts_whatever_the_answer) {
  for (const int status : {202, 200, 500, 410}) {
    answer = http::ServerReply(status);
    hold = true;
    gate_open = false;
    const std::size_t before = requests.size();
    Push& push = start(item(1));
    pump([&] { return requests.size() > before; });
    std::optional<http::ServerReply> taken;
    auto on_end = [&taken](const std::exception_ptr&, http::ServerReply reply) { taken = std::move(reply); };
    asio::co_spawn(io, sink->settle(settlement(settle_url(), R"({"action":"dead","reason":"early"})")),
                   std::move(on_end));
    settle_down();
    clock.advance(100ms);
    settle_down();
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->status, 202);
    EXPECT_FALSE(push.ended()) << "the bot's answer is waited for";
    gate_open = true;
    gate.notify();
    pump([&] { return push.ended(); });
    EXPECT_EQ(push.outcome->kind, Kind::dead) << status;
    EXPECT_EQ(push.outcome->reason, "early");
  }
}

TEST_F(PushAccept, P4_other_answers_settle_at_once_and_close_the_url) {
  EXPECT_EQ(deliver_once(200).kind, Kind::done);
  EXPECT_EQ(settle(settle_url(), R"({"action":"retry"})").status, 404);
  EXPECT_EQ(deliver_once(500).kind, Kind::retry);
  EXPECT_EQ(settle(settle_url(), R"({"action":"done"})").status, 404);
}

TEST_F(PushAccept, P9_accepted_ones_end_at_once_when_cancelled) {
  Push& push = accepted(1);
  push.cancel.emit(asio::cancellation_type::terminal);
  pump([&] { return push.ended(); });
  EXPECT_NE(push.thrown().find("accepted by the bot"), std::string::npos) << push.thrown();
  EXPECT_EQ(settle(settle_url(), R"({"action":"done"})").status, 404);
}

TEST_F(PushAccept, P4_strangers_at_the_settle_url_change_nothing_and_the_bot_settles_over_http) {
  options.settle_url = url("/settle/");
  Push& push = accepted(1);
  const auto post = [&](const std::string& target, const std::string& body) {
    http::ClientRequest request("POST", target);
    request.body = body;
    const auto answer = test::run(io, client.send(std::move(request)));
    return answer ? answer->status : 0;
  };
  for (int i = 0; i < 200; ++i) {
    std::string wrong = settle_url();
    char& digit = wrong[wrong.size() - 1 - static_cast<std::size_t>(i % 32)];
    digit = digit == '0' ? '1' : '0';
    ASSERT_EQ(post(wrong, R"({"action":"done"})"), 404);
  }
  EXPECT_EQ(post(settle_url(), std::string(2U << 20, 'x')), 413);
  EXPECT_EQ(post(settle_url(), std::string(1U << 19, '[')), 400);
  EXPECT_FALSE(push.ended());
  EXPECT_EQ(post(settle_url(), R"({"action":"done"})"), 200);
  pump([&] { return push.ended(); });
  EXPECT_EQ(push.outcome->kind, Kind::done);
}

TEST_F(PushAccept, without_the_option_a_202_is_done) {
  options.accept_202 = false;
  EXPECT_EQ(deliver_once(202).kind, Kind::done);
  EXPECT_EQ(settle_url(), "absent");
}

}  // namespace
}  // namespace tgkeep::sink
