#pragma once
// How much one getUpdates may take and how long it may wait. Pure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tgkeep/time.hpp>
#include <type_traits>

namespace tgkeep::face {

class PollTerms {
 public:
  PollTerms(std::size_t limit, Duration wait) : limit(limit), wait(wait) {}
  std::size_t limit;
  Duration wait;
};

class PollPace {
 public:
  /// `limit` is brought into 1..100, `timeout` into 0..50 s. The same offset again within 3 s waits for at
  /// least 3 s: nobody polls in a busy loop.
  PollTerms admit(std::int64_t offset, std::int64_t limit, std::int64_t timeout, MonoTime now);

 private:
  std::optional<std::int64_t> last_offset_;
  MonoTime last_start_{};
};

static_assert(!std::is_aggregate_v<PollTerms>);

}  // namespace tgkeep::face
