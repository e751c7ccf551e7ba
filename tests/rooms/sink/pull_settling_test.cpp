#include "sink/pull_settling.hpp"

#include <boost/json/serialize.hpp>

#include "rooms/sink/pull_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

class PullSettlingTest : public PullBench {
 protected:
  void SetUp() override { settles = true; }
};

TEST_F(PullSettlingTest, P4_an_update_is_done_when_the_bot_says_so_and_offsets_confirm_nothing) {
  come(11, 13);
  EXPECT_EQ(get(0, 2), "1:11 2:12");
  EXPECT_EQ(get(3), "3:13");
  EXPECT_EQ(get(4), "");
  EXPECT_EQ(end(handings[0]), "waits");
  EXPECT_EQ(ask(R"({"update_id":2,"action":"done"})").body, R"({"ok":true,"action":"done","update_id":2})");
  EXPECT_EQ(end(handings[1]), "done");
  EXPECT_EQ(end(handings[0]), "waits");
  EXPECT_EQ(get(0), "1:11 3:13") << "the bot has started anew";
}

TEST_F(PullSettlingTest, P4_P12_done_may_leave_calls_and_retry_and_dead_are_its_other_words) {
  come(1, 3);
  get(0);
  ask(R"({"update_id":1,"action":"done","calls":[{"method":"sendDice","params":{"chat_id":1}}]})");
  ASSERT_EQ(end(handings[0]), "done");
  EXPECT_EQ(handings[0].result->calls.at(0).method, "sendDice");
  EXPECT_EQ(status(R"({"update_id":2,"action":"retry","after":90})"), 200);
  ASSERT_EQ(end(handings[1]), "retry");
  EXPECT_EQ(handings[1].result->after, Duration(90s));
  EXPECT_EQ(status(R"({"update_id":3,"action":"dead","reason":"spam"})"), 200);
  EXPECT_EQ(end(handings[2]), "dead spam");
  come(2);
  EXPECT_EQ(get(4), "6:2") << "another attempt has another number (two say that the old ones count no more)";
}

TEST_F(PullSettlingTest, a_renewal_says_whether_the_bot_still_has_it) {
  come(1);
  get(0);
  EXPECT_EQ(ask(R"({"update_id":1,"action":"renew"})").body, R"({"ok":true,"action":"renew","update_id":1})");
  EXPECT_EQ(end(handings[0]), "waits");
  EXPECT_EQ(status(R"({"update_id":2,"action":"renew"})"), 404);
}

TEST_F(PullSettlingTest, P4_the_same_again_is_answered_as_before_and_another_word_is_a_conflict) {
  come(1, 2);
  get(0, 1);
  EXPECT_EQ(status(R"({"update_id":1,"action":"done"})"), 200);
  EXPECT_EQ(ask(R"({"update_id":1,"action":"done"})").body,
            R"({"ok":true,"action":"done","repeated":true,"update_id":1})");
  EXPECT_EQ(status(R"({"update_id":1,"action":"dead"})"), 409);
  EXPECT_EQ(status(R"({"update_id":1,"action":"renew"})"), 409);
  EXPECT_EQ(status(R"({"update_id":2,"action":"done"})"), 404) << "not handed out";
  EXPECT_EQ(end(handings[0]), "done");
  EXPECT_EQ(end(handings[1]), "waits");
}

TEST_F(PullSettlingTest, many_at_once_are_answered_one_by_one) {
  come(1, 3);
  get(0);
  const auto reply = ask(R"([{"update_id":1,"action":"done"},{"update_id":9,"action":"done"},
                             {"update_id":2,"action":"maybe"},7,{"update_id":3,"action":"retry"}])");
  EXPECT_EQ(reply.status, 200);
  const auto said = boost::json::parse(reply.body);
  EXPECT_FALSE(said.at("ok").as_bool());
  const auto& results = said.at("results").as_array();
  ASSERT_EQ(results.size(), 5U);
  EXPECT_TRUE(results[0].at("ok").as_bool());
  EXPECT_EQ(results[1].at("error_code").as_int64(), 404);
  EXPECT_EQ(results[1].at("update_id").as_int64(), 9);
  EXPECT_EQ(results[2].at("error_code").as_int64(), 400);
  EXPECT_EQ(results[3].at("error_code").as_int64(), 400);
  EXPECT_EQ(results[4].at("action").as_string(), "retry");
  EXPECT_EQ(end(handings[0]), "done");
  EXPECT_EQ(end(handings[1]), "waits");
  EXPECT_EQ(end(handings[2]), "retry");
  EXPECT_EQ(ask("[]").body, R"({"ok":true,"results":[]})");
}

