// Commands that change something: dead letters, replay, pause, erase; beside a running process and without
// one.

#include "e2e/command_room.hpp"

namespace tgkeep::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ChangeCommands : public RunningOrNot {
 protected:
  /// What waits is handed over: at once by the running process, else by a new one.
  void hand_over() {
    if (!live()) start();
  }
};

INSTANTIATE_TEST_SUITE_P(Each, ChangeCommands, testing::Bool(), running_or_not);

TEST_P(ChangeCommands, a_retried_dead_letter_goes_to_the_tail_and_is_handed_over) {
  const Told retried = tell({"dead", "retry", "2"});
  EXPECT_EQ(retried.code, 0) << retried.text;
  EXPECT_THAT(retried.text, HasSubstr("2 is 4 now"));
  hand_over();
  EXPECT_THAT(bot_.request(3).body, HasSubstr("hopeless"));
  // It has died again, as its new run.
  wait_for_inbox("dead", 1);
  EXPECT_THAT(found({"--state", "dead"}), ElementsAre(4));
}

TEST_P(ChangeCommands, all_dead_letters_of_a_chat_are_retried_and_programs_are_told_how) {
  EXPECT_EQ(tell({"dead", "retry", "--all", "--chat", "1"}).code, 4);
  const Told retried = tell({"dead", "retry", "--all", "--chat", "2", "--json"});
  EXPECT_EQ(retried.code, 0);
  const json::value answer = retried.answer();
  EXPECT_EQ(answer.at("retried").at(0).at("seq").as_int64(), 2);
  EXPECT_TRUE(answer.at("missing").as_array().empty());
}

TEST_P(ChangeCommands, a_number_that_is_not_dead_is_named_and_the_others_are_done) {
  const Told told = tell({"dead", "retry", "1", "2", "999"});
  EXPECT_EQ(told.code, 4);
  EXPECT_THAT(told.text, AllOf(HasSubstr("2 is 4 now"), HasSubstr("not dead in the inbox: 1, 999")));
}

TEST_P(ChangeCommands, a_dropped_dead_letter_is_counted_as_dropped) {
  const Told dropped = tell({"dead", "drop", "2"});
  EXPECT_EQ(dropped.code, 0) << dropped.text;
  EXPECT_THAT(dropped.text, HasSubstr("dropped 1"));
  const json::value status = tell({"status", "--json"}).answer();
  EXPECT_EQ(inbox_count(status, "dead"), 0);
  EXPECT_EQ(inbox_count(status, "dropped"), 1);
  EXPECT_EQ(tell({"dead", "ls"}).code, 4);
}

TEST_P(ChangeCommands, dropping_all_needs_a_yes) {
  const Told asked = tell({"dead", "drop", "--all"});
  EXPECT_EQ(asked.code, 2);
  EXPECT_THAT(asked.text, HasSubstr("--yes"));
  EXPECT_EQ(tell({"dead", "ls"}).code, 0);
  EXPECT_EQ(tell({"dead", "drop", "--all", "--yes"}).code, 0);
  EXPECT_EQ(tell({"dead", "ls"}).code, 4);
}

TEST_P(ChangeCommands, replay_hands_finished_updates_over_once_more) {
  const Told dry = tell({"replay", "--chat", "1", "--dry-run"});
  EXPECT_EQ(dry.code, 0) << dry.text;
  EXPECT_THAT(dry.text, HasSubstr("1 match"));
  EXPECT_EQ(bot_.count(), 3U);
  const Told replayed = tell({"replay", "--since", "1h", "--chat", "1", "--rate", "1000"});
  EXPECT_EQ(replayed.code, 0) << replayed.text;
  EXPECT_THAT(replayed.text, HasSubstr("replayed 1 of 1"));
  hand_over();
  const http::ServerRequest again = bot_.request(3);
  EXPECT_THAT(again.body, HasSubstr("fine one"));
  const std::string* const run = http::find_header(again.headers, "Tgkeep-Run");
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(*run, "1");
  wait_for_inbox("done", 3);
  // Once is enough, unless forced.
  const Told twice = tell({"replay", "--chat", "1", "--json"});
  EXPECT_EQ(twice.answer().at("replayed").as_int64(), 0) << twice.text;
  EXPECT_EQ(twice.answer().at("skipped").at("replayed").as_int64(), 2) << twice.text;
}

