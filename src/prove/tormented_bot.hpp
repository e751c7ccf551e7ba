#pragma once
// The bot that `tgkeep prove` torments: a Gateway with a handler that writes a log of its own, on a disk and
// a clock that obey the control page.

#include <cstdint>
#include <string>
#include <type_traits>

namespace tgkeep::prove {

/// The token comes from the environment variable TGKEEP_TOKEN, never from an argument.
class TormentedBotOptions {
 public:
  TormentedBotOptions() = default;
  std::string api_root;
  std::string folder;              ///< of the store
  std::string handler_log;         ///< a file, appended to
  std::string control;             ///< the file of the control page
  std::uint64_t seed = 1;          ///< decides the natures of the updates
  std::uint16_t webhook_port = 0;  ///< of 127.0.0.1, where updates come in; 0: they are polled
  std::uint16_t face_port = 0;  ///< of 127.0.0.1, where the bot fetches updates and makes calls; 0: no face
  std::string push_url;         ///< where updates go instead of to the handler in here; "" = to that
};

/// How long a stop lets handlers finish.
inline constexpr int kTormentedDrainSeconds = 2;

/// Runs until SIGTERM or SIGINT, returns the exit code. Ends with its parent (Linux).
int run_tormented_bot(const TormentedBotOptions& options);

class ProveReceiverOptions {
 public:
  ProveReceiverOptions() = default;
  std::uint16_t port = 0;
  std::string handler_log;
  std::uint64_t seed = 1;
};

/// The bot's own HTTP server, when updates are pushed: works on them as the handler would and writes the same
/// log. Runs until killed. Ends with its parent (Linux).
int run_prove_receiver(const ProveReceiverOptions& options);

static_assert(!std::is_aggregate_v<TormentedBotOptions> && !std::is_aggregate_v<ProveReceiverOptions>);

}  // namespace tgkeep::prove
