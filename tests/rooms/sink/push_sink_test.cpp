#include "sink/push_sink.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>

#include "rooms/sink/push_bench.hpp"

namespace tgkeep::sink {
namespace {

using namespace std::chrono_literals;
using Kind = Outcome::Kind;
using Target = Outcome::Target;
using test::Push;
using test::PushBench;

class PushSinkTest : public PushBench {
 protected:
  Outcome deliver_with_retry_after(int status, const std::string& value) {
    answer = http::ServerReply(status);
    answer.headers.emplace_back("Retry-After", value);
    return deliver(item(7));
  }
};

TEST_F(PushSinkTest, P4_any_2xx_is_done_whatever_the_body) {
  for (const int status : {200, 201, 202, 204, 206, 299}) {
    const Outcome outcome = deliver_once(status, status == 204 ? "" : "fine {");
    EXPECT_EQ(outcome.kind, Kind::done) << status;
    EXPECT_EQ(outcome.target, Target::fine);
    EXPECT_TRUE(outcome.calls.empty());
  }
}

TEST_F(PushSinkTest, P4_every_other_status_is_tried_again_and_says_what_it_tells_of_the_receiver) {
  for (const int status : {300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 405, 408, 409,
                           410, 413, 418, 422, 429, 451, 499, 500, 501, 502, 503, 504, 599}) {
    const Outcome outcome = deliver_once(status);
    EXPECT_EQ(outcome.kind, Kind::retry) << status;
    EXPECT_FALSE(outcome.after);
    EXPECT_EQ(outcome.target, status >= 500 ? Target::failed : Target::fine) << status;
    EXPECT_NE(outcome.error.find("answered " + std::to_string(status)), std::string::npos) << outcome.error;
    EXPECT_NE(outcome.error.find("127.0.0.1 port " + std::to_string(server->port())), std::string::npos);
    EXPECT_EQ(outcome.error.find("/hook"), std::string::npos) << "a URL may hold a secret";
  }
  EXPECT_EQ(requests.size(), 26U);
}

TEST_F(PushSinkTest, redirects_are_not_followed) {
  answer = http::ServerReply(307);
  answer.headers.emplace_back("Location", url("/elsewhere"));
  const Outcome outcome = deliver(item(7));
  EXPECT_EQ(requests.size(), 1U);
  EXPECT_NE(outcome.error.find("redirects are not followed"), std::string::npos) << outcome.error;
}

TEST_F(PushSinkTest, rules_name_statuses_and_classes_and_the_exact_one_comes_first) {
  options.rules = {{4, StatusRule::dead}, {409, StatusRule::done}, {404, StatusRule::retry},
                   {5, StatusRule::done}, {429, StatusRule::dead}, {503, StatusRule::done},
                   {2, StatusRule::dead}, {200, StatusRule::dead}};
  const Outcome gone = deliver_once(410);
  EXPECT_EQ(gone.kind, Kind::dead);
  EXPECT_EQ(gone.reason, "status_410");
  EXPECT_EQ(gone.target, Target::fine);
  EXPECT_EQ(deliver_once(409).kind, Kind::done);
  EXPECT_EQ(deliver_once(404).kind, Kind::retry);
  EXPECT_EQ(deliver_once(500).kind, Kind::done);
  EXPECT_EQ(deliver_once(301).kind, Kind::retry);
  // What the protocol itself has a meaning for is no matter of rules.
  EXPECT_EQ(deliver_once(429).kind, Kind::retry);
  EXPECT_EQ(deliver_once(503).kind, Kind::retry);
  EXPECT_EQ(deliver_once(200).kind, Kind::done);
}

TEST_F(PushSinkTest, P4_retry_after_of_429_and_503_is_obeyed_and_counts_no_attempt) {
  for (const int status : {429, 503}) {
    const Outcome outcome = deliver_with_retry_after(status, "17");
    EXPECT_EQ(outcome.kind, Kind::postpone);
    EXPECT_EQ(outcome.after, Duration(17s));
    EXPECT_EQ(outcome.target, status == 503 ? Target::failed : Target::fine);
  }
  EXPECT_EQ(deliver_with_retry_after(503, "Thu, 01 Jan 2026 00:00:30 GMT").after, Duration(30s));
  EXPECT_EQ(deliver_with_retry_after(503, "0").after, Duration(1s));
  EXPECT_EQ(deliver_with_retry_after(503, "99999999999999999999").after, Duration(1h));
  EXPECT_EQ(deliver_with_retry_after(503, "soon").kind, Kind::retry);
  EXPECT_EQ(deliver_with_retry_after(500, "17").kind, Kind::retry);
}

TEST_F(PushSinkTest, P7_nothing_arrived_at_a_closed_port_so_no_attempt_is_counted) {
  asio::ip::tcp::acceptor taken(io, asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  options.url = "http://127.0.0.1:" + std::to_string(taken.local_endpoint().port()) + "/";
  taken.close();
  const Outcome outcome = deliver(item(7));
  EXPECT_EQ(outcome.kind, Kind::postpone);
  EXPECT_EQ(outcome.after, Duration(1s));
  EXPECT_EQ(outcome.target, Target::unreachable);
  EXPECT_NE(outcome.error.find("nothing was sent"), std::string::npos) << outcome.error;
}

TEST_F(PushSinkTest,
       P4_a_connection_that_breaks_before_the_answer_is_a_failed_attempt_that_may_have_been_handled) {
  answer.hang_up = true;
  const Outcome outcome = deliver(item(7));
  EXPECT_EQ(outcome.kind, Kind::retry);
  EXPECT_EQ(outcome.target, Target::failed);
  EXPECT_NE(outcome.error.find("may have arrived and have been handled"), std::string::npos) << outcome.error;
  EXPECT_EQ(requests.size(), 1U) << "never put on the wire twice by itself";
}

TEST_F(PushSinkTest, an_address_that_is_not_allowed_gets_nothing_and_the_error_says_so) {
  http::ClientOptions strict;
  strict.allowed = [](std::string_view address) { return address != "127.0.0.1"; };
  http::Client strict_client(io.get_executor(), strict);
  sink = make_push_sink(clock, strict_client, options, Log());
  const Outcome outcome = deliver(item(7));
  sink.reset();
  EXPECT_EQ(outcome.kind, Kind::postpone);
  EXPECT_EQ(outcome.target, Target::unreachable);
  EXPECT_NE(outcome.error.find("not allowed"), std::string::npos) << outcome.error;
  EXPECT_TRUE(requests.empty());
}

TEST_F(PushSinkTest, P4_no_answer_within_the_timeout_is_a_failed_attempt) {
  hold = true;
  options.timeout = 50ms;
  const Outcome outcome = deliver(item(7));
  EXPECT_EQ(outcome.kind, Kind::retry);
  EXPECT_EQ(outcome.target, Target::failed);
  EXPECT_EQ(requests.size(), 1U);
}

TEST_F(PushSinkTest, an_endless_answer_is_not_read_to_its_end) {
  const Outcome outcome = deliver_once(200, std::string(5U << 20, 'x'));
  EXPECT_EQ(outcome.kind, Kind::retry);
  EXPECT_EQ(deliver_once(200, std::string(3U << 20, 'x'), "application/json").kind, Kind::done);
}

TEST_F(PushSinkTest, P9_a_cancelled_delivery_ends_at_once_and_says_that_it_may_have_arrived) {
  hold = true;
  Push& push = start(item(7));
  pump([&] { return open == 1; });
  push.cancel.emit(asio::cancellation_type::terminal);
  pump([&] { return push.ended(); });
  EXPECT_NE(push.thrown().find("may have arrived"), std::string::npos) << push.thrown();
}

TEST_F(PushSinkTest, P6_no_more_requests_are_open_than_allowed) {
  hold = true;
  options.concurrency = 3;
  for (int id = 1; id <= 10; ++id) start(item(id));
  pump([&] { return open == 3; });
  settle_down();
  EXPECT_EQ(requests.size(), 3U);
  gate_open = true;
  gate.notify();
  pump([&] { return running == 0; });
  EXPECT_EQ(most_open, 3U);
  ASSERT_EQ(requests.size(), 10U);
}

TEST_F(PushSinkTest, P9_one_that_waits_for_a_place_is_cancelled_at_once_and_not_counted) {
  hold = true;
  options.concurrency = 1;
  start(item(1));
  Push& waiting = start(item(2));
  pump([&] { return open == 1; });
  settle_down();
  waiting.cancel.emit(asio::cancellation_type::terminal);
  pump([&] { return waiting.ended(); });
  ASSERT_TRUE(waiting.outcome);
  EXPECT_EQ(waiting.outcome->kind, Kind::postpone);
  EXPECT_EQ(waiting.outcome->target, Target::fine);
  EXPECT_EQ(requests.size(), 1U);
}

TEST_F(PushSinkTest, P12_a_call_in_the_answer_is_left_to_the_outbox) {
  const Outcome outcome = deliver_once(200, R"({"method":"sendMessage","chat_id":5,"text":"hi"})",
                                       "application/json; charset=utf-8");
  EXPECT_EQ(outcome.kind, Kind::done);
  ASSERT_EQ(outcome.calls.size(), 1U);
  EXPECT_EQ(outcome.calls[0].method, "sendMessage");
  EXPECT_EQ(outcome.calls[0].params, R"({"chat_id":5,"text":"hi"})");
  const std::string form = "method=sendGift&chat_id=5&text=a+%26+b";
  const Outcome gift = deliver_once(200, form, "application/x-www-form-urlencoded");
  ASSERT_EQ(gift.calls.size(), 1U);
  EXPECT_EQ(gift.calls[0].params, R"({"chat_id":"5","text":"a & b"})");
  EXPECT_EQ(gift.calls[0].doubt, DoubtPolicy::ask);
}

TEST_F(PushSinkTest, P12_a_call_in_the_answer_of_a_failed_attempt_is_not_made) {
  EXPECT_TRUE(deliver_once(500, R"({"method":"sendMessage"})", "application/json").calls.empty());
  options.rules = {{4, StatusRule::done}};
  sink.reset();
  const Outcome outcome = deliver_once(410, R"({"method":"sendMessage"})", "application/json");
  EXPECT_EQ(outcome.kind, Kind::done);
  EXPECT_TRUE(outcome.calls.empty()) << "only 2xx, as at Telegram";
}

TEST_F(PushSinkTest, calls_in_answers_can_be_switched_off_and_ignored_ones_are_logged) {
  EXPECT_TRUE(deliver_once(200, R"({"method":"getMe"})", "application/json").calls.empty());
  ASSERT_EQ(logged.size(), 1U);
  EXPECT_EQ(logged[0].substr(0, 27), "debug webhook_reply_ignored");
  deliver_once(200, "--x\r\n", "multipart/form-data; boundary=x");
  ASSERT_EQ(logged.size(), 2U);
  EXPECT_EQ(logged[1].substr(0, 29), "warning webhook_reply_refused");
  options.webhook_reply = false;
  sink.reset();
  EXPECT_TRUE(deliver_once(200, R"({"method":"sendMessage"})", "application/json").calls.empty());
}

}  // namespace
}  // namespace tgkeep::sink
