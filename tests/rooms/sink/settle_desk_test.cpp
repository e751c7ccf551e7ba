#include "sink/settle_desk.hpp"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <set>

#include "loop/virtual_clock.hpp"
#include "support/random.hpp"

namespace tgkeep::sink {
namespace {

using namespace std::chrono_literals;
using Kind = Outcome::Kind;

class SettleDeskTest : public testing::Test {
 protected:
  /// What a bot's 202 starts.
  void accept() {
    auto on_end = [this](const std::exception_ptr& error, Outcome result) {
      failure = error;
      if (!error) outcome = std::move(result);
      ticket.reset();
      if (outcome && outcome->receipt && !holds_writes) outcome->receipt->settled(true);
    };
    asio::co_spawn(io, ticket->wait(), asio::bind_cancellation_slot(cancel.slot(), std::move(on_end)));
    run_for(0s);
  }
  void run_for(Duration duration) {
    io.restart();
    loop::run_for(io, clock, duration);
  }
  SettleReply send(const std::string& body, std::string target = {}, const std::string& method = "POST") {
    http::ServerRequest request;
    request.method = method;
    request.target = target.empty() ? "/settle/" + token : std::move(target);
    request.body = body;
    return desk.answer(request);
  }
  http::ServerReply ask(const std::string& body, std::string target = {},
                        const std::string& method = "POST") {
    SettleReply taken = send(body, std::move(target), method);
    http::ServerReply reply = wait(taken);
    EXPECT_EQ(reply.content_type, "application/json");
    const boost::json::value said = boost::json::parse(reply.body);
    EXPECT_EQ(said.at("ok").as_bool(), reply.status == 200 || reply.status == 202);
    EXPECT_EQ(said.as_object().contains("error"), !said.at("ok").as_bool());
    EXPECT_EQ(reply.body.find(token), std::string::npos) << "a reply repeats no token";
    return reply;
  }
  int status(const std::string& body) { return ask(body).status; }
  /// Until it is answered.
  http::ServerReply wait(SettleReply& taken) {
    std::optional<http::ServerReply> answered;
    auto on_end = [&answered](const std::exception_ptr& error, http::ServerReply reply) {
      if (!error) answered = std::move(reply);
    };
    asio::co_spawn(io, taken.when_written(clock), std::move(on_end));
    for (const Duration more : {Duration(0s), Duration(100ms), Duration(5s)}) {
      if (!answered) run_for(more);
    }
    EXPECT_TRUE(answered);
    return answered.value_or(http::ServerReply(0, "{}"));
  }

  asio::io_context io{1};
  loop::VirtualClock clock;
  SettleDesk desk{clock, 5min};
  std::optional<SettleDesk::Ticket> ticket{std::in_place, desk, io.get_executor()};
  std::string token = ticket->token();
  asio::cancellation_signal cancel;
  std::optional<Outcome> outcome;
  std::exception_ptr failure;
  bool holds_writes = false;
};

TEST_F(SettleDeskTest, P4_an_accepted_delivery_is_done_when_the_bot_says_so) {
  accept();
  run_for(4min);
  EXPECT_FALSE(outcome);
  EXPECT_EQ(ask(R"({"action":"done","calls":[{"method":"sendDice","params":{"chat_id":1}}]})").body,
            R"({"ok":true,"action":"done"})");
  run_for(0s);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->kind, Kind::done);
  EXPECT_EQ(outcome->calls.at(0).params, R"({"chat_id":1})");
  EXPECT_EQ(desk.size(), 0U);
}

TEST_F(SettleDeskTest, P4_retry_and_dead_are_its_other_words) {
  accept();
  EXPECT_EQ(status(R"({"action":"retry","after":90,"error":"busy"})"), 200);
  run_for(0s);
  EXPECT_EQ(outcome->kind, Kind::retry);
  EXPECT_EQ(outcome->after, Duration(90s));
  ticket.emplace(desk, io.get_executor());
  token = ticket->token();
  accept();
  EXPECT_EQ(status(R"({"action":"dead","reason":"spam"})"), 200);
  run_for(0s);
  EXPECT_EQ(outcome->kind, Kind::dead);
  EXPECT_EQ(outcome->reason, "spam");
}

TEST_F(SettleDeskTest, P3_without_a_renewal_the_lease_ends_and_it_comes_again) {
  accept();
  run_for(5min - 1ms);
  EXPECT_FALSE(outcome);
  run_for(1ms);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->kind, Kind::retry);
  EXPECT_EQ(outcome->target, Outcome::Target::failed);
  EXPECT_NE(outcome->error.find("the lease ended"), std::string::npos);
  EXPECT_EQ(status(R"({"action":"done"})"), 404) << "too late: another attempt may run already";
}

