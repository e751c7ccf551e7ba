#include "app/commands/demo_commands.hpp"

namespace tgkeep::app {

DemoCommands::DemoCommands(CLI::App& app)
    : demo_(*app.add_subcommand("demo", "Kill a bot in the middle of its work and count what is left")),
      pipeline_(*app.add_subcommand("demo-pipeline", "The bot that `demo` kills")->group("")) {
  demo_.add_option("--updates", demo_options_.updates, "Updates to send")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  demo_.add_option("--kill,--kills", demo_options_.kills, "How often to kill the bot (SIGKILL)")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  demo_.add_option("--seed", demo_options_.seed, "Decides updates, chats and waits")->capture_default_str();
  demo_.add_option("--chats", demo_options_.chats, "Chats the updates are spread over")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  demo_.add_flag("--webhook", demo_options_.webhook,
                 "Send updates to the bot's webhook; without it the bot polls");
  demo_.add_flag("--push", demo_options_.push,
                 "Let the bot push updates to a receiver in a process of its own (needs python3)");
  demo_.add_flag("--kill-receiver", demo_options_.kill_receiver, "Kill that receiver instead of the bot");
  demo_.add_option(
      "--folder", demo_options_.folder,
      "An empty folder for store and logs. Default: a temporary one, kept only when the demo fails");

  pipeline_.add_option("--api-root", pipeline_options_.api_root)->required();
  pipeline_.add_option("--folder", pipeline_options_.folder)->required();
  pipeline_.add_option("--handler-log", pipeline_options_.handler_log)->required();
  pipeline_.add_flag("--forgetful", pipeline_options_.forgetful);
  pipeline_.add_option("--seed", pipeline_options_.seed)->required();
  pipeline_.add_option("--webhook-port", pipeline_options_.webhook_port);
  pipeline_.add_option("--push", pipeline_options_.push_url);
}

std::optional<int> DemoCommands::run() {
  if (demo_.parsed()) return demo::run_demo(demo_options_);
  if (pipeline_.parsed()) return demo::run_demo_pipeline(pipeline_options_);
  return std::nullopt;
}

}  // namespace tgkeep::app
