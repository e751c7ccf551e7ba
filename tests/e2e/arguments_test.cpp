// The program's words and exit codes for everything that can be wrong before it runs.

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "e2e/temporary_folder.hpp"
#include "support/process.hpp"

namespace tgkeep::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kToken = "4242:AAE-a_secret_that_nobody_should_ever_see";

std::string program() {
  const char* path = std::getenv("TGKEEP_BIN");
  return path != nullptr ? path : TGKEEP_PROGRAM;
}

class Ran {
 public:
  Ran(int code, std::string output) : code(code), output(std::move(output)) {}
  int code;
  std::string output;
};

Ran run_program(std::vector<std::string> arguments,
                const std::map<std::string, std::string>& environment = {}) {
  arguments.insert(arguments.begin(), program());
  Process process(arguments, environment);
  const int code = process.wait();
  return Ran(code, process.output());
}

TEST(Arguments, help_and_version_are_there_and_succeed) {
  const Ran help = run_program({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.output, AllOf(HasSubstr("serve"), HasSubstr("Exit codes")));
  const Ran version = run_program({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.output, HasSubstr("tgkeep 0."));
}

TEST(Arguments, unknown_commands_and_flags_end_with_2) {
  EXPECT_EQ(run_program({}).code, 2);
  EXPECT_EQ(run_program({"swerve"}).code, 2);
  EXPECT_EQ(run_program({"serve", "--foldr", "x"}).code, 2);
}

TEST(Arguments, a_token_among_them_is_refused_and_not_repeated) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"serve", "--token", kToken}, std::vector<std::string>{"serve", kToken},
        std::vector<std::string>{"serve", std::string("--token=") + kToken}}) {
    const Ran ran = run_program(arguments);
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.output, AllOf(HasSubstr("TGKEEP_TOKEN"), Not(HasSubstr("secret"))));
  }
}

TEST(Arguments, serve_without_a_token_says_where_it_belongs) {
  const Ran ran = run_program({"serve"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.output, HasSubstr("TGKEEP_TOKEN"));
}

TEST(Arguments, a_malformed_token_ends_it_with_clear_words_and_is_not_repeated) {
  const TemporaryFolder folder;
  const Ran ran = run_program({"serve", "--folder", folder.file("store")}, {{"TGKEEP_TOKEN", "very-secret"}});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.output, AllOf(HasSubstr("the bot token has no colon"), Not(HasSubstr("very-secret"))));
}

TEST(Arguments, what_serve_refuses_config_check_refuses_too) {
  const TemporaryFolder folder;
  const std::string file = folder.file("tgkeep.toml");
  std::ofstream(file) << "folder = \"" << folder.file("store") << "\"\nhandler = \"pull\"\n"
                      << "face.listen = \"127.0.0.1:0\"\n"
                      << "face.certificate = \"/nope\"\nface.key = \"/nope\"\n";
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"serve"}, std::vector<std::string>{"config", "check"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--config", file});
    const Ran wrong_file = run_program(arguments, {{"TGKEEP_TOKEN", kToken}});
    EXPECT_EQ(wrong_file.code, 2);
    EXPECT_THAT(wrong_file.output, AllOf(HasSubstr("[face]"), HasSubstr("/nope"), Not(HasSubstr("secret"))));
    const Ran wrong_token = run_program(arguments, {{"TGKEEP_TOKEN", "very-secret"}});
    EXPECT_EQ(wrong_token.code, 2);
    EXPECT_THAT(wrong_token.output, AllOf(HasSubstr("the bot token"), Not(HasSubstr("very-secret"))));
  }
}

TEST(Arguments, config_check_does_not_need_the_token_but_says_that_there_is_none) {
  const Ran ran = run_program({"config", "check"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.output, AllOf(HasSubstr("The configuration is fine."),
                                HasSubstr("needed where it runs: no bot token")));
  EXPECT_EQ(run_program({"config", "check"}, {{"TGKEEP_TOKEN_FILE", "/nope"}}).code, 2);
}

TEST(Arguments, a_number_that_is_none_is_refused_in_words) {
  for (const char* const number : {"abc", "0", "1.5", "99999999999999999999"}) {
    const Ran ran = run_program({"trace", "--seen-as", number});
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.output, HasSubstr(std::string("\"") + number + "\" is not a whole number of at least 1"));
    EXPECT_LT(ran.output.size(), 300U) << ran.output;
  }
}

TEST(Arguments, a_wrong_configuration_ends_with_2_and_lists_every_problem) {
  const TemporaryFolder folder;
  const std::string file = folder.file("tgkeep.toml");
  std::ofstream(file) << "foldr = \"x\"\ndrain = 30\n";
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"serve"}, std::vector<std::string>{"config", "check"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--config", file});
    const Ran ran = run_program(arguments, {{"TGKEEP_TOKEN", kToken}});
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.output, AllOf(HasSubstr(file + ":1: "), HasSubstr("did you mean folder?"),
                                  HasSubstr(file + ":2: drain"), Not(HasSubstr("secret"))));
  }
}

TEST(Arguments, the_printed_defaults_pass_their_own_check) {
  const TemporaryFolder folder;
  const std::string file = folder.file("tgkeep.toml");
  const Ran defaults = run_program({"config", "defaults"});
  EXPECT_EQ(defaults.code, 0);
  std::ofstream(file) << defaults.output;
  EXPECT_EQ(run_program({"config", "check", "-c", file}).code, 0);
}

TEST(Arguments, a_folder_that_can_not_be_written_ends_with_1_and_its_name) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a-file");
  std::ofstream(file) << "not a folder";
  const Ran ran = run_program({"serve", "--folder", file + "/store"}, {{"TGKEEP_TOKEN", kToken}});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.output, AllOf(HasSubstr("start_failed"), HasSubstr(file), Not(HasSubstr("secret"))));
}

TEST(Arguments, a_command_about_no_folder_makes_none) {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"status"}, std::vector<std::string>{"dead", "retry", "--all"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--folder", folder.file("nowhere")});
    const Ran ran = run_program(arguments);
    EXPECT_EQ(ran.code, 4);
    EXPECT_THAT(ran.output, HasSubstr("there is no folder"));
    EXPECT_FALSE(std::filesystem::exists(folder.file("nowhere")));
  }
}

}  // namespace
}  // namespace tgkeep::test
