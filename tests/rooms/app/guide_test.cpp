// Completion and man page, made from the program's own commands, and used by those who read them.

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "app/commands/command_tree.hpp"
#include "app/guide/roff.hpp"
#include "app/guide/tree.hpp"
#include "e2e/temporary_folder.hpp"

namespace tgkeep::app {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class PipeEnd {
 public:
  void operator()(FILE* pipe) const { ::pclose(pipe); }
};

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, PipeEnd> pipe(::popen(command.c_str(), "r"));
  std::string output;
  std::array<char, 4096> bytes{};
  while (const std::size_t length = std::fread(bytes.data(), 1, bytes.size(), pipe.get())) {
    output.append(bytes.data(), length);
  }
  return output;
}

bool has(const std::string& program) {
  return !output_of("command -v " + program + " 2>/dev/null").empty();
}

class Guide : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.file(name)) << text;
    return folder_.file(name);
  }
  /// What bash offers for the last of these words, sorted, in one line.
  std::string completed(const std::string& words) const {
    const std::string script = write("tgkeep.bash", bash_completion(program_));
    const std::string ask =
        write("ask.bash", "export LC_ALL=C\nsource " + script + "\nCOMP_WORDS=(" + words +
                              ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_tgkeep\n"
                              "printf '%s\\n' \"${COMPREPLY[@]}\" | sort | tr '\\n' ' '\n");
    return output_of("cd " + folder_.file("") + " && bash --norc " + ask + " 2>&1");
  }

  CommandTree tree_;
  GuideCommand program_ = read_tree(tree_.app());
  test::TemporaryFolder folder_;
};

TEST_F(Guide, knows_all_commands_but_the_hidden_ones) {
  std::vector<std::string> names;
  for (const GuideCommand& command : program_.below) names.push_back(command.name);
  EXPECT_THAT(names,
              testing::IsSupersetOf({"serve", "config", "status", "list", "show", "trace", "dead", "replay",
                                     "pause", "resume", "drain", "backup", "erase", "reload", "doctor"}));
  EXPECT_THAT(names, Not(testing::Contains("demo-pipeline")));
  EXPECT_THAT(names, Not(testing::Contains("man")));
}

TEST_F(Guide, bash_completes_commands_options_and_values) {
  EXPECT_EQ(completed("tgkeep sta"), "status ");
  EXPECT_EQ(completed("tgkeep dead ''"), "--help -h drop ls retry show ");
  EXPECT_EQ(completed("tgkeep dead ls --rea"), "--reason ");
  EXPECT_EQ(completed("tgkeep dead list --rea"), "--reason ");
  EXPECT_EQ(completed("tgkeep list --queue ''"), "inbox outbox ");
  EXPECT_EQ(completed("tgkeep list --queue = out"), "outbox ");
  EXPECT_EQ(completed("tgkeep list --queue outbox --sta"), "--state ");
  EXPECT_EQ(completed("tgkeep list --kind dead --sta"), "--state ");
  EXPECT_EQ(completed("tgkeep list --kind "), "--kind ");
  EXPECT_EQ(completed("tgkeep list --kind ''"), " ");
  EXPECT_THAT(completed("tgkeep serve --poll-t"), HasSubstr("--poll-timeout"));
}

TEST_F(Guide, bash_completes_files_also_with_blanks_in_their_names) {
  write("my settings.toml", "");
  EXPECT_EQ(completed("tgkeep status --config my"), "my settings.toml ");
  std::filesystem::create_directory(folder_.file("stores"));
  write("stores.txt", "");
  EXPECT_EQ(completed("tgkeep status --folder sto"), "stores ");
}

TEST_F(Guide, shells_that_are_here_can_read_their_scripts) {
  const std::string bash = write("tgkeep.bash", bash_completion(program_));
  const std::string zsh = write("_tgkeep", zsh_completion(program_));
  const std::string fish = write("tgkeep.fish", fish_completion(program_));
  EXPECT_THAT(output_of("bash -n " + bash + " 2>&1"), IsEmpty());
  if (has("zsh")) {
    EXPECT_THAT(output_of("zsh -n " + zsh + " 2>&1"), IsEmpty());
  }
  if (has("fish")) {
    EXPECT_THAT(output_of("fish --no-execute " + fish + " 2>&1"), IsEmpty());
  }
}

TEST_F(Guide, fish_completes_if_it_is_here) {
  if (!has("fish")) GTEST_SKIP() << "fish is not installed";
  const std::string script = write("tgkeep.fish", fish_completion(program_));
  const auto offered = [&script](const std::string& line) {
    return output_of("fish --no-config -c 'source " + script + "; complete -C \"" + line + "\"' 2>&1");
  };
  EXPECT_THAT(offered("tgkeep dead "),
              testing::AllOf(HasSubstr("ls"), HasSubstr("retry"), Not(HasSubstr("serve"))));
  EXPECT_THAT(offered("tgkeep list --queue "), HasSubstr("outbox"));
  EXPECT_THAT(offered("tgkeep dead list --rea"), HasSubstr("--reason"));
}

TEST_F(Guide, the_man_page_names_everything_and_man_has_nothing_against_it) {
  const std::string page = man_page(program_, "1.2.3");
  for (const char* part : {"TGKEEP 1", "1.2.3", "tgkeep dead ls", "Also called list", "\\-\\-poll\\-timeout",
                           "EXIT STATUS", "TGKEEP_TOKEN", "SIGHUP"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  const std::string file = write("tgkeep.1", page);
  if (has("man")) {
    EXPECT_THAT(output_of("LC_ALL=C.UTF-8 MANWIDTH=100 man -l --warnings " + file + " 2>&1 >/dev/null"),
                IsEmpty());
    EXPECT_THAT(output_of("LC_ALL=C.UTF-8 MANWIDTH=100 man -l " + file + " 2>/dev/null | col -b"),
                HasSubstr("tgkeep replay --from 10:00"));
  }
  if (has("mandoc")) {
    EXPECT_THAT(output_of("mandoc -T lint -W error " + file + " 2>&1"), IsEmpty());
  }
}

TEST(Roff, takes_text_for_text) {
  EXPECT_EQ(roff(".it's --a\\b\n.c"), "\\&.it\\(aqs \\-\\-a\\eb\n\\&.c");
  EXPECT_EQ(roff_with_examples("Text.\n  an example\nMore."),
            "Text.\n.PP\n.RS 4\n.nf\nan example\n.fi\n.RE\n.PP\nMore.\n");
}

}  // namespace
}  // namespace tgkeep::app
