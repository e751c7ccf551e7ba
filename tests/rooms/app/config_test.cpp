#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/bot_secrets.hpp"
#include "app/config_checks.hpp"
#include "app/face_settings.hpp"
#include "app/settings.hpp"
#include "app/wiring.hpp"
#include "words/nearest.hpp"

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

TEST_F(ConfigTest, webhook_and_push_are_read_from_their_sections) {
  LoadedConfig loaded = load(
      "source = \"webhook\"\nhandler = \"push\"\n[listen]\naddress = \"0.0.0.0\"\nport = 8443\n"
      "certificate = \"c.pem\"\nkey = \"k.pem\"\n[webhook]\npath = \"/a\"\nown = true\n"
      "url = \"https://bot.example.org/a\"\nmax_connections = 7\ntrusted_proxies = [\"127.0.0.1\", "
      "\"10.0.0.0/8\"]\n"
      "[push]\nurl = \"http://127.0.0.1:3000/\"\nconcurrency = 3\ntimeout = \"2h\"\naccept_202 = true\n"
      "lease = \"1m\"\nsettle_url = \"http://127.0.0.1:8443/settle/\"\nstatuses = [\"410=dead\", "
      "\"4xx=retry\", "
      "\"304=done\"]\nallow = [\"10.1.0.0/16\"]\n");
  ASSERT_THAT(loaded.problems, IsEmpty());
  EXPECT_EQ(loaded.config.process.listen.port, 8443);
  EXPECT_THAT(loaded.config.process.push_networks, ElementsAre("10.1.0.0/16"));
  const BotOptions bot =
      bots_to_run(loaded.config, {{"TGKEEP_TOKEN", kToken}, {"TGKEEP_WEBHOOK_SECRET", "new old"}})
          .value()
          .at(0);
  ASSERT_TRUE(bot.webhook && bot.push);
  EXPECT_THAT(bot.webhook->secrets, ElementsAre("new", "old"));
  EXPECT_EQ(bot.webhook->max_connections, 7);
  EXPECT_EQ(bot.push->rules,
            (std::map<int, PushRule>{{410, PushRule::dead}, {4, PushRule::retry}, {304, PushRule::done}}));
  EXPECT_EQ(bot.push->timeout, 2h);
  EXPECT_EQ(bot.folder, "tgkeep-data");
}

TEST_F(ConfigTest, the_runner_is_fitted_to_the_push) {
  BotOptions bot(kToken);
  EXPECT_EQ(inbox_options(bot).limit, RunnerOptions().limit);
  bot.push.emplace();
  EXPECT_EQ(inbox_options(bot).limit, bot.push->concurrency);
  EXPECT_EQ(inbox_options(bot).timeout, RunnerOptions().timeout);
  bot.push->timeout = 3h;
  EXPECT_GT(inbox_options(bot).timeout, 3h);
  bot.push->accept_202 = true;
  EXPECT_EQ(inbox_options(bot).limit, RunnerOptions().limit);
  EXPECT_GT(inbox_options(bot).timeout, 3h + bot.push->lease);
}

TEST_F(ConfigTest, a_bot_that_pulls_opens_the_face_and_has_all_the_time_it_wants) {
  const LoadedConfig plain = load("handler = \"pull\"\n[push]\ntimeout = \"5s\"\n[pull]\nlease = \"1m\"\n");
  ASSERT_THAT(plain.problems, IsEmpty());
  const FaceOptions face = face_to_open(plain.config).value();
  EXPECT_EQ(face.address, "127.0.0.1");
  EXPECT_EQ(face.port, 8481);
  const BotOptions bot = options_of(plain.config.bot);
  ASSERT_TRUE(bot.pull);
  EXPECT_EQ(bot.pull->lease, 1min);
  EXPECT_EQ(bot.pull->push_timeout, 5s);
  const RunnerOptions inbox = inbox_options(bot);
  EXPECT_GT(inbox.timeout, 24h * 365 * 5);
  EXPECT_GT(inbox.suspect_after, 1'000'000u);
  EXPECT_GT(inbox.max_crashes, 1'000'000u);
  EXPECT_EQ(inbox.limit, RunnerOptions().limit);

  EXPECT_FALSE(face_to_open(load("handler = \"echo\"\n").config));
  const LoadedConfig elsewhere =
      load("[face]\nlisten = \"[::1]:9\"\nmax_wait = \"5s\"\nmax_waiting = 3\nbulk_rate = 7\n");
  ASSERT_THAT(elsewhere.problems, IsEmpty());
  const FaceOptions own = face_to_open(elsewhere.config).value();
  EXPECT_EQ(own.address, "::1");
  EXPECT_EQ(own.port, 9);
  EXPECT_EQ(own.max_wait, 5s);
  EXPECT_EQ(own.max_waiting, 3u);
  EXPECT_EQ(own.bulk_rate, 7);
  EXPECT_THAT(load("[face]\nlisten = \"here\"\n").problems, ElementsAre(HasSubstr("127.0.0.1:8481")));
  EXPECT_THAT(load("handler = \"pull\"\n[push]\nurl = \"http://127.0.0.1:1/\"\n").problems,
              ElementsAre(HasSubstr("take out push.url")));
}

