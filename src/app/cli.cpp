#include "app/cli.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bot_secrets.hpp"
#include "app/config.hpp"
#include "app/demo_commands.hpp"
#include "app/emulate_commands.hpp"
#include "app/prove_commands.hpp"
#include "app/serve.hpp"
#include "app/settings.hpp"
#include "app/store_commands.hpp"

namespace tgkeep::app {

namespace {

constexpr int kWrong = 2;

constexpr const char* kExitCodes =
    "Exit codes: 0 done or stopped; 1 failed (the log says why); 2 wrong arguments or configuration;\n"
    "3 stopped, but some deliveries had not ended: they are handed over again at the next start.\n"
    "The bot's token comes from TGKEEP_TOKEN or from the file named by token_file, secrets likewise; never\n"
    "from an argument.";

/// What the arguments said, besides the settings.
class Arguments {
 public:
  std::string config_file;
  std::vector<std::pair<std::string, std::string>> flags;
  std::string queue = "inbox";
  std::string bot;
  std::vector<std::int64_t> seqs;
  bool all = false;
};

int complain(const std::vector<std::string>& problems) {
  for (const std::string& problem : problems) std::fprintf(stderr, "tgkeep: %s\n", problem.c_str());
  return kWrong;
}

/// Whether a text could be a bot's token: such a thing is never repeated on a screen.
bool like_token(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon < 3 || text.size() - colon < 20) return false;
  const std::string_view before = text.substr(0, colon);
  const std::size_t digits_from = before.find_last_not_of("0123456789");
  return digits_from == std::string_view::npos || before.size() - digits_from > 3;
}

bool names_token(int argc, char** argv) {
  // The emulator's tokens are nobody's secret.
  if (argc > 1 && std::string_view(argv[1]) == "emulate") return false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument(argv[i]);
    if (argument == "--token" || argument.starts_with("--token=") || like_token(argument)) return true;
  }
  return false;
}

void add_config_file(CLI::App& command, Arguments& arguments) {
  command
      .add_option("-c,--config", arguments.config_file,
                  "A TOML file with settings (see `tgkeep config defaults`)")
      ->envname("TGKEEP_CONFIG");
}

/// One flag per setting; only `keys`, if there are any.
void add_settings(CLI::App& command, Arguments& arguments, const std::vector<std::string>& keys = {}) {
  Config defaults;
  for (const Setting& setting : settings_of(defaults)) {
    if (!keys.empty() && std::find(keys.begin(), keys.end(), setting.key) == keys.end()) continue;
    const auto take = [&arguments, key = setting.key](const std::string& text) {
      arguments.flags.emplace_back(key, text);
    };
    const std::string by_default = setting.show().value_or("not set");
    command.add_option_function<std::string>(setting.flag(), take, setting.help + " Default: " + by_default)
        ->type_name("VALUE");
  }
}

LoadedConfig load(const Arguments& arguments) {
  ConfigSources sources;
  sources.file = arguments.config_file;
  sources.environment = process_environment();
  sources.flags = arguments.flags;
  return load_config(sources);
}

int run_serve(const Arguments& arguments) {
  const LoadedConfig loaded = load(arguments);
  if (!loaded.problems.empty()) return complain(loaded.problems);
  Result<std::vector<BotOptions>> bots = bots_to_run(loaded.config, process_environment());
  if (bots.has_error()) return complain({bots.error().text()});
  return serve(loaded.config, std::move(*bots));
}

int check_config(const Arguments& arguments) {
  const LoadedConfig loaded = load(arguments);
  if (!loaded.problems.empty()) return complain(loaded.problems);
  std::puts("The configuration is fine.");
  return 0;
}

/// The bot that --bot names; the only one when it names none.
Result<BotConfig> chosen_bot(const Config& config, const std::string& name) {
  const std::vector<BotConfig> bots = config.all_bots();
  if (name.empty() && bots.size() == 1) return bots.front();
  std::string names;
  for (const BotConfig& bot : bots) {
    if (!name.empty() && bot.name == name) return bot;
    names += (names.empty() ? "" : ", ") + bot.name;
  }
  if (config.bots.empty()) names = "none with a name";
  return Error(Errc::bad_config, "--bot: name one of the configured bots (" + names + ")");
}

