#pragma once
// `tgkeep prove`, and the hidden commands by which it starts what it kills.

#include <CLI/CLI.hpp>
#include <optional>

#include "app/commands/command.hpp"
#include "prove/face_bot.hpp"
#include "prove/prove.hpp"
#include "prove/simulate.hpp"
#include "prove/tormented_bot.hpp"
#include "prove/write_points.hpp"

namespace tgkeep::app {

/// Adds the commands to `app`, which must outlive it.
class ProveCommands final : public Command {
 public:
  explicit ProveCommands(CLI::App& app);
  /// After parsing: the exit code, if one of them was given.
  std::optional<int> run() override;

 private:
  CLI::App& prove_;
  CLI::App& bot_;
  CLI::App& receiver_;
  CLI::App& face_bot_;
  bool sim_ = false;
  bool writes_ = false;
  std::uint64_t seed_ = 1;
  prove::ProveOptions options_;
  prove::SimulateOptions sim_options_;
  prove::WritePointsOptions write_options_;
  prove::TormentedBotOptions bot_options_;
  prove::ProveReceiverOptions receiver_options_;
  prove::FaceBotOptions face_bot_options_;
};

}  // namespace tgkeep::app
