#pragma once
// A call to the Bot API that can be given up while its caller waits, without cancelling the caller.

#include <optional>
#include <tgkeep/api.hpp>
#include <tgkeep/log.hpp>

#include "loop/event_list.hpp"

namespace tgkeep::source {

/// One call at a time; everything on the loop's thread.
class BreakableCall {
 public:
  BreakableCall(Api& api, Log log) : api_(api), log_(std::move(log)) {}

  /// The answer; nothing when it was given up before there was one. Throws `operation_aborted` when
  /// cancelled. Either way the call is over when it returns.
  asio::awaitable<std::optional<ApiResult>> call(ApiRequest request);
  /// Gives up the call under way, if there is one.
  void give_up();

 private:
  asio::awaitable<void> make(ApiRequest request);

  Api& api_;
  const Log log_;
  std::optional<ApiResult> answer_;
  bool given_up_ = false;
  loop::EventList changed_;  // of the call under way
};

}  // namespace tgkeep::source
