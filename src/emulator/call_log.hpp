#pragma once
// Every request of a known bot, in the order of arrival.

#include <cstdint>
#include <deque>
#include <string>
#include <tgkeep/id.hpp>
#include <tgkeep/time.hpp>
#include <type_traits>

#include "telegram/request_params.hpp"

namespace tgkeep::emulator {

class CallRecord {
 public:
  enum class End : std::uint8_t {
    running,
    answered,  ///< the answer was handed to the connection
    hung_up,   ///< we closed the connection on purpose
    cut_off,   ///< the client hung up, or the server stopped
  };
  CallRecord() = default;

  std::int64_t number = 0;  ///< counted from 1
  BotId bot;
  std::string method;  ///< spelled as documented; as sent when unknown
  telegram::Params params;
  std::int64_t chat = 0;  ///< chat_id, when it is a number
  MonoTime received{};
  bool took_effect = false;
  bool webhook_reply = false;  ///< it came in the answer of a webhook, which never learns what came of it
  End end = End::running;
  int status = 0;      ///< of the answer
  std::string answer;  ///< its body, if that is kept
  std::string fault;   ///< what was done to it; "" = nothing
};

/// References stay valid while it grows. The oldest calls may leave it, see BotServerOptions.
using CallLog = std::deque<CallRecord>;

static_assert(!std::is_aggregate_v<CallRecord>);

}  // namespace tgkeep::emulator
