#pragma once
// How one call is to be passed on: its line, whether it may be repeated, and the request to Telegram. Pure.

#include <string>
#include <type_traits>

#include "face/call.hpp"
#include "face/outgoing.hpp"
#include "http/client.hpp"
#include "rules/call_lines.hpp"

namespace tgkeep::face {

class CallPlan {
 public:
  CallPlan() = default;
  std::string method;  ///< as written, short enough for a log
  rules::CallAsk ask;  ///< without `until`
  bool repeatable = false;
  bool reads = false;
};

/// The line is the chat's: of `chat_id` (a number, or a name in any case), within its business connection;
/// else of the inline message; else calls of the method share flood waits, in no order.
CallPlan plan_call(const Call& call);

/// The request without its body. The method stands in the path, whatever the parameters say, so that what was
/// looked at is what is asked for.
http::ClientRequest request_of(const Call& call, const OutgoingOptions& options);

static_assert(!std::is_aggregate_v<CallPlan>);

}  // namespace tgkeep::face
