#include "prove/checker.hpp"

#include <gmock/gmock.h>

#include <string>

namespace tgkeep::prove {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A checker fed with a handler log as text.
class CheckerTest : public testing::Test {
 protected:
  void log(std::string_view text) {
    LogReader reader;
    const auto events = reader.read(text);
    ASSERT_TRUE(events) << events.error().text();
    for (const HandlerEvent& event : *events) checker.event(event);
  }
  void send(std::int64_t id, std::string_view key) { checker.sent(UpdateId(id), key); }

  void call(std::int64_t id, std::string_view key = "chat:1") { checker.call(UpdateId(id), key); }

  Checker checker;
};

TEST_F(CheckerTest, passes_a_clean_run) {
  send(1, "chat:1");
  send(2, "chat:2");
  send(3, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0\nstart 2 chat:2 1 0\nend 1 chat:1\n");
  call(1);
  log("start 3 chat:1 1 0\nend 2 chat:2\nend 3 chat:1\n");
  call(3);
  call(2, "chat:2");
  EXPECT_EQ(checker.sent(), 3);
  EXPECT_EQ(checker.handled(), 3);
  EXPECT_EQ(checker.lost(), 0);
  EXPECT_EQ(checker.repeated(), 0);
  EXPECT_EQ(checker.calls(), 3);
  EXPECT_EQ(checker.calls_lost(), 0);
  EXPECT_EQ(checker.calls_repeated(), 0);
  EXPECT_EQ(checker.max_parallel(), 2);
  EXPECT_THAT(checker.problems(), IsEmpty());
}

TEST_F(CheckerTest, P4_finds_an_update_that_comes_again_after_its_settlement_was_answered) {
  send(1, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 1\nend 1 chat:1\nlife 2 101\nstart 1 chat:1 1 1\nend 1 chat:1\n");
  EXPECT_THAT(checker.problems(), IsEmpty());
  log("settled 1 chat:1\nlife 3 102\nstart 1 chat:1 1 1\n");
  EXPECT_THAT(checker.problems(), ElementsAre(HasSubstr("had answered that it was settled")));
}

TEST_F(CheckerTest, P3_counts_updates_that_never_ended_as_lost) {
  send(1, "chat:1");
  send(2, "chat:2");
  send(3, "chat:3");
  log("life 1 100\nstart 1 chat:1 1 0\nstart 2 chat:2 1 0\nend 1 chat:1\n");
  EXPECT_EQ(checker.lost(), 2);
  EXPECT_EQ(checker.handled(), 1);
  EXPECT_EQ(checker.calls_lost(), 3);
  EXPECT_EQ(checker.first_unhandled(), 1U);
}

TEST_F(CheckerTest, P3_a_repeat_after_a_kill_is_repeated_and_in_order) {
  send(1, "chat:1");
  send(2, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0\nlife 2 101\nstart 1 chat:1 1 1\nend 1 chat:1\n"
      "start 2 chat:1 1 0\nend 2 chat:1\n");
  EXPECT_EQ(checker.repeated(), 1);
  EXPECT_EQ(checker.out_of_order(), 0);
  EXPECT_EQ(checker.handled(), 2);
}

TEST_F(CheckerTest, P3_a_repeat_of_one_that_had_ended_but_was_not_settled_is_in_order) {
  send(1, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0\nend 1 chat:1\nlife 2 101\nstart 1 chat:1 1 1\nend 1 chat:1\n");
  EXPECT_EQ(checker.repeated(), 1);
  EXPECT_EQ(checker.handled(), 1);
  EXPECT_EQ(checker.out_of_order(), 0);
}

TEST_F(CheckerTest, P5_a_start_before_the_predecessor_of_its_key_is_out_of_order) {
  send(1, "chat:1");
  send(2, "chat:1");
  log("life 1 100\nstart 2 chat:1 1 0\nend 2 chat:1\nstart 1 chat:1 1 0\nend 1 chat:1\n");
  EXPECT_EQ(checker.out_of_order(), 2);
  EXPECT_THAT(checker.problems(),
              ElementsAre(HasSubstr("before its predecessor"), HasSubstr("after a later one")));
}

TEST_F(CheckerTest, P5_an_overlap_within_a_key_is_out_of_order) {
  send(1, "chat:1");
  send(2, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0\nstart 2 chat:1 1 0\nend 1 chat:1\nend 2 chat:1\n");
  EXPECT_EQ(checker.out_of_order(), 1);
  EXPECT_THAT(checker.problems(), ElementsAre(HasSubstr("while update 1 was running")));
}

TEST_F(CheckerTest, P5_a_start_after_a_kill_although_the_predecessor_never_ended_is_out_of_order) {
  send(1, "chat:1");
  send(2, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0\nlife 2 101\nstart 2 chat:1 1 0\nend 2 chat:1\n");
  EXPECT_EQ(checker.out_of_order(), 1);
  EXPECT_EQ(checker.lost(), 1);
}

TEST_F(CheckerTest, P5_a_repeat_after_a_later_start_of_the_key_is_out_of_order) {
  send(1, "chat:1");
  send(2, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0\nend 1 chat:1\nstart 2 chat:1 1 0\nlife 2 101\nstart 1 chat:1 1 1\n");
  EXPECT_EQ(checker.out_of_order(), 1);
  EXPECT_THAT(checker.problems(), ElementsAre(HasSubstr("repeated after a later one")));
}

TEST_F(CheckerTest, P2_a_second_start_without_a_death_is_out_of_order) {
  send(1, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0\nend 1 chat:1\nstart 1 chat:1 1 0\nend 1 chat:1\n");
  EXPECT_EQ(checker.out_of_order(), 1);
  EXPECT_EQ(checker.repeated(), 1);
}

TEST_F(CheckerTest, P5_a_repeat_that_is_not_marked_is_out_of_order) {
  send(1, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0\nlife 2 101\nstart 1 chat:1 1 0\nend 1 chat:1\n");
  EXPECT_EQ(checker.out_of_order(), 1);
  EXPECT_THAT(checker.problems(), ElementsAre(HasSubstr("not marked")));
}

TEST_F(CheckerTest, an_end_without_a_start_in_the_same_life_is_a_violation) {
  send(1, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0\nlife 2 101\nend 1 chat:1\n");
  EXPECT_EQ(checker.out_of_order(), 1);
  EXPECT_EQ(checker.handled(), 0);
}

TEST_F(CheckerTest, an_update_that_was_never_sent_is_a_violation) {
  log("life 1 100\nstart 9 chat:1 1 0\nend 9 chat:1\n");
  call(9);
  EXPECT_EQ(checker.out_of_order(), 3);
  EXPECT_EQ(checker.running(), 0);
}

TEST_F(CheckerTest, P12_a_call_that_arrives_twice_is_repeated) {
  send(1, "chat:1");
  send(2, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0\nend 1 chat:1\nstart 2 chat:1 1 0\nend 2 chat:1\n");
  call(1);
  call(1);
  call(2);
  EXPECT_EQ(checker.calls(), 3);
  EXPECT_EQ(checker.calls_repeated(), 1);
  EXPECT_EQ(checker.out_of_order(), 0);
}

TEST_F(CheckerTest, a_call_to_another_chat_does_not_count_and_is_a_violation) {
  send(1, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0\nend 1 chat:1\n");
  call(1, "chat:2");
  EXPECT_EQ(checker.out_of_order(), 1);
  EXPECT_EQ(checker.calls_lost(), 1);
}

TEST_F(CheckerTest, P5_a_call_that_arrives_after_a_later_one_of_its_chat_is_out_of_order) {
  send(1, "chat:1");
  send(2, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0\nend 1 chat:1\nstart 2 chat:1 1 0\nend 2 chat:1\n");
  call(2);
  call(1);
  EXPECT_EQ(checker.out_of_order(), 1);
  EXPECT_EQ(checker.calls_lost(), 0);
}

TEST_F(CheckerTest, P5_lines_of_one_chat_may_come_in_any_order_but_not_at_the_same_time) {
  checker.sent(UpdateId(1), "chat:1", "messages");
  checker.sent(UpdateId(2), "chat:1", "reactions");
  checker.sent(UpdateId(3), "chat:1", "messages");
  log("life 1 100\nstart 2 chat:1 1 0\nend 2 chat:1\nstart 1 chat:1 1 0\nend 1 chat:1\n");
  call(2);
  call(1);
  EXPECT_EQ(checker.out_of_order(), 0);
  log("start 3 chat:1 1 0\nlife 2 101\nstart 1 chat:1 1 1\n");
  EXPECT_EQ(checker.out_of_order(), 1) << "repeats keep to the order of the first starts";
  call(2);
  EXPECT_EQ(checker.out_of_order(), 2) << "and so do calls";
}

TEST_F(CheckerTest, P5_lines_of_one_chat_must_not_overlap_nor_be_started_past_a_death) {
  checker.sent(UpdateId(1), "chat:1", "messages");
  checker.sent(UpdateId(2), "chat:1", "reactions");
  checker.sent(UpdateId(3), "chat:1", "members");
  log("life 1 100\nstart 2 chat:1 1 0\nstart 1 chat:1 1 0\n");
  EXPECT_EQ(checker.out_of_order(), 1);
  log("life 2 101\nstart 3 chat:1 1 0\n");
  EXPECT_EQ(checker.out_of_order(), 2);
}

TEST_F(CheckerTest, P5_a_request_of_an_older_epoch_that_ends_late_is_stale_and_not_out_of_order) {
  send(1, "chat:1");
  send(2, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0 1\nstart 1 chat:1 1 1 2\nend 1 chat:1 1\n");
  EXPECT_EQ(checker.handled(), 0) << "what nobody waits for does not count";
  EXPECT_EQ(checker.running(), 1);
  log("end 1 chat:1 2\nstart 2 chat:1 1 0 2\nend 2 chat:1 2\n");
  EXPECT_EQ(checker.stale(), 1);
  EXPECT_EQ(checker.handled(), 2);
  EXPECT_EQ(checker.repeated(), 1);
  EXPECT_EQ(checker.out_of_order(), 0);
  EXPECT_EQ(checker.epochs(), 2);
}

TEST_F(CheckerTest, P5_a_request_of_an_older_epoch_that_starts_late_is_stale_once) {
  send(1, "chat:1");
  send(2, "chat:2");
  log("life 1 100\nstart 2 chat:2 1 0 2\nstart 1 chat:1 1 0 1\nend 1 chat:1 1\nend 2 chat:2 2\n");
  EXPECT_EQ(checker.stale(), 1);
  EXPECT_EQ(checker.handled(), 1);
  EXPECT_EQ(checker.out_of_order(), 0);
}

TEST_F(CheckerTest, P5_a_request_that_ends_before_the_next_epoch_is_seen_counts) {
  send(1, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0 1\nend 1 chat:1 1\nstart 1 chat:1 1 1 2\nend 1 chat:1 2\n");
  EXPECT_EQ(checker.stale(), 0);
  EXPECT_EQ(checker.handled(), 1);
  EXPECT_EQ(checker.repeated(), 1);
  EXPECT_EQ(checker.out_of_order(), 0);
}

TEST_F(CheckerTest, P5_within_one_epoch_the_order_is_checked_as_ever) {
  send(1, "chat:1");
  send(2, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0 2\nstart 2 chat:1 1 0 2\nend 1 chat:1 2\nend 2 chat:1 2\n");
  EXPECT_EQ(checker.out_of_order(), 1);
  log("start 2 chat:1 1 1 2\n");
  EXPECT_EQ(checker.out_of_order(), 2) << "again without a death";
  log("start 1 chat:1 1 1 3\n");
  EXPECT_EQ(checker.out_of_order(), 3) << "a new epoch does not excuse going back";
}

TEST_F(CheckerTest, P5_a_death_of_the_receiver_cuts_off_what_ran_in_it) {
  send(1, "chat:1");
  send(2, "chat:1");
  log("life 1 100\nstart 1 chat:1 1 0 1\nlife 2 101\n");
  EXPECT_EQ(checker.running(), 0);
  log("start 1 chat:1 2 1 1\nend 1 chat:1 1\nstart 2 chat:1 1 0 1\nend 2 chat:1 1\n");
  EXPECT_EQ(checker.out_of_order(), 0);
  EXPECT_EQ(checker.stale(), 0);
  EXPECT_EQ(checker.repeated(), 1);
}

}  // namespace
}  // namespace tgkeep::prove