TEST_F(ConfigTest, settle_urls_are_the_bots_own) {
  BotOptions bot(kToken);
  bot.push.emplace();
  bot.push->settle_url = "https://example.org:8443/a/settle/";
  EXPECT_EQ(settle_prefix(BotId(42), bot), "/a/settle/42/");
  EXPECT_EQ(push_options(BotId(42), bot).settle_url, "https://example.org:8443/a/settle/42/");
  EXPECT_EQ(path_of("http://host"), "/");
  EXPECT_EQ(path_of("http://host?a=/b"), "/");
}

TEST_F(ConfigTest, settings_that_do_not_fit_together_are_refused_with_a_remedy) {
  EXPECT_THAT(load("handler = \"push\"").problems, ElementsAre(HasSubstr("push.url")));
  EXPECT_THAT(load("handler = \"push\"\n[push]\nurl = \"http://a/\"\naccept_202 = true").problems,
              ElementsAre(HasSubstr("push.settle_url")));
  EXPECT_THAT(load("source = \"webhook\"\n[webhook]\nown = true").problems,
              ElementsAre(HasSubstr("webhook.url")));
  EXPECT_THAT(load("source = \"webhook\"\n[webhook]\npath = \"hook\"").problems,
              ElementsAre(HasSubstr("starts with /")));
  EXPECT_THAT(load("source = \"webhook\"\n[webhook]\ntrusted_proxies = [\"x\"]").problems,
              ElementsAre(HasSubstr("trusted_proxies")));
  EXPECT_THAT(load("[listen]\ncertificate = \"c.pem\"").problems,
              ElementsAre(HasSubstr("both certificate and key")));
  EXPECT_THAT(load("[push]\nallow = [\"10.0.0.0/99\"]").problems, ElementsAre(HasSubstr("push.allow")));
  EXPECT_THAT(load("[push]\nstatuses = [\"200=dead\"]").problems, ElementsAre(HasSubstr("410=dead")));
  EXPECT_THAT(load("[push]\nstatuses = [\"429=dead\"]").problems, ElementsAre(HasSubstr("besides 429")));
  EXPECT_THAT(load("[webhook]\nmax_connections = 101").problems, ElementsAre(HasSubstr("from 1 to 100")));
}

TEST_F(ConfigTest, a_webhook_without_a_secret_or_with_one_telegram_does_not_take_is_refused) {
  const Config config = load("source = \"webhook\"").config;
  EXPECT_THAT(bots_to_run(config, {{"TGKEEP_TOKEN", kToken}}).error().text(),
              AllOf(HasSubstr("TGKEEP_WEBHOOK_SECRET"), HasSubstr("webhook.secret_file")));
  EXPECT_THAT(
      bots_to_run(config, {{"TGKEEP_TOKEN", kToken}, {"TGKEEP_WEBHOOK_SECRET", "so#quiet"}}).error().text(),
      AllOf(HasSubstr("A-Z, a-z, 0-9"), Not(HasSubstr("so#quiet"))));
}

TEST_F(ConfigTest, each_bot_has_what_it_says_and_else_what_the_top_says) {
  ConfigSources sources;
  sources.file = write("bots.toml",
                       "folder = \"data\"\n[inbox]\nlimit = 7\n[[bot]]\nname = \"a\"\ntoken_env = \"A\"\n"
                       "[[bot]]\nname = \"b\"\ntoken_env = \"B\"\nhandler = \"log\"\nfolder = \"own\"\n"
                       "inbox.limit = 9\n[bot.poll]\ntimeout = \"5s\"\n");
  sources.environment = {{"TGKEEP_INBOX_MAX_ATTEMPTS", "3"}};
  const LoadedConfig loaded = load_config(sources);
  ASSERT_THAT(loaded.problems, IsEmpty());
  const std::vector<BotOptions> bots =
      bots_to_run(loaded.config, {{"A", "11:" + std::string(35, 'a')}, {"B", "22:" + std::string(35, 'b')}})
          .value();
  ASSERT_EQ(bots.size(), 2U);
  EXPECT_EQ(bots[0].name, "a");
  EXPECT_EQ(bots[0].folder, "data/11");
  EXPECT_EQ(bots[0].inbox.limit, 7U);
  EXPECT_EQ(bots[0].inbox.max_attempts, 3U);
  EXPECT_EQ(bots[0].poll_timeout, 30s);
  EXPECT_EQ(bots[1].folder, "own");
  EXPECT_EQ(bots[1].inbox.limit, 9U);
  EXPECT_EQ(bots[1].inbox.max_attempts, 3U);
  EXPECT_EQ(bots[1].poll_timeout, 5s);
  EXPECT_EQ(loaded.config.all_bots()[1].handler, HandlerKind::log);
}

