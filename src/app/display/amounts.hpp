#pragma once
// Ages, sizes and moments in words.

#include <cstdint>
#include <string>
#include <tgkeep/time.hpp>

namespace tgkeep::app {

/// "0 s", "3 min", "2 h 5 min", "4 d 1 h".
std::string age_text(double seconds);

/// "512 B", "1.5 GiB".
std::string bytes_text(std::uint64_t bytes);

/// "2026-11-29 10:00:03" in the local time zone.
std::string moment_text(WallTime time);

}  // namespace tgkeep::app
