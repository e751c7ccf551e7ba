#pragma once
// How a command ended, for scripts.

#include <array>
#include <string_view>
#include <utility>

namespace tgkeep::app {

enum class Exit : int { done = 0, failed = 1, wrong = 2, cut_off = 3, not_found = 4, refused = 5 };

constexpr int code_of(Exit exit) {
  return static_cast<int>(exit);
}

/// As --help and the man page say it; README.md says the same.
inline constexpr std::array<std::pair<Exit, std::string_view>, 6> kExitMeanings{{
    {Exit::done, "done"},
    {Exit::failed, "failed; stderr says why"},
    {Exit::wrong, "wrong arguments or configuration; nothing was done"},
    {Exit::cut_off, "cut off: deliveries that had not ended are handed over again, or a wait was over first"},
    {Exit::not_found, "not found, or nothing matched"},
    {Exit::refused, "refused: another process owns the store, or the command needs a running one"},
}};

}  // namespace tgkeep::app
