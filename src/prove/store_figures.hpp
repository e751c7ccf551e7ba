#pragma once
// What a store holds, summed up.

#include <cstdint>

namespace tgkeep::prove {

/// At the end of a run.
class StoreFigures {
 public:
  StoreFigures() = default;
  std::int64_t stored = 0;
  std::int64_t duplicates = 0;
  std::int64_t done = 0;
  std::int64_t dead = 0;  ///< inbox and outbox, all reasons
  std::int64_t in_doubt = 0;
};

}  // namespace tgkeep::prove
