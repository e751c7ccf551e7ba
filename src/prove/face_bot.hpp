#pragma once
// The bot that `tgkeep prove --face` torments: it knows a face instead of Telegram, gets its updates there in
// one of three ways, and makes its calls there. It writes down what it does and what it is told.

#include <cstdint>
#include <string>
#include <type_traits>

namespace tgkeep::prove {

/// The token comes from the environment variable TGKEEP_TOKEN, never from an argument.
class FaceBotOptions {
 public:
  FaceBotOptions() = default;
  std::string way = "poll";     ///< or settle, or webhook
  std::uint16_t face_port = 0;  ///< of 127.0.0.1
  std::uint16_t port = 0;       ///< of 127.0.0.1, where a bot with a webhook listens
  std::string handler_log;
  std::string call_log;
  std::string control;  ///< the file of the control page
  std::uint64_t seed = 1;
};

/// Its calls to this chat are made aside: it does not wait for them.
inline constexpr std::int64_t kFloodedChat = 424'242'424'242;

/// Runs until killed. Ends with its parent (Linux).
int run_face_bot(const FaceBotOptions& options);

static_assert(!std::is_aggregate_v<FaceBotOptions>);

}  // namespace tgkeep::prove
