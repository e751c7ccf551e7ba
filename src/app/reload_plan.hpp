#pragma once
// What a reload has to do, decided before anything is touched. Pure.

#include <string>
#include <tgkeep/gateway.hpp>
#include <tgkeep/id.hpp>
#include <vector>

namespace tgkeep::app {

/// A bot that goes on with other options.
class BotChange {
 public:
  BotChange(BotId bot, BotOptions options, std::vector<std::string> settings)
      : bot(bot), options(std::move(options)), settings(std::move(settings)) {}
  BotId bot;
  BotOptions options;
  std::vector<std::string> settings;  ///< that differ
};

class ReloadPlan {
 public:
  ReloadPlan() = default;
  std::vector<BotId> removed;
  std::vector<BotChange> changed;
  std::vector<BotOptions> added;
  std::vector<BotId> order;  ///< of all that are to run
};

/// `process` is what runs, with the face that is open, if one is. `listening`: the listener is open.
/// bad_config says all that is wrong: options that can't be, two bots with one token, path or folder, and
/// settings that need a restart.
Result<ReloadPlan> plan_reload(const ProcessOptions& process, const std::vector<BotOptions>& bots,
                               const Reconfiguration& next, bool listening);

/// `bot shop`, or `the bot` when it has no name.
std::string name_of(const BotOptions& bot);

}  // namespace tgkeep::app
