#include "app/commands/prove_commands.hpp"

namespace tgkeep::app {

ProveCommands::ProveCommands(CLI::App& app)
    : prove_(*app.add_subcommand("prove", "Make everything fail that can, and hold the promises against it")),
      bot_(*app.add_subcommand("prove-bot", "The bot that `prove` torments")->group("")),
      receiver_(*app.add_subcommand("prove-receiver", "The server that this bot pushes to")->group("")),
      face_bot_(*app.add_subcommand("prove-face-bot", "The bot behind its face")->group("")) {
  prove_.add_option("--seed", seed_, "Decides everything that is decided; a failed run prints it")
      ->capture_default_str();
  CLI::Option* const minutes =
      prove_.add_option("--minutes", options_.minutes, "How long to torment bots in processes of their own")
          ->check(CLI::Range(0.01, 100'000.0))
          ->capture_default_str();
  prove_
      .add_option("--time-scale", options_.time_scale, "How much faster than Telegram the emulated one waits")
      ->check(CLI::Range(1.0, 1000.0))
      ->capture_default_str();
  prove_.add_option(
      "--workload", options_.workload,
      "Only this one: poll, webhook, switching, poll-push, webhook-push, switching-push, hot-chat or "
      "backlog; with --face: face-poll, face-settle or face-webhook. Default: one after the other");
  CLI::Option* const face = prove_.add_flag(
      "--face", options_.face, "Torment bots that get their updates at the face and make their calls there");
  prove_.add_option("--folder", options_.folder,
                    "An empty folder for stores and logs. Default: a temporary one, kept only on failure");
  CLI::Option* const sim =
      prove_.add_flag("--sim", sim_, "Simulate instead: virtual time, one thread a simulation, no disk")
          ->excludes(minutes)
          ->excludes(face);
  prove_.add_option("--seeds", sim_options_.seeds, "With --sim: how many simulations, from --seed on")
      ->check(CLI::Range(1, 1'000'000'000))
      ->needs(sim)
      ->capture_default_str();
  prove_.add_option("--threads", sim_options_.threads, "With --sim: simulations at once")
      ->check(CLI::Range(1, 256))
      ->needs(sim)
      ->capture_default_str();
  prove_.add_flag("--trace", sim_options_.trace, "With --sim: everything that happens, to stderr")
      ->needs(sim);

  CLI::Option* const writes =
      prove_
          .add_flag(
              "--writes", writes_,
              "Die at each write of a store, lose what was not synced, flip bits; and look what is left")
          ->excludes(sim)
          ->excludes(minutes)
          ->excludes(face);
  prove_.add_option("--steps", write_options_.steps, "With --writes: verbs of the store's life")
      ->check(CLI::Range(10, 100'000))
      ->needs(writes)
      ->capture_default_str();
  prove_.add_option("--flips", write_options_.flips, "With --writes: bits to flip, one at a time")
      ->check(CLI::Range(0, 10'000'000))
      ->needs(writes)
      ->capture_default_str();

  bot_.add_option("--api-root", bot_options_.api_root)->required();
  bot_.add_option("--folder", bot_options_.folder)->required();
  bot_.add_option("--handler-log", bot_options_.handler_log)->required();
  bot_.add_option("--control", bot_options_.control)->required();
  bot_.add_option("--seed", bot_options_.seed)->required();
  bot_.add_option("--webhook-port", bot_options_.webhook_port);
  bot_.add_option("--push", bot_options_.push_url);
  bot_.add_option("--face-port", bot_options_.face_port);
  receiver_.add_option("--port", receiver_options_.port)->required();
  receiver_.add_option("--handler-log", receiver_options_.handler_log)->required();
  receiver_.add_option("--seed", receiver_options_.seed)->required();
  face_bot_.add_option("--way", face_bot_options_.way)
      ->required()
      ->check(CLI::IsMember({"poll", "settle", "webhook"}));
  face_bot_.add_option("--face-port", face_bot_options_.face_port)->required();
  face_bot_.add_option("--port", face_bot_options_.port)->required();
  face_bot_.add_option("--handler-log", face_bot_options_.handler_log)->required();
  face_bot_.add_option("--call-log", face_bot_options_.call_log)->required();
  face_bot_.add_option("--control", face_bot_options_.control)->required();
  face_bot_.add_option("--seed", face_bot_options_.seed)->required();
}

std::optional<int> ProveCommands::run() {
  if (bot_.parsed()) return prove::run_tormented_bot(bot_options_);
  if (receiver_.parsed()) return prove::run_prove_receiver(receiver_options_);
  if (face_bot_.parsed()) return prove::run_face_bot(face_bot_options_);
  if (!prove_.parsed()) return std::nullopt;
  if (sim_) {
    prove::SimulateOptions options = sim_options_;
    options.first = seed_;
    return prove::run_simulations(options);
  }
  if (writes_) {
    prove::WritePointsOptions options = write_options_;
    options.seed = seed_;
    return prove::run_write_points(options);
  }
  prove::ProveOptions options = options_;
  options.seed = seed_;
  return prove::run_prove(options);
}

}  // namespace tgkeep::app
