#pragma once
// Durations and sizes as people write them: "250ms", "10m", "64MiB".

#include <cstdint>
#include <string>
#include <string_view>
#include <tgkeep/error.hpp>
#include <tgkeep/time.hpp>

namespace tgkeep::app {

/// A whole number and one of ms, s, m, h, d. bad_config otherwise.
Result<Duration> read_duration(std::string_view text);
/// In the largest unit that keeps it whole; below a millisecond is cut.
std::string show_duration(Duration duration);

/// A whole number and one of B, KiB, MiB, GiB, TiB. bad_config otherwise.
Result<std::uint64_t> read_size(std::string_view text);
std::string show_size(std::uint64_t bytes);

}  // namespace tgkeep::app