TEST_F(SettleDeskTest, P4_renewals_keep_it_for_hours) {
  accept();
  for (int i = 0; i < 100; ++i) {
    run_for(4min);
    EXPECT_EQ(status(R"({"action":"renew"})"), 200);
  }
  EXPECT_FALSE(outcome);
  run_for(5min);
  EXPECT_EQ(outcome->kind, Kind::retry);
}

TEST_F(SettleDeskTest, a_renewal_may_be_shorter_or_longer_and_says_until_when_it_holds) {
  accept();
  const auto said = boost::json::parse(ask(R"({"action":"renew","seconds":1800})").body);
  EXPECT_EQ(said.at("seconds").as_int64(), 1800);
  EXPECT_EQ(said.at("deadline").as_int64(), to_millis(clock.wall()) / 1000 + 1800);
  run_for(29min);
  EXPECT_FALSE(outcome);
  EXPECT_EQ(status(R"({"action":"renew","seconds":3601})"), 400);
  EXPECT_EQ(status(R"({"action":"renew","seconds":10})"), 200);
  run_for(10s);
  EXPECT_TRUE(outcome);
}

TEST_F(SettleDeskTest, P4_a_settlement_before_the_202_counts_and_is_written_after_it) {
  const std::string early = ask(R"({"action":"done"})").body;
  EXPECT_EQ(early, R"({"ok":true,"action":"done","written":false})");
  accept();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->kind, Kind::done);
  EXPECT_EQ(ask(R"({"action":"done"})").body, R"({"ok":true,"action":"done","repeated":true})");
}

TEST_F(SettleDeskTest, P4_a_202_that_comes_in_after_the_settlement_is_waited_for_a_moment) {
  SettleReply taken = send(R"({"action":"done"})");
  std::optional<http::ServerReply> answered;
  auto on_end = [&answered](const std::exception_ptr&, http::ServerReply reply) {
    answered = std::move(reply);
  };
  asio::co_spawn(io, taken.when_written(clock), std::move(on_end));
  run_for(99ms);
  EXPECT_FALSE(answered);
  accept();
  ASSERT_TRUE(answered);
  EXPECT_EQ(answered->status, 200);
}

TEST_F(SettleDeskTest, P4_P6_200_comes_only_after_the_store_has_written_it) {
  holds_writes = true;
  accept();
  SettleReply first = send(R"({"action":"done"})");
  std::optional<http::ServerReply> answered;
  auto on_end = [&answered](const std::exception_ptr&, http::ServerReply reply) {
    answered = std::move(reply);
  };
  asio::co_spawn(io, first.when_written(clock), std::move(on_end));
  run_for(5s - 1ms);
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(answered);
  run_for(1ms);
  EXPECT_EQ(answered->status, 503);
  EXPECT_EQ(*http::find_header(answered->headers, "Retry-After"), "1");
  SettleReply again = send(R"({"action":"done"})");
  outcome->receipt->settled(true);
  EXPECT_EQ(wait(again).status, 200);
}

TEST_F(SettleDeskTest, P4_a_settlement_holds_however_long_its_request_stays_open) {
  EXPECT_EQ(status(R"({"action":"done"})"), 202);
  run_for(1h);
  EXPECT_EQ(status(R"({"action":"dead"})"), 409);
  EXPECT_EQ(status(R"({"action":"renew"})"), 409);
  EXPECT_EQ(status(R"({"action":"done"})"), 202);
  accept();
  EXPECT_EQ(outcome->kind, Kind::done);
}

TEST_F(SettleDeskTest, a_renewal_before_the_202_is_never_shortened_by_it) {
  EXPECT_EQ(status(R"({"action":"renew","seconds":3600})"), 200);
  accept();
  run_for(59min);
  EXPECT_FALSE(outcome);
}

TEST_F(SettleDeskTest, P9_a_cancellation_ends_the_wait_at_once) {
  accept();
  cancel.emit(asio::cancellation_type::terminal);
  run_for(0s);
  ASSERT_TRUE(failure);
  EXPECT_THROW(std::rethrow_exception(failure), boost::system::system_error);
  EXPECT_EQ(status(R"({"action":"done"})"), 404);
}

TEST_F(SettleDeskTest, P4_a_settlement_that_was_taken_survives_a_cancellation_at_the_same_moment) {
  accept();
  SettleReply taken = send(R"({"action":"done"})");
  cancel.emit(asio::cancellation_type::terminal);
  run_for(0s);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->kind, Kind::done);
}

TEST_F(SettleDeskTest, P4_a_settlement_at_the_moment_the_lease_ends_is_either_taken_or_refused) {
  accept();
  clock.advance(5min);  // the alarm has rung, the delivery is not yet awake
  SettleReply taken = send(R"({"action":"done"})");
  EXPECT_EQ(wait(taken).status, 200);
  EXPECT_EQ(outcome->kind, Kind::done);
}

