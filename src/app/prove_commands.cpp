#include "app/prove_commands.hpp"

namespace tgkeep::app {

ProveCommands::ProveCommands(CLI::App& app)
    : prove_(
          *app.add_subcommand("prove", "Make everything fail that can, and hold the promises against it")) {
  prove_.add_option("--seed", seed_, "Decides everything; a failed run prints it")->capture_default_str();
  CLI::Option* const sim =
      prove_.add_flag("--sim", sim_, "Simulate: virtual time, one thread a simulation, no disk");
  prove_.add_option("--seeds", sim_options_.seeds, "With --sim: how many simulations, from --seed on")
      ->check(CLI::Range(1, 1'000'000'000))
      ->needs(sim)
      ->capture_default_str();
  prove_.add_option("--threads", sim_options_.threads, "With --sim: simulations at once")
      ->check(CLI::Range(1, 256))
      ->needs(sim)
      ->capture_default_str();
  prove_.add_flag("--trace", sim_options_.trace, "With --sim: log lines to stderr")->needs(sim);
}

std::optional<int> ProveCommands::run() const {
  if (!prove_.parsed()) return std::nullopt;
  prove::SimulateOptions options = sim_options_;
  options.first = seed_;
  return prove::run_simulations(options);
}

}  // namespace tgkeep::app