TEST_F(PullSettlingTest, P3_a_bot_may_say_itself_that_it_has_started_anew) {
  come(1, 2);
  get(0);
  EXPECT_EQ(get(3), "");
  EXPECT_EQ(ask(R"({"restarted":true})").body, R"({"ok":true,"restarted":true})");
  Fetch& fetch = poll(request(3));
  EXPECT_EQ(text(fetch), "1:1 2:2");
  EXPECT_TRUE(fetch.result->restarted);
  EXPECT_EQ(sink->stats().restarts, 1);
}

TEST_F(PullSettlingTest, P7_a_suspect_is_handed_out_alone_and_what_waits_behind_it_comes_when_it_ends) {
  come(1);
  get(0);
  get(0);
  get(0);
  come(2);
  Fetch& fetch = poll(request(2, 30s));
  pass(1s);
  EXPECT_EQ(text(fetch), "waits");
  EXPECT_EQ(status(R"({"update_id":1,"action":"done"})"), 200);
  pass(2ms);
  EXPECT_EQ(text(fetch), "2:2");
}

TEST_F(PullSettlingTest, P4_what_was_handed_out_before_our_restart_can_be_settled_after_it) {
  come(1, 3);
  get(0);
  restart_tgkeep();
  const auto early = ask(R"({"update_id":1,"action":"done"})");
  EXPECT_EQ(early.status, 503);
  EXPECT_EQ(*http::find_header(early.headers, "Retry-After"), "1");
  EXPECT_EQ(get(4), "");
  const Asking& asking = begin_to_ask(R"({"update_id":1,"action":"dead","reason":"spam"})");
  EXPECT_FALSE(asking.ended()) << "it is in the store still as if the bot had it";
  EXPECT_EQ(end(come(1)), "dead spam");
  ASSERT_TRUE(asking.result);
  EXPECT_EQ(asking.result->status, 200);
  EXPECT_EQ(status(R"({"update_id":1,"action":"dead"})"), 200);
  Handing& second = come(2);
  EXPECT_EQ(get(4), "") << "it is in the bot's hand";
  EXPECT_EQ(status(R"({"update_id":2,"action":"done"})"), 200);
  EXPECT_EQ(end(second), "done");
}

TEST_F(PullSettlingTest, P3_what_is_neither_settled_nor_renewed_after_our_restart_comes_again) {
  come(1, 3);
  get(0);
  get(4);
  restart_tgkeep();
  come(1, 3);
  EXPECT_EQ(get(4), "");
  pass(9min);
  EXPECT_EQ(status(R"({"update_id":2,"action":"renew"})"), 200);
  EXPECT_EQ(status(R"({"update_id":3,"action":"done"})"), 200);
  Fetch& fetch = poll(request(4, 2min));
  pass(1min + 2ms);
  EXPECT_EQ(text(fetch), "1004:1");
  pass(9min);
  EXPECT_EQ(get(1005), "");
  pass(1min);
  EXPECT_EQ(get(1005), "1005:2") << "renewed only once";
  EXPECT_EQ(status(R"({"update_id":2,"action":"done"})"), 404);
}

TEST_F(PullSettlingTest, hostile_bodies_change_nothing_and_are_told_what_is_wrong) {
  come(1);
  get(0);
  EXPECT_EQ(ask(R"({"update_id":1,"action":"done"})", "GET").status, 405);
  EXPECT_EQ(status(std::string((1U << 20) + 1, ' ')), 413);
  std::string many = "[";
  for (int i = 0; i < 101; ++i)
    many += (i > 0 ? "," : "") + std::string(R"({"update_id":1,"action":"done"})");
  EXPECT_EQ(status(many + "]"), 413);
  for (const char* const body :
       {"", "{", "null", "7", "\"done\"", "{}", R"({"update_id":1})", R"({"action":"done"})",
        R"({"update_id":"1","action":"done"})", R"({"update_id":1.5,"action":"done"})",
        R"({"update_id":1e300,"action":"done"})", R"({"update_id":1,"action":"retry","after":-1})",
        R"({"update_id":1,"action":"retry","calls":[]})", R"({"restarted":false})", R"({"restarted":1})"}) {
    const auto reply = ask(body);
    EXPECT_EQ(reply.status, 400) << body;
    const auto said = boost::json::parse(reply.body);
    EXPECT_FALSE(said.at("ok").as_bool());
    EXPECT_FALSE(said.at("error").as_string().empty());
  }
  EXPECT_EQ(status(R"({"update_id":-1,"action":"done"})"), 404);
  EXPECT_EQ(status(R"({"update_id":9223372036854775807,"action":"done"})"), 404);
  EXPECT_EQ(end(handings[0]), "waits");
}

constexpr const char* kDone = R"({"update_id":1,"action":"done"})";

