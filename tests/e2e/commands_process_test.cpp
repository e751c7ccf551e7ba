// Commands that need a running process, who may be asked, and who owns the files.

#include <sys/stat.h>

#include <filesystem>

#include "e2e/command_room.hpp"

namespace tgkeep::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ProcessCommands : public CommandRoom {
 protected:
  void TearDown() override { stop_process(); }
};

TEST_F(ProcessCommands, without_a_process_they_are_refused_with_the_remedy) {
  fill();
  stop_process();
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"drain"}, std::vector<std::string>{"drain", "--undo"},
        std::vector<std::string>{"reload"}, std::vector<std::string>{"replay", "--cancel"}}) {
    const Told told = tell(arguments);
    EXPECT_EQ(told.code, 5) << told.text;
    EXPECT_THAT(told.text, AllOf(HasSubstr("needs a running tgkeep"), HasSubstr("tgkeep serve")));
  }
}

TEST_F(ProcessCommands, drain_hands_over_what_is_stored_and_receives_nothing_more) {
  down_ = true;
  start({{"TGKEEP_INBOX_MAX_DELAY", "1s"}});
  telegram_.send(1, "fine one");
  bot_.request(0);
  const Told cut = tell({"drain", "--wait", "0s"});
  EXPECT_EQ(cut.code, 3) << cut.text;
  EXPECT_THAT(cut.text, HasSubstr("not handed over yet"));
  EXPECT_THAT(tell({"status"}).text, HasSubstr("receives nothing"));
  down_ = false;
  const Told drained = tell({"drain"});
  EXPECT_EQ(drained.code, 0) << drained.text;
  EXPECT_THAT(drained.text, HasSubstr("nothing waits any more"));
  const std::size_t before = bot_.count();
  telegram_.send(1, "fine two");
  EXPECT_FALSE(tell({"status", "--json"}).answer().at("receiving").as_bool());
  EXPECT_EQ(bot_.count(), before);
  EXPECT_EQ(tell({"drain", "--undo"}).code, 0);
  EXPECT_THAT(bot_.request(before).body, HasSubstr("fine two"));
}

TEST_F(ProcessCommands, drain_then_stop_ends_the_process) {
  fill();
  const Told told = tell({"drain", "--then-stop"});
  EXPECT_EQ(told.code, 0) << told.text;
  EXPECT_THAT(told.text, HasSubstr("stopped"));
  EXPECT_EQ(process_->wait(), 0) << process_->output();
  process_.reset();
  EXPECT_EQ(tell({"drain", "--undo", "--then-stop"}).code, 2);
  EXPECT_EQ(tell({"drain", "--wait", "soon"}).code, 2);
}

TEST_F(ProcessCommands, reload_says_what_came_of_it) {
  start();
  const Told told = tell({"reload"});
  EXPECT_EQ(told.code, 0) << told.text;
  EXPECT_TRUE(tell({"reload", "--json"}).answer().at("changes").is_array());
}

TEST_F(ProcessCommands, over_tcp_they_need_the_token) {
  const std::string token = "0123456789abcdef0123456789abcdef";
  const int port = free_port();
  const std::string url = "http://127.0.0.1:" + std::to_string(port);
  start({{"TGKEEP_ADMIN_LISTEN", "127.0.0.1:" + std::to_string(port)}, {"TGKEEP_ADMIN_TOKEN", token}});
  const Told without = tell({"status", "--admin", url});
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.text, HasSubstr("TGKEEP_ADMIN_TOKEN"));
  const Told wrong = tell({"status", "--admin", url}, {{"TGKEEP_ADMIN_TOKEN", token + "x"}});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.text, Not(HasSubstr(token)));
  const Told right = tell({"status", "--admin", url}, {{"TGKEEP_ADMIN_TOKEN", token}});
  EXPECT_EQ(right.code, 0) << right.text;
  const std::string file = write("admin-token", token + "\n");
  EXPECT_EQ(tell({"pause", "--admin", url, "--admin-token-file", file}).code, 0);
  EXPECT_EQ(tell({"status", "--admin", url, "--admin-token-file", folder_.file("none")}).code, 2);
  EXPECT_EQ(tell({"status", "--admin", "127.0.0.1"}, {{"TGKEEP_ADMIN_TOKEN", token}}).code, 2);
  stop_process();
  const Told gone = tell({"status", "--admin", url}, {{"TGKEEP_ADMIN_TOKEN", token}});
  EXPECT_EQ(gone.code, 1);
  EXPECT_THAT(gone.text, HasSubstr("gave no answer"));
}

