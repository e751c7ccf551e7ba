#include "app/commands/serve_command.hpp"

#include "app/ask/reach.hpp"
#include "app/bot_secrets.hpp"
#include "app/commands/command_end.hpp"
#include "app/serve.hpp"
#include "app/settings.hpp"

namespace tgkeep::app {

ServeCommand::ServeCommand(CLI::App& app)
    : serve_(*app.add_subcommand("serve", "Receive updates and hand them to the bots until stopped")) {
  serve_.add_option("-c,--config", config_file_, "A TOML file with settings (see `tgkeep config defaults`)")
      ->envname("TGKEEP_CONFIG")
      ->type_name("FILE");
  Config defaults;
  for (const Setting& setting : settings_of(defaults)) {
    const auto take = [this, key = setting.key](const std::string& text) { flags_.emplace_back(key, text); };
    const std::string by_default = setting.show().value_or("not set");
    serve_.add_option_function<std::string>(setting.flag(), take, setting.help + " Default: " + by_default)
        ->type_name("VALUE");
  }
}

std::optional<int> ServeCommand::run() {
  if (!serve_.parsed()) return std::nullopt;
  const Config config = load(config_file_, flags_);
  Result<std::vector<BotOptions>> bots = bots_to_run(config, process_environment());
  if (bots.has_error()) throw CommandEnd(Exit::wrong, bots.error().text());
  return serve(config, std::move(*bots));
}

}  // namespace tgkeep::app
