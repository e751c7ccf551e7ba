#include "app/bot_secrets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/nearest.hpp"
#include "app/settings.hpp"

namespace tgkeep::app {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kToken = "123456789:AAE-a_secret_that_nobody_should_ever_see";

class ConfigTest : public testing::Test {
 protected:
  ConfigTest()
      : folder_(std::filesystem::temp_directory_path() / ("tgkeep-config-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~ConfigTest() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder_ / name;
    std::ofstream(path) << text;
    return path;
  }
  LoadedConfig load(const std::string& text) {
    ConfigSources sources;
    sources.file = write("tgkeep.toml", text);
    return load_config(sources);
  }

 private:
  std::filesystem::path folder_;
};

/// Every setting of a config as key=value, to compare two.
std::vector<std::string> shown(Config& config) {
  std::vector<std::string> lines;
  for (const Setting& setting : settings_of(config)) {
    lines.push_back(setting.key + "=" + setting.show().value_or("absent"));
  }
  return lines;
}

TEST_F(ConfigTest, the_printed_defaults_are_the_defaults_of_the_code) {
  Config defaults;
  LoadedConfig loaded = load(default_config_file());
  EXPECT_THAT(loaded.problems, IsEmpty());
  EXPECT_EQ(shown(loaded.config), shown(defaults));
  EXPECT_EQ(loaded.config.bot.options.inbox.limit, RunnerOptions().limit);
  EXPECT_EQ(loaded.config.process.drain, ProcessOptions().drain);
}

TEST_F(ConfigTest, each_line_of_the_printed_defaults_can_be_changed) {
  LoadedConfig loaded = load(
      "folder = \"elsewhere\"\nreserve = \"1GiB\"\ndrain = \"5s\"\nhandler = \"log\"\n"
      "[poll]\ntimeout = \"10s\"\nallowed_updates = [\"message\", \"callback_query\"]\n"
      "[inbox]\nlimit = 7\nfirst_delay = \"250ms\"\n[log]\nlevel = \"debug\"\nformat = \"json\"\n");
  EXPECT_THAT(loaded.problems, IsEmpty());
  const Config& config = loaded.config;
  EXPECT_EQ(config.bot.options.folder, "elsewhere");
  EXPECT_EQ(config.bot.options.reserve, 1U << 30);
  EXPECT_EQ(config.process.drain, 5s);
  EXPECT_EQ(config.bot.handler, HandlerKind::log);
  EXPECT_EQ(config.bot.options.poll_timeout, 10s);
  EXPECT_THAT(config.bot.options.allowed_updates.value(), ElementsAre("message", "callback_query"));
  EXPECT_EQ(config.bot.options.inbox.limit, 7U);
  EXPECT_EQ(config.bot.options.inbox.first_delay, 250ms);
  EXPECT_EQ(config.bot.options.outbox.limit, RunnerOptions().limit);
  EXPECT_EQ(config.log_level, LogLevel::debug);
  EXPECT_EQ(config.log_format, LogFormat::json);
}

TEST_F(ConfigTest, an_empty_list_of_kinds_differs_from_none) {
  EXPECT_FALSE(load("").config.bot.options.allowed_updates.has_value());
  EXPECT_TRUE(load("[poll]\nallowed_updates = []").config.bot.options.allowed_updates.has_value());
}

TEST_F(ConfigTest, all_problems_are_listed_at_once_with_file_line_key_and_remedy) {
  const LoadedConfig loaded =
      load("foldr = \"x\"\n[poll]\ntimeout = 30\n[inbox]\nlimit = 0\nlimits = 5\n[lag]\nx = 1\n");
  EXPECT_THAT(loaded.problems,
              testing::UnorderedElementsAre(
                  AllOf(HasSubstr("tgkeep.toml:1: "), HasSubstr("foldr"), HasSubstr("did you mean folder?")),
                  AllOf(HasSubstr("tgkeep.toml:3: poll.timeout: "), HasSubstr("such as \"30s\"")),
                  AllOf(HasSubstr("tgkeep.toml:5: inbox.limit: "), HasSubstr("from 1 to")),
                  AllOf(HasSubstr("tgkeep.toml:6: "), HasSubstr("did you mean inbox.limit?")),
                  AllOf(HasSubstr("tgkeep.toml:8: "), HasSubstr("lag.x"))));
}

TEST_F(ConfigTest, values_out_of_range_or_of_the_wrong_kind_are_refused) {
  EXPECT_THAT(load("[poll]\ntimeout = \"51s\"").problems, ElementsAre(HasSubstr("from 1s to 50s")));
  EXPECT_THAT(load("[poll]\ntimeout = \"1500ms\"").problems, ElementsAre(HasSubstr("whole seconds")));
  EXPECT_THAT(load("in_memory = \"yes\"").problems, ElementsAre(HasSubstr("neither true nor false")));
  EXPECT_THAT(load("folder = 2026-01-01").problems, ElementsAre(HasSubstr("no setting takes such a value")));
  EXPECT_THAT(load("[log]\nlevel = \"loud\"").problems,
              ElementsAre(HasSubstr("debug, info, warning, error")));
  EXPECT_THAT(load("api_root = \"https://api.telegram.org/\"").problems,
              ElementsAre(HasSubstr("without a slash")));
  EXPECT_THAT(load("[inbox]\nfirst_delay = \"10m\"").problems,
              ElementsAre(HasSubstr("longer than inbox.max_delay")));
}

TEST_F(ConfigTest, a_file_that_is_not_toml_is_named_with_its_line) {
  EXPECT_THAT(load("folder = \"a\"\nfolder = ").problems, ElementsAre(HasSubstr("tgkeep.toml:2: not TOML")));
  ConfigSources sources;
  sources.file = "/nowhere/tgkeep.toml";
  EXPECT_THAT(load_config(sources).problems, ElementsAre(HasSubstr("/nowhere/tgkeep.toml: can't be read")));
}

TEST_F(ConfigTest, flags_win_over_variables_and_variables_over_the_file) {
  ConfigSources sources;
  sources.file = write("a.toml", "folder = \"file\"\ndrain = \"1s\"\napi_root = \"http://file\"\n");
  sources.environment = {{"TGKEEP_FOLDER", "variable"}, {"TGKEEP_DRAIN", "2s"}, {"TGKEEP_LOG_LEVEL", ""}};
  sources.flags = {{"folder", "flag"}};
  const LoadedConfig loaded = load_config(sources);
  EXPECT_THAT(loaded.problems, IsEmpty());
  EXPECT_EQ(loaded.config.bot.options.folder, "flag");
  EXPECT_EQ(loaded.config.process.drain, 2s);
  EXPECT_EQ(loaded.config.bot.options.api_root, "http://file");
}

TEST_F(ConfigTest, a_misspelt_variable_is_refused_and_a_foreign_one_is_not) {
  ConfigSources sources;
  sources.environment = {
      {"TGKEEP_FOLDR", "x"}, {"TGKEEP_SOMETHING_OF_THE_DEPLOYMENT", "1"}, {"TGKEEP_TOKEN", kToken}};
  EXPECT_THAT(load_config(sources).problems, ElementsAre(HasSubstr("did you mean TGKEEP_FOLDER?")));
}

TEST_F(ConfigTest, a_token_in_the_file_is_refused_and_not_repeated) {
  for (const char* key : {"token", "bot.token"}) {
    const LoadedConfig loaded = load(std::string(key) + " = \"" + kToken + "\"");
    EXPECT_THAT(loaded.problems, ElementsAre(AllOf(HasSubstr("TGKEEP_TOKEN"), Not(HasSubstr("secret")))));
  }
}

TEST_F(ConfigTest, the_token_comes_from_its_variable_or_else_from_its_file) {
  BotConfig config;
  EXPECT_THAT(read_token(config, {}).error().text(), HasSubstr("TGKEEP_TOKEN"));
  config.token_file = write("token", std::string("  ") + kToken + "\n");
  EXPECT_EQ(read_token(config, {}).value(), kToken);
  EXPECT_EQ(read_token(config, {{"TGKEEP_TOKEN", "1:other"}}).value(), "1:other");
  config.token_file = write("empty", "\n");
  EXPECT_THAT(read_token(config, {}).error().text(), HasSubstr("can't be read or is empty"));
}

TEST(Nearest, finds_slips_and_leaves_strangers_alone) {
  const std::vector<std::string> keys{"folder", "poll.timeout", "inbox.limit"};
  EXPECT_EQ(nearest("foldr", keys), "folder");
  EXPECT_EQ(nearest("pol.timeout", keys), "poll.timeout");
  EXPECT_EQ(nearest("banana", keys), "");
}

}  // namespace
}  // namespace tgkeep::app
