#pragma once
// `tgkeep serve`: the Gateway with the configured bots.

#include <vector>

#include "app/config.hpp"

namespace tgkeep::app {

/// Exit code of a configuration that can't be run.
inline constexpr int kWrongConfiguration = 2;

/// `bots` in the order of `config.all_bots()`. Runs until a signal; returns the Gateway's exit code, or
/// `kWrongConfiguration` when it could not start for that. SIGHUP reads `config.sources` again. The process
/// ends hard when a stop takes 2 s longer than the drain.
int serve(const Config& config, std::vector<BotOptions> bots);

}  // namespace tgkeep::app
