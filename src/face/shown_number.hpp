#pragma once
// The number a bot sees as update_id: an id of ours, kept below the 2,000,000,000 that Telegram promises.
// Pure.

#include <cstdint>
#include <tgkeep/id.hpp>

namespace tgkeep::face {

inline constexpr std::int64_t kShownNumbers = 1'999'999'999;

inline constexpr std::int64_t shown_number(PullId id) {
  return 1 + (id.value() - 1) % kShownNumbers;
}

/// The id meant by an offset, which is at most one above the number of `last`, the id handed out last.
inline constexpr std::int64_t id_of_shown(std::int64_t shown, PullId last) {
  if (shown <= 0 || last.value() <= 0) return shown;
  const std::int64_t base = (last.value() - 1) / kShownNumbers * kShownNumbers;
  const std::int64_t half = kShownNumbers / 2;
  std::int64_t id = base + shown;
  if (id - last.value() > half && base > 0) id -= kShownNumbers;
  return id;
}

}  // namespace tgkeep::face