TEST_P(ChangeCommands, replay_of_nothing_ends_with_4_and_of_everything_with_2) {
  EXPECT_EQ(tell({"replay", "--chat", "99"}).code, 4);
  const Told all = tell({"replay"});
  EXPECT_EQ(all.code, 2);
  EXPECT_THAT(all.text, HasSubstr("--id"));
  EXPECT_EQ(tell({"replay", "--chat", "1", "--rate", "0"}).code, 2);
  EXPECT_EQ(tell({"replay", "--chat", "1", "--state", "pending"}).code, 2);
  EXPECT_EQ(tell({"replay", "--cancel", "--chat", "1"}).code, 2);
  EXPECT_EQ(tell({"replay", "--cancel", "--progress"}).code, 2);
}

TEST_P(ChangeCommands, a_pause_holds_until_somebody_resumes_over_a_restart) {
  const Told paused = tell({"pause", "--queue", "inbox"});
  EXPECT_EQ(paused.code, 0) << paused.text;
  EXPECT_THAT(paused.text, HasSubstr("inbox paused, outbox open"));
  EXPECT_THAT(tell({"status"}).text, HasSubstr("paused"));
  stop_process();
  start();
  telegram_.send(1, "fine later");
  wait_for_inbox("pending", 1);
  EXPECT_EQ(bot_.count(), 3U);
  EXPECT_EQ(tell({"resume"}).code, 0);
  EXPECT_THAT(bot_.request(3).body, HasSubstr("fine later"));
}

TEST_P(ChangeCommands, a_pause_of_a_target_reaches_all_bots_that_are_pushed_there) {
  std::string place = bot_.url();
  place = place.substr(7, place.rfind('/') - 7);
  const Told paused = tell({"pause", "--target", place, "--json"});
  EXPECT_EQ(paused.code, 0) << paused.text;
  EXPECT_TRUE(paused.answer().at("paused").at("inbox").as_bool());
  const Told nowhere = tell({"pause", "--target", "127.0.0.1:1"});
  EXPECT_EQ(nowhere.code, 4);
  EXPECT_THAT(nowhere.text, HasSubstr(place));
  EXPECT_EQ(tell({"resume", "--all-bots"}).code, 0);
  EXPECT_EQ(tell({"pause", "--all-bots", "--target", place}).code, 2);
  EXPECT_EQ(tell({"pause", "--bot", "nobody"}).code, 4);
}

TEST_P(ChangeCommands, erase_takes_a_chat_away_and_asks_before) {
  const Told asked = tell({"erase", "--chat", "2"});
  EXPECT_EQ(asked.code, 2);
  EXPECT_THAT(asked.text, AllOf(HasSubstr("chat 2"), HasSubstr("--yes")));
  EXPECT_THAT(found({}), ElementsAre(1, 2, 3));
  EXPECT_EQ(tell({"erase", "--yes"}).code, 2);
  EXPECT_EQ(tell({"erase", "--chat", "2", "--user", "2", "--yes"}).code, 2);
  EXPECT_EQ(tell({"erase", "--chat", "two", "--yes"}).code, 2);
  const Told erased = tell({"erase", "--chat", "2", "--yes"});
  EXPECT_EQ(erased.code, 0) << erased.text;
  EXPECT_THAT(erased.text, HasSubstr("1 waiting or dead"));
  EXPECT_THAT(found({}), ElementsAre(1, 3));
  EXPECT_EQ(tell({"erase", "--user", "1", "--yes"}).code, 0);
  EXPECT_THAT(found({}), ElementsAre(3));
  EXPECT_EQ(tell({"erase", "--user", "99", "--yes"}).code, 4);
}

TEST_P(ChangeCommands, wrong_arguments_change_nothing) {
  EXPECT_EQ(tell({"dead", "retry"}).code, 2);
  EXPECT_EQ(tell({"dead", "retry", "2", "--all"}).code, 2);
  EXPECT_EQ(tell({"dead", "retry", "2", "--chat", "2"}).code, 2);
  EXPECT_EQ(tell({"dead", "retry", "two"}).code, 2);
  EXPECT_EQ(tell({"dead", "drop", "two"}).code, 2);
  EXPECT_EQ(tell({"pause", "--queue", "postbox"}).code, 2);
  const json::value status = tell({"status", "--json"}).answer();
  EXPECT_EQ(inbox_count(status, "stored"), 3);
  EXPECT_EQ(inbox_count(status, "dead"), 1);
  EXPECT_FALSE(status.at("bots").at(0).at("inbox").at("paused").as_bool());
}

}  // namespace
}  // namespace tgkeep::test
