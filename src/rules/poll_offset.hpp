#pragma once
// Which offset the next getUpdates carries. A wrong one loses updates: the server deletes everything below
// it. Pure.

#include <cstdint>
#include <optional>
#include <tgkeep/id.hpp>
#include <tgkeep/time.hpp>

namespace tgkeep::rules {

/// Lives as long as one run of polling and is never persisted: after a restart the server sends again what
/// was not confirmed, and the store knows what it has.
class PollOffset {
 public:
  /// Absent: from the oldest update, confirming nothing.
  std::optional<std::int64_t> value() const noexcept { return value_; }

  /// A batch whose last update (in the answer's order) is `last` is durable. The next offset follows it also
  /// when that is lower than before: ids start anew, lower or higher, after a week without updates.
  void stored(UpdateId last, MonoTime now) noexcept;

  /// The server had nothing more: everything below the offset is confirmed. After a day of this the offset is
  /// forgotten, because it would delete unseen updates if ids started anew just below it.
  void empty(MonoTime now) noexcept;

 private:
  std::optional<std::int64_t> value_;
  MonoTime moved_{};
};

}  // namespace tgkeep::rules
