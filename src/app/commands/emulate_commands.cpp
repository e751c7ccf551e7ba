#include "app/commands/emulate_commands.hpp"

#include "app/emulate_request.hpp"

namespace tgkeep::app {

namespace {

constexpr const char* kFooter =
    "Without a request it runs the emulator until stopped. With one it asks a running emulator:\n"
    "  tgkeep emulate send-text user=5 text=/start\n"
    "  tgkeep emulate press-button data=yes\n"
    "  tgkeep emulate send-media kind=photo file=cat.jpg\n"
    "  tgkeep emulate updates file=updates.json\n"
    "  tgkeep emulate calls method=sendMessage wait=5\n"
    "  tgkeep emulate clock advance=3600\n"
    "docs/emulator.md lists the requests.";

}  // namespace

EmulateCommands::EmulateCommands(CLI::App& app)
    : emulate_(*app.add_subcommand("emulate", "A Bot API server to test bots with, offline")) {
  emulate_.footer(kFooter);
  emulate_.add_option("--port", options_.port, "0: any free port, which is printed")->capture_default_str();
  emulate_.add_option("--address", options_.address, "Where to listen")->capture_default_str();
  emulate_
      .add_option("--bot", options_.tokens,
                  "The token of a bot, like 4242:letters; again for more. Without it every token is a bot's")
      ->allow_extra_args(false);
  emulate_.add_option("--clock", options_.clock, "real: runs, can be moved; virtual: stands until moved")
      ->check(CLI::IsMember({"real", "virtual"}))
      ->capture_default_str();
  emulate_
      .add_option("--speed", options_.speed, "How much faster webhook retries and lifetimes of updates pass")
      ->check(CLI::Range(0.001, 1e6))
      ->capture_default_str();
  emulate_.add_option("--seed", options_.seed, "Decides the bots' first update_ids")->capture_default_str();
  emulate_.add_flag("--lenient", options_.lenient,
                    "Chats, users and files that nobody made come into being when a call names them");
  emulate_.add_flag("--no-limits", options_.no_limits, "No flood limits");
  emulate_.add_flag(
      "--cloud", options_.cloud,
      "Webhooks as at api.telegram.org: https, four ports, no reserved addresses; 404 for malformed "
      "tokens");
  emulate_.add_option(
      "--local", options_.local_folder,
      "A folder: getFile puts files there and names their whole path, as a server in local mode does");
  emulate_.add_option("--certificate", options_.certificate, "PEM file; with --key, it listens with TLS");
  emulate_.add_option("--key", options_.key, "PEM file of the certificate's key");
  emulate_.add_option("--to", to_, "The emulator to ask")->envname("TGKEEP_EMULATOR")->capture_default_str();
  emulate_.add_option("request", request_, "A request to a running emulator");
  emulate_.add_option("arguments", arguments_, "Of the request: name=value")->allow_extra_args();
}

std::optional<int> EmulateCommands::run() {
  if (!emulate_.parsed()) return std::nullopt;
  if (request_.empty()) return emulate(options_);
  return ask_emulator(to_, request_, arguments_);
}

}  // namespace tgkeep::app
