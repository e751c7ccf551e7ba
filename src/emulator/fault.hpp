#pragma once
// What a script can do to one request. The script is asked when the request has been read.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tgkeep/time.hpp>
#include <type_traits>
#include <utility>

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
    reset,          ///< reset the connection; no effect
    reset_after,    ///< perform, then reset the connection instead of answering
    reset_early,    ///< reset it when the head has come, before the body; no effect, not in the call log
    body,           ///< answer with this status and body, which are not the API's; no effect
    cut,            ///< perform, then send a part of the answer and close
    drip,           ///< perform, then send the answer in small pieces
    hang,           ///< never answer; no effect
    hang_after,     ///< perform, then never answer
  };
  Fault() = default;
  static Fault late(Duration delay) { return Fault(Kind::late, delay); }
  static Fault late_answer(Duration delay) { return Fault(Kind::late_answer, delay); }
  static Fault hang_up() { return Fault(Kind::hang_up, {}); }
  static Fault hang_up_after() { return Fault(Kind::hang_up_after, {}); }
  static Fault reset() { return Fault(Kind::reset, {}); }
  static Fault reset_after() { return Fault(Kind::reset_after, {}); }
  static Fault reset_early() { return Fault(Kind::reset_early, {}); }
  static Fault hang() { return Fault(Kind::hang, {}); }
  static Fault hang_after() { return Fault(Kind::hang_after, {}); }
  static Fault drip(Duration pause) { return Fault(Kind::drip, pause); }
  static Fault flood(std::chrono::seconds retry_after) { return Fault(Kind::flood, retry_after); }
  /// `words` "": the usual ones for the status.
  static Fault status(int status, std::string words = {}) {
    Fault fault(Kind::status, {});
    fault.code = status;
    fault.text = std::move(words);
    return fault;
  }
  /// 409 as a second poller gets it.
  static Fault conflict();
  /// After so many bytes of the answer, head included.
  static Fault cut(std::size_t bytes) {
    Fault fault(Kind::cut, {});
    fault.bytes = bytes;
    return fault;
  }
  static Fault body(int status, std::string text, std::string content_type) {
    Fault fault(Kind::body, {});
    fault.code = status;
    fault.text = std::move(text);
    fault.content_type = std::move(content_type);
    return fault;
  }
  /// 502 with an HTML page, as a proxy in front of the API answers.
  static Fault html();

  bool happens_after() const noexcept {
    return kind == Kind::none || kind == Kind::late || kind == Kind::late_answer ||
           kind == Kind::hang_up_after || kind == Kind::reset_after || kind == Kind::cut ||
           kind == Kind::drip || kind == Kind::hang_after;
  }

  Kind kind = Kind::none;
  Duration delay{};  ///< of `late` and `late_answer`; of `flood` retry_after; of `drip` between pieces
  int code = 0;
  std::size_t bytes = 0;
  std::string text;
  std::string content_type;
  std::string name;  ///< for the call log; "" = of the kind

 private:
  Fault(Kind kind, Duration delay) : kind(kind), delay(delay) {}
};

std::string_view to_string(Fault::Kind kind) noexcept;

using FaultScript = std::function<Fault(const CallRecord&)>;
/// Asked when only the head of a request is there; true resets the connection.
using EarlyFaultScript = std::function<bool(std::string_view method)>;

/// What a script can do to one webhook request, which is about to be sent.
enum class WebhookFault : std::uint8_t {
  none,
  twice,    ///< send it on a second connection at the same time, too; that one's answer counts for nothing
  again,    ///< lose the confirmation: a 2xx is taken, and the update is sent once more
  refused,  ///< the connection is refused; nothing is sent
  unreachable,        ///< nothing answers to the connection attempt until the deadline
  tls_failure,        ///< connect, and break the handshake off (plain http: the connection)
  reset_before_body,  ///< of these four, https ones end like tls_failure
  reset_mid_body,
  reset_after_body,
  close_after_body,  ///< a clean end, without waiting for the answer
  lost_answer,       ///< the answer is taken for a timeout, so the update comes again
  forged,  ///< somebody else sends it as well, with a wrong secret; that one's answer counts for nothing
  forged_without_one,  ///< the same, without a secret
};

std::string_view to_string(WebhookFault fault) noexcept;

using WebhookFaultScript = std::function<WebhookFault(const WebhookRecord&)>;

static_assert(!std::is_aggregate_v<Fault>);

}  // namespace tgkeep::emulator