TEST_F(ConfigTest, what_is_wrong_with_one_of_several_bots_is_told_with_its_line) {
  EXPECT_THAT(load("[[bot]]\ntoken_env = \"A\"").problems,
              ElementsAre(HasSubstr("tgkeep.toml:1: [[bot]] has no name")));
  EXPECT_THAT(load("[[bot]]\nname = \"a\"").problems, ElementsAre(HasSubstr("[[bot]] a has no token")));
  EXPECT_THAT(
      load("[[bot]]\nname = \"a\"\ntoken_env = \"A\"\n[[bot]]\nname = \"a\"\ntoken_env = \"B\"").problems,
      ElementsAre(HasSubstr("another [[bot]] named a")));
  EXPECT_THAT(load("[[bot]]\nname = \"a\"\ntoken_env = \"A\"\ndrain = \"1s\"").problems,
              ElementsAre(AllOf(HasSubstr("tgkeep.toml:4: drain"), HasSubstr("above the first [[bot]]"))));
  EXPECT_THAT(load("[[bot]]\nname = \"a\"\ntoken_env = \"A\"\ninbox.limt = 1").problems,
              ElementsAre(AllOf(HasSubstr("tgkeep.toml:4: "), HasSubstr("did you mean inbox.limit?"))));
  EXPECT_THAT(load("name = \"a\"").problems, ElementsAre(HasSubstr("into its [[bot]]")));
  EXPECT_THAT(load("source = \"webhook\"\n[[bot]]\nname = \"a\"\ntoken_env = \"A\"\n"
                   "[[bot]]\nname = \"b\"\ntoken_env = \"B\"")
                  .problems,
              ElementsAre(HasSubstr("give each its own, such as /b")));
}

TEST_F(ConfigTest, two_bots_with_one_token_are_refused) {
  const Config config =
      load("[[bot]]\nname = \"a\"\ntoken_env = \"A\"\n[[bot]]\nname = \"b\"\ntoken_env = \"A\"").config;
  EXPECT_THAT(bots_to_run(config, {{"A", kToken}}).error().text(),
              AllOf(HasSubstr("bot b: has the token of bot a"), Not(HasSubstr("nobody"))));
}

TEST_F(ConfigTest, the_page_of_settings_names_every_one_with_its_default) {
  std::ifstream file(std::string(TGKEEP_SOURCE_DIR) + "/docs/configuration.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Config defaults;
  for (const Setting& setting : settings_of(defaults)) {
    const std::string shown = setting.show().value_or("not set");
    EXPECT_THAT(page, HasSubstr("| `" + setting.key + "` | `" + shown + "` | " + setting.help + " |"))
        << "docs/configuration.md lacks this row";
  }
}

TEST_F(ConfigTest, a_misspelt_variable_is_refused_and_a_foreign_one_is_not) {
  ConfigSources sources;
  sources.environment = {
      {"TGKEEP_FOLDR", "x"}, {"TGKEEP_SOMETHING_OF_THE_DEPLOYMENT", "1"}, {"TGKEEP_TOKEN", kToken}};
  EXPECT_THAT(load_config(sources).problems, ElementsAre(HasSubstr("did you mean TGKEEP_FOLDER?")));
}

TEST_F(ConfigTest, a_token_in_the_file_is_refused_and_not_repeated) {
  for (const char* key : {"token", "bot.token", "webhook.secret", "push.secret", "admin.token"}) {
    const LoadedConfig loaded = load(std::string(key) + " = \"" + kToken + "\"");
    EXPECT_THAT(loaded.problems, ElementsAre(AllOf(HasSubstr("TGKEEP_TOKEN"), Not(HasSubstr("nobody")))));
  }
}

TEST_F(ConfigTest, the_token_comes_from_its_variable_or_else_from_its_file) {
  BotConfig config;
  EXPECT_THAT(read_token(config, {}).error().text(), HasSubstr("TGKEEP_TOKEN"));
  config.token_file = write("token", std::string("  ") + kToken + "\n");
  EXPECT_EQ(read_token(config, {}).value(), kToken);
  const std::string other = "2:" + std::string(35, 'b');
  EXPECT_EQ(read_token(config, {{"TGKEEP_TOKEN", other}}).value(), other);
  EXPECT_THAT(read_token(config, {{"TGKEEP_TOKEN", "1:other"}}).error().text(),
              HasSubstr("secret of 5 characters"));
  config.token_file = write("empty", "\n");
  EXPECT_THAT(read_token(config, {}).error().text(), HasSubstr("can't be read or is empty"));
}

TEST(Nearest, finds_slips_and_leaves_strangers_alone) {
  const std::vector<std::string> keys{"folder", "poll.timeout", "inbox.limit"};
  EXPECT_EQ(words::nearest("foldr", keys), "folder");
  EXPECT_EQ(words::nearest("pol.timeout", keys), "poll.timeout");
  EXPECT_EQ(words::nearest("banana", keys), "");
}

}  // namespace
}  // namespace tgkeep::app
