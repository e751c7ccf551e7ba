#pragma once
// Which offset the next getUpdates carries. A wrong one loses updates: the server deletes everything below
// it. Pure.

#include <cstdint>
#include <optional>
#include <tgkeep/id.hpp>

namespace tgkeep::rules {

/// Lives as long as one run of polling and is never persisted: after a restart the server sends again what
/// was not confirmed, and the store knows what it has.
class PollOffset {
 public:
  /// Absent: from the oldest update, confirming nothing.
  std::optional<std::int64_t> value() const noexcept { return value_; }

  /// A batch whose last update (in the answer's order) is `last` is durable. The next offset follows it also
  /// when that is lower than before: ids start anew, lower or higher, after a week without updates. (Were
  /// they to start anew 1-11 below the offset a poll waits with, the server would delete them unseen; no
  /// client can prevent that.)
  void stored(UpdateId last) noexcept;

 private:
  std::optional<std::int64_t> value_;
};

}  // namespace tgkeep::rules
