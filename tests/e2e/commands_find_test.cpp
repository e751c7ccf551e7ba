// `tgkeep status`, `list`, `show`, `trace` and `dead ls|show`, beside a running process and without one.

#include "e2e/command_room.hpp"

namespace tgkeep::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class FindCommands : public RunningOrNot {};

INSTANTIATE_TEST_SUITE_P(Each, FindCommands, testing::Bool(), running_or_not);

TEST_P(FindCommands, status_counts_everything_for_people_and_programs) {
  const Told people = tell({"status"});
  EXPECT_EQ(people.code, 0);
  EXPECT_THAT(people.text, HasSubstr(live() ? "has been running for" : "is not running"));
  EXPECT_THAT(people.text, HasSubstr("dead letters: status_410 1"));
  EXPECT_THAT(people.text, Not(HasSubstr("\x1b")));
  const json::value status = tell({"status", "--json"}).answer();
  EXPECT_EQ(status.at("live").as_bool(), live());
  EXPECT_EQ(inbox_count(status, "stored"), 3);
  EXPECT_EQ(inbox_count(status, "done"), 2);
  EXPECT_EQ(inbox_count(status, "dead"), 1);
  EXPECT_EQ(status.at("bots").as_array().size(), 1U);
  EXPECT_EQ(status.at("bots").at(0).at("id").as_int64(), 4242);
}

TEST_P(FindCommands, list_finds_by_state_chat_kind_id_and_time) {
  EXPECT_THAT(found({}), ElementsAre(1, 2, 3));
  EXPECT_THAT(found({"--state", "dead"}), ElementsAre(2));
  EXPECT_THAT(found({"--state", "done,dead"}), ElementsAre(1, 2, 3));
  EXPECT_THAT(found({"--chat", "3"}), ElementsAre(3));
  EXPECT_THAT(found({"--key", "chat:1"}), ElementsAre(1));
  EXPECT_THAT(found({"--kind", "message"}), ElementsAre(1, 2, 3));
  EXPECT_THAT(found({"--since", "1h"}), ElementsAre(1, 2, 3));
  EXPECT_THAT(found({"--until", "1h"}), ElementsAre());
  EXPECT_THAT(found({"--limit", "2"}), ElementsAre(1, 2));
  EXPECT_THAT(found({"--after", "2"}), ElementsAre(3));
  const json::value items = tell({"list", "--json", "--chat", "2"}).answer().at("items");
  const std::string id = std::to_string(items.at(0).at("update_id").as_int64());
  EXPECT_THAT(found({"--id", id}), ElementsAre(2));
  EXPECT_THAT(found({"--id", id + "-"}), ElementsAre(2, 3));
  EXPECT_THAT(found({"--id", "-" + id}), ElementsAre(1, 2));
}

TEST_P(FindCommands, list_is_a_table_for_people_the_newest_first) {
  const Told list = tell({"list"});
  EXPECT_EQ(list.code, 0);
  EXPECT_THAT(list.text, AllOf(HasSubstr("seq  state"), HasSubstr("dead (status_410)"), HasSubstr("chat:3")));
  EXPECT_LT(list.text.find("chat:3"), list.text.find("chat:1"));
  const Told some = tell({"list", "--limit", "1"});
  EXPECT_THAT(some.text, HasSubstr("go on with --after 3"));
}

TEST_P(FindCommands, what_matches_nothing_ends_with_4) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"list", "--chat", "99"},
        std::vector<std::string>{"list", "--queue", "outbox"},
        std::vector<std::string>{"dead", "ls", "--reason", "none_such"},
        std::vector<std::string>{"show", "99"}, std::vector<std::string>{"trace", "99"},
        std::vector<std::string>{"trace", "--seen-as", "99"}}) {
    const Told told = tell(arguments);
    EXPECT_EQ(told.code, 4) << told.text;
    EXPECT_FALSE(told.text.empty());
  }
}

TEST_P(FindCommands, show_prints_an_item_with_its_body) {
  const Told people = tell({"show", "2"});
  EXPECT_EQ(people.code, 0);
  EXPECT_THAT(people.text, AllOf(HasSubstr("inbox 2  dead (status_410)"), HasSubstr("keys        chat:2"),
                                 HasSubstr("\"text\": \"hopeless\"")));
  const json::value item = tell({"show", "2", "--json"}).answer();
  EXPECT_EQ(item.at("state").as_string(), "dead");
  EXPECT_THAT(std::string(item.at("body").as_string()), HasSubstr("hopeless"));
  const Told some = tell({"show", "1", "99", "3"});
  EXPECT_EQ(some.code, 4);
  EXPECT_THAT(some.text, AllOf(HasSubstr("fine one"), HasSubstr("fine three"), HasSubstr("99")));
  EXPECT_THAT(tell({"show", "--chat", "1"}).text, HasSubstr("fine one"));
}

TEST_P(FindCommands, trace_follows_an_update_to_its_end) {
  const std::string id = std::to_string(tell({"show", "2", "--json"}).answer().at("update_id").as_int64());
  const Told people = tell({"trace", id});
  EXPECT_EQ(people.code, 0);
  EXPECT_THAT(people.text, AllOf(HasSubstr("received and stored"), HasSubstr("dead (status_410)")));
  const json::value trace = tell({"trace", id, "--json"}).answer();
  EXPECT_EQ(trace.at("runs").as_array().size(), 1U);
  EXPECT_EQ(trace.at("runs").at(0).at("item").at("seq").as_int64(), 2);
}

TEST_P(FindCommands, dead_letters_are_listed_and_shown) {
  for (const char* name : {"ls", "list"}) {
    const Told ls = tell({"dead", name});
    EXPECT_EQ(ls.code, 0);
    EXPECT_THAT(ls.text,
                AllOf(HasSubstr("dead (status_410)"), HasSubstr("chat:2"), Not(HasSubstr("chat:1"))));
  }
  EXPECT_THAT(tell({"dead", "show", "2"}).text, HasSubstr("hopeless"));
}

TEST_P(FindCommands, wrong_arguments_end_with_2_and_name_the_option) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {{"list", "--state", "asleep"}, "--state"},
      {{"list", "--queue", "postbox"}, "--queue"},
      {{"list", "--from", "soon"}, "--from"},
      {{"list", "--from", "1h", "--to", "2h"}, "--to 2h"},
      {{"list", "--id", "9-1"}, "--id"},
      {{"list", "--id", "x"}, "--id"},
      {{"list", "--chat", "1", "--key", "chat:1"}, "--key"},
      {{"list", "--chat", "one"}, "--chat"},
      {{"list", "--limit", "0"}, "--limit"},
      {{"show"}, "show"},
      {{"show", "one"}, "one"},
      {{"show", "1", "--chat", "1"}, "not both"},
      {{"trace"}, "update_id"},
      {{"trace", "x"}, "x"},
      {{"trace", "1", "--seen-as", "1"}, "--seen-as"},
      {{"trace", "--seen-as", "0"}, "--seen-as"},
  };
  for (const auto& [arguments, part] : wrong) {
    const Told told = tell(arguments);
    EXPECT_EQ(told.code, 2) << told.text;
    EXPECT_THAT(told.text, HasSubstr(part));
  }
  const Told unknown = tell({"list", "--bot", "nobody"});
  EXPECT_EQ(unknown.code, 4);
  EXPECT_THAT(unknown.text, HasSubstr("nobody"));
  EXPECT_EQ(tell({"status", "--bot", "nobody"}).code, 4);
}

}  // namespace
}  // namespace tgkeep::test