TEST_F(PullSettlingTest, P4_P6_200_comes_only_after_the_store_has_written_it) {
  holds_writes = true;
  come(1);
  get(0);
  const Asking& first = begin_to_ask(kDone);
  EXPECT_EQ(end(handings[0]), "done");
  const Asking& again = begin_to_ask(kDone);
  pass(1s);
  EXPECT_FALSE(first.ended() || again.ended());
  EXPECT_EQ(status(R"({"update_id":1,"action":"dead"})"), 409) << "the first word counts, written or not";
  store_answers(true);
  pass(0s);
  ASSERT_TRUE(first.result && again.result);
  EXPECT_EQ(first.result->body, R"({"ok":true,"action":"done","update_id":1})");
  EXPECT_EQ(again.result->body, R"({"ok":true,"action":"done","repeated":true,"update_id":1})");
}

TEST_F(PullSettlingTest, P4_P11_what_can_not_be_written_is_answered_with_503_until_it_is) {
  holds_writes = true;
  come(1);
  get(0);
  for (int i = 0; i < 3; ++i) {
    const Asking& asking = begin_to_ask(kDone);
    pass(5s - 1ms);
    EXPECT_FALSE(asking.ended());
    pass(1ms);
    ASSERT_TRUE(asking.result);
    EXPECT_EQ(asking.result->status, 503);
    EXPECT_EQ(*http::find_header(asking.result->headers, "Retry-After"), "1");
    EXPECT_NE(asking.result->body.find("settle_waits"), std::string::npos);
  }
  pass(1h);
  const Asking& last = begin_to_ask(kDone);
  store_answers(true);
  pass(0s);
  ASSERT_TRUE(last.result);
  EXPECT_EQ(last.result->status, 200) << "remembered as long as it is open";
}

TEST_F(PullSettlingTest, P4_what_the_store_refuses_or_is_given_up_is_never_answered_with_200) {
  holds_writes = true;
  come(1, 2);
  get(0);
  const Asking& refused = begin_to_ask(kDone);
  store_answers(false);
  pass(0s);
  ASSERT_TRUE(refused.result);
  EXPECT_EQ(refused.result->status, 404);
  const Asking& lost = begin_to_ask(R"({"update_id":2,"action":"done"})");
  receipts.clear();
  pass(0s);
  ASSERT_TRUE(lost.result);
  EXPECT_EQ(lost.result->status, 503);
  EXPECT_EQ(status(kDone), 404);
  EXPECT_EQ(status(R"({"update_id":2,"action":"done"})"), 404);
}

TEST_F(PullSettlingTest, P4_an_array_waits_once_for_all_and_says_which_are_written) {
  holds_writes = true;
  come(1, 3);
  get(0);
  const char* const two = R"([{"update_id":1,"action":"done"},{"update_id":2,"action":"done"}])";
  const Asking& first = begin_to_ask(two);
  receipts.front()->settled(true);
  pass(5s);
  ASSERT_TRUE(first.result);
  EXPECT_EQ(first.result->status, 200);
  const auto said = boost::json::parse(first.result->body);
  EXPECT_FALSE(said.at("ok").as_bool());
  EXPECT_TRUE(said.at("results").at(0).at("ok").as_bool());
  EXPECT_EQ(said.at("results").at(1).at("error_code").as_int64(), 503);
  const Asking& again = begin_to_ask(two);
  EXPECT_FALSE(again.ended());
  store_answers(true);
  pass(0s);
  ASSERT_TRUE(again.result);
  EXPECT_TRUE(boost::json::parse(again.result->body).at("ok").as_bool());
}

TEST_F(PullSettlingTest, P4_P9_who_hangs_up_while_it_waits_has_settled_nevertheless) {
  holds_writes = true;
  come(1);
  get(0);
  Asking& asking = begin_to_ask(kDone);
  asking.cancel.emit(asio::cancellation_type::terminal);
  pass(0s);
  EXPECT_TRUE(asking.aborted());
  store_answers(true);
  EXPECT_EQ(ask(kDone).body, R"({"ok":true,"action":"done","repeated":true,"update_id":1})");
}

TEST_F(PullSettlingTest,
       P3_an_early_settlement_whose_update_does_not_come_up_again_is_never_answered_with_200) {
  come(1);
  get(0);
  restart_tgkeep();
  get(2);
  const Asking& asking = begin_to_ask(kDone);
  pass(5s);
  ASSERT_TRUE(asking.result);
  EXPECT_EQ(asking.result->status, 503);
  const Asking& again = begin_to_ask(kDone);
  EXPECT_EQ(end(come(1)), "done");
  ASSERT_TRUE(again.result);
  EXPECT_EQ(again.result->status, 200);
}

TEST_F(PullSettlingTest, P11_a_settlement_is_remembered_for_ten_minutes) {
  come(1);
  get(0);
  EXPECT_EQ(status(kDone), 200);
  pass(10min - 1ms);
  EXPECT_EQ(status(kDone), 200);
  pass(1ms);
  EXPECT_EQ(status(kDone), 404);
}

}  // namespace
}  // namespace tgkeep::test
