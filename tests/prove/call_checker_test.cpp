#include "prove/call_checker.hpp"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace tgkeep::prove {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A checker fed with a call log as text, and with what Telegram saw.
class CallCheckerTest : public testing::Test {
 protected:
  void log(std::string_view text) {
    while (!text.empty()) {
      const std::size_t feed = text.find('\n');
      const Result<CallEvent> event = read_call_line(text.substr(0, feed));
      ASSERT_TRUE(event) << event.error().text();
      checker.event(*event);
      text.remove_prefix(feed + 1);
    }
  }
  void answered(std::int64_t number, std::int64_t chat = 1) { checker.arrived(number, chat, true, true); }
  void answer_lost(std::int64_t number, std::int64_t chat = 1) { checker.arrived(number, chat, true, false); }
  void turned_away(std::int64_t number, std::int64_t chat = 1) { checker.arrived(number, chat, false, true); }
  void is_clean() {
    checker.finish();
    EXPECT_THAT(checker.doubled(), IsEmpty());
    EXPECT_THAT(checker.untrue(), IsEmpty());
    EXPECT_THAT(checker.disordered(), IsEmpty());
  }

  CallChecker checker;
};

TEST_F(CallCheckerTest, passes_a_clean_run_with_every_outcome) {
  log("made 1 1\n");
  turned_away(1);  // 429, and sent again
  answered(1);
  log("told 1 ok\nmade 2 1\n");
  answer_lost(2);
  log("told 2 maybe_sent\nmade 3 1\n");
  turned_away(3);
  log("told 3 refused\nmade 4 1\ntold 4 not_sent\nmade 5 1\n");
  turned_away(5);
  log("told 5 held\nmade 6 1\ntold 6 unreached\nmade 7 1\n");
  answered(7);
  log("told 7 broken\nmade 8 1\n");
  answer_lost(8);  // the bot has died
  log("made 9 2\ntold 9 maybe_sent\n");
  is_clean();
  EXPECT_EQ(checker.made(), 9);
  EXPECT_EQ(checker.told(Told::maybe_sent), 2);
  EXPECT_EQ(checker.untold(), 1);
  EXPECT_EQ(checker.effects(), 4);
  EXPECT_EQ(checker.told_of(3), Told::refused);
  EXPECT_EQ(checker.told_of(8), std::nullopt);
}

TEST_F(CallCheckerTest, P12_finds_a_double_send_whatever_was_told) {
  log("made 1 1\nmade 2 2\nmade 3 3\nmade 4 4\n");
  for (const std::int64_t number : {1, 2, 3, 4}) {
    answer_lost(number, number);
    answered(number, number);
  }
  log("told 1 ok\ntold 2 maybe_sent\ntold 3 broken\n");
  checker.finish();
  EXPECT_THAT(checker.doubled(), ElementsAre(HasSubstr("call 1"), HasSubstr("call 2"), HasSubstr("call 3"),
                                             HasSubstr("call 4 to chat 4 took effect 2 times")));
}

TEST_F(CallCheckerTest, P12_finds_a_doubt_that_was_not_told) {
  log("made 1 1\n");
  answer_lost(1);
  log("told 1 not_sent\nmade 2 1\n");
  answer_lost(2);
  log("told 2 refused\nmade 3 1\n");
  answer_lost(3);
  log("told 3 ok\nmade 4 1\n");
  answer_lost(4);
  log("told 4 held\n");
  checker.finish();
  EXPECT_THAT(
      checker.untrue(),
      ElementsAre(HasSubstr("call 1 to chat 1 was told not_sent and took effect 1 time"),
                  HasSubstr("call 2 to chat 1 was told refused"), HasSubstr("although its answer was lost"),
                  HasSubstr("call 4 to chat 1 was told held")));
}

TEST_F(CallCheckerTest, finds_a_result_of_a_call_that_had_no_effect_and_a_refusal_of_one_that_never_arrived) {
  log("made 1 1\ntold 1 ok\nmade 2 1\ntold 2 refused\n");
  checker.finish();
  EXPECT_THAT(checker.untrue(),
              ElementsAre(HasSubstr("took effect 0 times"),
                          HasSubstr("call 1 to chat 1 was told ok and never arrived"),
                          HasSubstr("call 2 to chat 1 was told refused and never arrived")));
}

TEST_F(CallCheckerTest, finds_a_failure_without_a_word_and_a_connection_that_broke_for_no_reason) {
  log("made 1 1\ntold 1 silent\nmade 2 1\ntold 2 cut\n");
  checker.finish();
  EXPECT_THAT(checker.untrue(),
              ElementsAre(HasSubstr("without a word"), HasSubstr("while the face's process lived")));
}

TEST_F(CallCheckerTest, finds_a_call_that_arrived_and_was_never_made_or_in_another_chat) {
  answered(9);
  log("made 1 1\n");
  answered(1, 2);
  checker.finish();
  EXPECT_THAT(checker.untrue(), ElementsAre(HasSubstr("call 9 to chat 1 arrived and was never made"),
                                            HasSubstr("call 1 to chat 1 arrived in chat 2")));
}

TEST_F(CallCheckerTest, P5_finds_a_call_that_took_effect_before_one_the_bot_had_learnt_of) {
  log("made 1 1\ntold 1 maybe_sent\nmade 2 1\n");
  answered(2);
  answer_lost(1);
  log("told 2 ok\n");
  checker.finish();
  EXPECT_THAT(checker.disordered(), ElementsAre(HasSubstr("call 2 to chat 1")));
}

TEST_F(CallCheckerTest, P5_calls_of_a_bot_that_died_and_of_other_chats_may_come_in_any_order) {
  log("made 1 1\nmade 2 1\nmade 3 2\n");
  answered(3, 2);
  answered(2);
  answered(1);
  log("told 2 ok\ntold 3 ok\n");
  is_clean();
}

TEST(CallLog, reads_back_what_it_writes_and_refuses_what_it_does_not_know) {
  EXPECT_EQ(read_call_line("made 7 -100")->chat, -100);
  for (const Told told : {Told::ok, Told::refused, Told::not_sent, Told::held, Told::maybe_sent, Told::silent,
                          Told::unreached, Told::broken, Told::cut}) {
    std::string line = told_line(3, told);
    line.pop_back();
    EXPECT_EQ(read_call_line(line)->told, told);
  }
  EXPECT_EQ(call_of_text(call_text(12)), 12);
  EXPECT_EQ(call_of_text("Call 12x"), std::nullopt);
  for (const std::string_view line :
       {"", "made", "made 1", "made x 1", "made 1 x", "told 1 yes", "tell 1 ok", "told ok"})
    EXPECT_FALSE(read_call_line(line)) << line;
}

}  // namespace
}  // namespace tgkeep::prove
