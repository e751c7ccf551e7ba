#pragma once
// Whether everything that was done can still be found, in the inbox or in a day file, and is sound.

#include <cstdint>
#include <string>

namespace tgkeep::prove {

/// Of a store that is closed; `done` items must be there, once each, both queues taken together. Empty, or
/// what differs; a damaged file is named with "corrupt: ".
std::string history_difference(const std::string& folder, std::int64_t done);

}  // namespace tgkeep::prove
