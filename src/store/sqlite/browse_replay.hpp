#pragma once
// What is replayed: read beside the store's thread, put to the tail by it.

#include <optional>
#include <tgkeep/store_browser.hpp>
#include <type_traits>
#include <vector>

#include "store/row.hpp"
#include "store/sqlite/read_view.hpp"

namespace tgkeep::store {

/// An update that may be put to the tail again.
class ReplayCandidate {
 public:
  ReplayCandidate() = default;
  Seq seq;                     ///< that was asked for
  std::optional<Row> row;      ///< of a finished one, with its body
  std::uint32_t last_run = 0;  ///< of that update, as far as finished ones tell
};

/// In the order of `seqs`.
std::vector<ReplayCandidate> replay_candidates(ReadView& view, const std::vector<Seq>& seqs);

static_assert(!std::is_aggregate_v<ReplayCandidate>);

}  // namespace tgkeep::store