int run_on_store(const Arguments& arguments, const CLI::App& dead, const CLI::App& list) {
  const LoadedConfig loaded = load(arguments);
  if (!loaded.problems.empty()) return complain(loaded.problems);
  const Result<BotConfig> bot = chosen_bot(loaded.config, arguments.bot);
  if (bot.has_error()) return complain({bot.error().text()});
  const Result<std::string> folder = folder_of(*bot, process_environment());
  if (folder.has_error()) return complain({folder.error().text()});
  BotOptions options = bot->options;
  options.folder = *folder;
  const Queue queue = arguments.queue == "outbox" ? Queue::outbox : Queue::inbox;
  if (!dead.parsed()) return print_counts(options);
  if (list.parsed()) return list_dead(options, queue);
  if (arguments.all == !arguments.seqs.empty()) {
    return complain({"dead retry: name the numbers that `tgkeep dead list` shows, or say --all"});
  }
  return retry_dead(options, queue, arguments.seqs);
}

}  // namespace

int run_cli(int argc, char** argv) {
  if (names_token(argc, argv)) {
    return complain(
        {"a token among the arguments would show in the list of processes: put it into TGKEEP_TOKEN, or "
         "into a file named by --token-file"});
  }

  CLI::App app("tgkeep keeps every Telegram update until a bot is done with it.", "tgkeep");
  app.footer(kExitCodes);
  app.set_version_flag("--version", "tgkeep " TGKEEP_VERSION);
  app.require_subcommand(1);
  app.fallthrough(false);
  Arguments arguments;

  CLI::App& serve = *app.add_subcommand("serve", "Receive updates and hand them to the bots until stopped");
  add_config_file(serve, arguments);
  add_settings(serve, arguments);

  CLI::App& config = *app.add_subcommand("config", "Show or check the configuration");
  config.require_subcommand(1);
  const CLI::App& defaults =
      *config.add_subcommand("defaults", "Print a file with all settings at their defaults");
  CLI::App& check =
      *config.add_subcommand("check", "Read a file and the TGKEEP_* variables, and say what is wrong");
  add_config_file(check, arguments);

  CLI::App& dead = *app.add_subcommand("dead", "Dead letters of a stopped bot");
  dead.require_subcommand(1);
  CLI::App& list = *dead.add_subcommand("list", "Print them, oldest first");
  CLI::App& retry = *dead.add_subcommand("retry", "Put them back to the tail of their queue");
  retry.add_option("numbers", arguments.seqs, "The numbers that `dead list` shows");
  retry.add_flag("--all", arguments.all, "All of them");
  CLI::App& counts = *app.add_subcommand("counts", "Print the totals of a stopped bot's store");
  for (CLI::App* command : {&list, &retry, &counts}) {
    add_config_file(*command, arguments);
    add_settings(*command, arguments, {"folder"});
    command->add_option("--bot", arguments.bot, "Which of several bots, by its name");
    if (command == &counts) continue;
    command->add_option("--queue", arguments.queue, "inbox or outbox")
        ->check(CLI::IsMember({"inbox", "outbox"}))
        ->capture_default_str();
  }

  const DemoCommands demo(app);
  const EmulateCommands emulate(app);
  const ProveCommands prove(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kWrong;
  }
  if (const std::optional<int> code = demo.run()) return *code;
  if (const std::optional<int> code = emulate.run()) return *code;
  if (const std::optional<int> code = prove.run()) return *code;
  if (serve.parsed()) return run_serve(arguments);
  if (defaults.parsed()) return std::fputs(default_config_file().c_str(), stdout) < 0 ? 1 : 0;
  if (check.parsed()) return check_config(arguments);
  return run_on_store(arguments, dead, list);
}

}  // namespace tgkeep::app