TEST_F(ProcessCommands, a_process_that_can_not_be_asked_keeps_its_store_and_lets_it_be_read) {
  start({{"TGKEEP_ADMIN_SOCKET", "off"}});
  telegram_.send(2, "hopeless");
  bot_.request(0);
  const Told told = tell({"dead", "retry", "--all"});
  EXPECT_EQ(told.code, 5) << told.text;
  EXPECT_THAT(told.text, AllOf(HasSubstr("in use by process"), HasSubstr("admin.sock")));
  EXPECT_EQ(tell({"status"}).code, 0);
}

TEST_F(ProcessCommands, a_folder_that_is_missing_is_named_and_not_made) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"status"}, std::vector<std::string>{"pause"},
        std::vector<std::string>{"list"}, std::vector<std::string>{"erase", "--user", "1", "--yes"},
        std::vector<std::string>{"check"}}) {
    const Told told = tell(arguments);
    EXPECT_EQ(told.code, 4) << told.text;
    EXPECT_THAT(told.text, HasSubstr(folder_.file("store")));
    EXPECT_FALSE(std::filesystem::exists(folder_.file("store")));
  }
}

TEST_F(ProcessCommands, a_folder_of_something_else_is_refused) {
  std::filesystem::create_directory(folder_.file("store"));
  write("store/inbox.db",
        "this is no database, it is a text of some length, long enough to be read as a header");
  const Told told = tell({"status"});
  EXPECT_EQ(told.code, 1) << told.text;
  EXPECT_THAT(told.text, HasSubstr("inbox.db"));
}

TEST_F(ProcessCommands, several_bots_must_be_told_apart) {
  const std::string file =
      write("two.toml", "api_root = \"" + telegram_.root() + "\"\nfolder = \"" + folder_.file("stores") +
                            "\"\nhandler = \"log\"\n[[bot]]\nname = \"one\"\ntoken_env = \"ONE\"\n"
                            "[[bot]]\nname = \"two\"\ntoken_env = \"TWO\"\n");
  const Environment tokens{{"ONE", std::string(kBotToken)}, {"TWO", std::string(kOtherToken)}};
  const auto ask = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), program());
    arguments.insert(arguments.end(), {"-c", file});
    Process command(arguments, tokens);
    const int code = command.wait();
    return Told(code, command.output());
  };
  {
    Process gateway({program(), "serve", "-c", file}, tokens);
    telegram_.wait_for("getUpdates", 2);
    EXPECT_EQ(ask({"status", "--json"}).answer().at("bots").as_array().size(), 2U);
    EXPECT_EQ(ask({"pause", "--bot", "two"}).code, 0);
    EXPECT_NE(ask({"pause"}).code, 0);
    stop(gateway);
  }
  const Told people = ask({"status"});
  EXPECT_THAT(people.text, AllOf(HasSubstr("one (4242)"), HasSubstr("two (4343)"), HasSubstr("paused")));
  EXPECT_THAT(ask({"status", "--bot", "one"}).text, Not(HasSubstr("paused")));
  EXPECT_EQ(ask({"resume", "--bot", "4343"}).code, 0);
  const Told vague = ask({"list"});
  EXPECT_NE(vague.code, 0);
  EXPECT_THAT(vague.text, HasSubstr("one"));
}

}  // namespace
}  // namespace tgkeep::test
