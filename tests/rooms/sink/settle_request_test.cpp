#include "sink/settle_request.hpp"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "support/random.hpp"

namespace tgkeep::sink {
namespace {

using namespace std::chrono_literals;
using Action = SettleRequest::Action;

SettleRequest read(const std::string& body) {
  const auto request = read_settle_request(body);
  EXPECT_TRUE(request) << body << ": " << request.error().text();
  return request.value();
}

std::string wrong(const std::string& body) {
  const auto request = read_settle_request(body);
  EXPECT_FALSE(request) << body;
  return request ? std::string() : request.error().text();
}

TEST(SettleRequestTest, P4_done_may_leave_calls) {
  EXPECT_EQ(read(R"({"action":"done"})").outcome.kind, Outcome::Kind::done);
  const SettleRequest request = read(
      R"({"action":"done","calls":[{"method":"sendMessage","params":{"chat_id":9007199254740993,"text":"ж"}},
          {"method":"sendGift"}]})");
  EXPECT_EQ(request.action, Action::done);
  ASSERT_EQ(request.outcome.calls.size(), 2U);
  EXPECT_EQ(request.outcome.calls[0].params, R"({"chat_id":9007199254740993,"text":"ж"})");
  EXPECT_EQ(request.outcome.calls[1].params, "{}");
  EXPECT_EQ(request.outcome.calls[1].doubt, DoubtPolicy::ask);
}

TEST(SettleRequestTest, P4_retry_may_name_a_delay_and_an_error) {
  const SettleRequest plain = read(R"({"action":"retry"})");
  EXPECT_EQ(plain.outcome.kind, Outcome::Kind::retry);
  EXPECT_FALSE(plain.outcome.after);
  EXPECT_FALSE(plain.outcome.error.empty());
  const SettleRequest later = read(R"({"action":"retry","after":1.5,"error":"database down"})");
  EXPECT_EQ(later.outcome.after, Duration(1500ms));
  EXPECT_EQ(later.outcome.error, "database down");
  EXPECT_EQ(read(R"({"action":"retry","after":0})").outcome.after, Duration(0));
  EXPECT_FALSE(read(R"({"action":"retry","after":null,"error":null})").outcome.after);
}

TEST(SettleRequestTest, P4_dead_has_a_reason_that_is_counted_and_a_sentence) {
  EXPECT_EQ(read(R"({"action":"dead"})").outcome.reason, "handler");
  const SettleRequest request = read(R"({"action":"dead","reason":"no_such_user","error":"deleted"})");
  EXPECT_EQ(request.outcome.kind, Outcome::Kind::dead);
  EXPECT_EQ(request.outcome.reason, "no_such_user");
  EXPECT_EQ(request.outcome.error, "deleted");
}

TEST(SettleRequestTest, renew_may_name_how_long) {
  EXPECT_FALSE(read(R"({"action":"renew"})").renewal);
  EXPECT_EQ(read(R"({"action":"renew","seconds":30})").renewal, Duration(30s));
}

TEST(SettleRequestTest, what_is_wrong_is_said_in_words) {
  EXPECT_NE(wrong("").find("not valid JSON"), std::string::npos);
  EXPECT_NE(wrong("action=done").find("not valid JSON"), std::string::npos);
  for (const char* const body :
       {"[]", "{}", "\"done\"", R"({"action":1})", R"({"action":"Done"})", R"({"action":null})"})
    EXPECT_NE(wrong(body).find("`action` must be"), std::string::npos) << body;
  for (const char* const after : {"-1", "86401", "1e400", "\"5\"", "[]", "true"})
    EXPECT_NE(wrong(R"({"action":"retry","after":)" + std::string(after) + "}"), "") << after;
  for (const char* const reason :
       {"\"\"", "\"Two Words\"", "\"a\\nb\"", "5", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\""})
    EXPECT_NE(wrong(R"({"action":"dead","reason":)" + std::string(reason) + "}").find("`reason`"),
              std::string::npos);
  for (const char* const calls : {"{}", "[1]", "[{}]", R"([{"method":5}])", R"([{"method":""}])",
                                  R"([{"method":"a/b"}])", R"([{"method":"sendMessage","params":[]}])",
                                  R"([{"method":"setWebhook"}])", R"([{"method":"getMe"}])"})
    EXPECT_NE(wrong(R"({"action":"done","calls":)" + std::string(calls) + "}"), "") << calls;
  EXPECT_NE(wrong(R"({"action":"retry","calls":[]})").find("only with"), std::string::npos);
  std::string many = R"({"method":"sendMessage"})";
  for (int i = 0; i < 100; ++i) many += R"(,{"method":"sendMessage"})";
  EXPECT_NE(wrong(R"({"action":"done","calls":[)" + many + "]}").find("at most 100"), std::string::npos);
  EXPECT_NE(wrong(std::string(100'000, '[')).find("not valid JSON"), std::string::npos);
}

TEST(SettleRequestTest, P11_long_errors_are_cut_between_characters) {
  std::string error = "x";
  for (int i = 0; i < 5000; ++i) error += "ж";
  const std::string kept = read(R"({"action":"retry","error":")" + error + "\"}").outcome.error;
  EXPECT_EQ(kept.size(), 999U);
  EXPECT_EQ(error.compare(0, kept.size(), kept), 0);
}

TEST(SettleRequestTest, any_broken_body_is_a_request_or_words) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  const std::string good =
      R"({"action":"done","calls":[{"method":"sendMessage","params":{"text":"\u0436"}}],"after":1,"reason":"x"})";
  for (int i = 0; i < 20'000; ++i) {
    std::string body = good;
    for (int change = 0; change < 3; ++change) {
      const auto at = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(body.size()) - 1));
      if (random.chance(0.3)) {
        body.erase(at, 1);
      } else {
        body[at] = static_cast<char>(random.between(0, 255));
      }
    }
    const auto request = read_settle_request(body);
    if (!request) {
      EXPECT_FALSE(request.error().text().empty());
      continue;
    }
    for (const Call& call : request->outcome.calls) EXPECT_NO_THROW(boost::json::parse(call.params)) << body;
  }
}

}  // namespace
}  // namespace tgkeep::sink
