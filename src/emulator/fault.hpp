#pragma once
// What a script can do to one request. The script is asked when the request has been read.

#include <cstdint>
#include <functional>
#include <tgkeep/time.hpp>
#include <type_traits>

#include "emulator/call_log.hpp"
#include "emulator/webhook_log.hpp"

namespace tgkeep::emulator {

class Fault {
 public:
  enum class Kind : std::uint8_t {
    none,
    late,           ///< wait, then perform and answer
    late_answer,    ///< perform, then wait with the answer
    hang_up,        ///< close the connection; no effect
    hang_up_after,  ///< perform, then close instead of answering
    status,         ///< answer with this HTTP status; no effect
    flood,          ///< answer 429; no effect
  };
  Fault() = default;
  static Fault late(Duration delay) { return Fault(Kind::late, delay); }
  static Fault late_answer(Duration delay) { return Fault(Kind::late_answer, delay); }
  static Fault hang_up() { return Fault(Kind::hang_up, {}); }
  static Fault hang_up_after() { return Fault(Kind::hang_up_after, {}); }
  static Fault flood(std::chrono::seconds retry_after) { return Fault(Kind::flood, retry_after); }
  static Fault status(int status) {
    Fault fault(Kind::status, {});
    fault.code = status;
    return fault;
  }

  Kind kind = Kind::none;
  Duration delay{};  ///< of `late` and `late_answer`; of `flood` retry_after
  int code = 0;

 private:
  Fault(Kind kind, Duration delay) : kind(kind), delay(delay) {}
};

using FaultScript = std::function<Fault(const CallRecord&)>;

/// What a script can do to one webhook request, which is about to be sent.
enum class WebhookFault : std::uint8_t {
  none,
  twice,  ///< send it on a second connection at the same time, too; that one's answer counts for nothing
  again,  ///< lose the confirmation: a 2xx is taken, and the update is sent once more
};

using WebhookFaultScript = std::function<WebhookFault(const WebhookRecord&)>;

static_assert(!std::is_aggregate_v<Fault>);

}  // namespace tgkeep::emulator
