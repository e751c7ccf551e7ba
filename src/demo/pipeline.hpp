#pragma once
// The bot that the demo kills: a Gateway with an echo handler that writes a log of its own, or with a
// receiver that does.

#include <cstdint>
#include <string>
#include <type_traits>

namespace tgkeep::demo {

/// The token comes from the environment variable TGKEEP_TOKEN, never from an argument.
class DemoPipelineOptions {
 public:
  DemoPipelineOptions() = default;
  std::string api_root;
  std::string folder;              ///< of the store
  std::string handler_log;         ///< a file, appended to
  bool forgetful = false;          ///< keeps everything in memory only: shows that the demo can fail
  std::uint64_t seed = 1;          ///< decides how long each update takes, 5-50 ms
  std::uint16_t webhook_port = 0;  ///< of 127.0.0.1, where updates come in; 0: they are polled
  std::string push_url;            ///< where updates go instead of to the handler in here; "" = to that
};

/// Runs until SIGTERM or SIGINT, returns the exit code. Ends with its parent (Linux).
int run_demo_pipeline(const DemoPipelineOptions& options);

static_assert(!std::is_aggregate_v<DemoPipelineOptions>);

}  // namespace tgkeep::demo