TEST_F(SettleDeskTest, a_repeated_settlement_is_told_the_same_for_ten_minutes_and_another_one_is_refused) {
  accept();
  EXPECT_EQ(status(R"({"action":"done"})"), 200);
  EXPECT_EQ(ask(R"({"action":"done"})").body, R"({"ok":true,"action":"done","repeated":true})");
  EXPECT_EQ(status(R"({"action":"dead"})"), 409);
  run_for(0s);
  EXPECT_EQ(outcome->kind, Kind::done);
  run_for(9min);
  EXPECT_EQ(status(R"({"action":"done"})"), 200);
  EXPECT_EQ(status(R"({"action":"retry"})"), 409);
  EXPECT_EQ(status(R"({"action":"renew"})"), 409);
  EXPECT_EQ(status("{"), 400);
  run_for(1min);
  EXPECT_EQ(status(R"({"action":"done"})"), 404);
}

TEST_F(SettleDeskTest, strangers_learn_nothing_and_change_nothing) {
  accept();
  std::string near = token;
  near.back() = near.back() == '0' ? '1' : '0';
  std::string upper = token + "A";
  for (const std::string& target :
       {std::string("/settle/"), "/settle/" + near, "/settle/" + token.substr(1), "/settle/" + token + "0",
        "/settle/" + token + "/", std::string("/"), std::string(), std::string("/settle/?" + token), upper,
        "/settle/" + std::string(100'000, 'a'), std::string("/settle/zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz")}) {
    http::ServerRequest request;
    request.method = "POST";
    request.target = target;
    request.body = "{";  // not even looked at
    SettleReply reply = desk.answer(request);
    EXPECT_EQ(wait(reply).status, 404) << target.substr(0, 60);
  }
  for (const char* const method : {"GET", "PUT", "DELETE", "HEAD", ""}) {
    http::ServerRequest request;
    request.method = method;
    request.target = "/settle/" + token;
    request.body = R"({"action":"done"})";
    SettleReply taken = desk.answer(request);
    const http::ServerReply reply = wait(taken);
    EXPECT_EQ(reply.status, 405);
    EXPECT_EQ(*http::find_header(reply.headers, "Allow"), "POST");
  }
  EXPECT_EQ(status(std::string(kMaxSettleBody + 1, ' ')), 413);
  EXPECT_EQ(status(R"({"action":"explode"})"), 400);
  run_for(0s);
  EXPECT_FALSE(outcome);
  EXPECT_EQ(ask(R"({"action":"done"})", "/any/prefix/" + token + "?query=1").status, 200);
}

TEST_F(SettleDeskTest, tokens_are_32_hex_digits_and_differ) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const SettleToken token = SettleToken::random();
    EXPECT_EQ(token.text().size(), 32U);
    EXPECT_TRUE(SettleToken::parse(token.text()) == token);
    EXPECT_TRUE(seen.insert(token.text()).second);
  }
  for (const char* const text : {"", "0", "0123456789ABCDEF0123456789ABCDEF",
                                 "0123456789abcdef0123456789abcdeg", "0123456789abcdef0123456789abcdef0"})
    EXPECT_FALSE(SettleToken::parse(text)) << text;
}

TEST_F(SettleDeskTest, P4_random_interleavings_give_each_delivery_the_settlement_that_was_taken_first) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  ticket.reset();
  for (int round = 0; round < 500; ++round) {
    outcome.reset();
    failure = nullptr;
    ticket.emplace(desk, io.get_executor());
    token = ticket->token();
    std::string taken;
    bool waiting = false;
    for (int step = 0; step < 12 && !outcome && !failure; ++step) {
      const auto dice = random.between(0, 7);
      const std::string action =
          dice < 3 ? std::vector<std::string>{"done", "retry", "dead"}[static_cast<std::size_t>(dice)]
                   : "renew";
      if (dice < 4) {
        const int answer = status(R"({"action":")" + action + "\"}");
        const int yes = waiting || action == "renew" ? 200 : 202;
        if (action != "renew" && answer == yes && taken.empty()) taken = action;
        EXPECT_EQ(answer, taken.empty() || taken == action ? yes : 409);
      } else if (dice == 4 && !waiting) {
        accept();
        waiting = true;
      } else if (dice == 5) {
        clock.advance(std::chrono::seconds(random.between(0, 400)));
      } else if (dice == 6 && waiting) {
        cancel.emit(asio::cancellation_type::terminal);
      } else if (dice == 7) {
        run_for(0s);
      }
    }
    if (!waiting) accept();
    run_for(2h);
    if (taken.empty()) {
      EXPECT_TRUE(failure || outcome->error.find("the lease ended") != std::string::npos);
    } else {
      ASSERT_TRUE(outcome) << "it was taken, so it counts";
      EXPECT_EQ(outcome->kind, taken == "done" ? Kind::done : taken == "dead" ? Kind::dead : Kind::retry);
    }
    EXPECT_EQ(desk.size(), 0U);
  }
}

}  // namespace
}  // namespace tgkeep::sink
