#pragma once
// What the face is opened with. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/gateway.hpp>
#include <vector>

namespace tgkeep::app {

/// The face these bots need; nothing when none does and the process has none of its own.
std::optional<FaceOptions> face_of(const ProcessOptions& process, const std::vector<BotOptions>& bots);
/// Why it may not be opened like this, and what to do; "" when it may.
std::string face_problem(const FaceOptions& options);
/// What a bot's API root must be: `http://127.0.0.1:8481`. Of an address that means all of the machine's:
/// with this machine's own name for itself.
std::string face_root(const FaceOptions& options, std::uint16_t port);
/// Whether a connection to that address and port reaches the face, as far as its options tell.
bool is_place_of(const FaceOptions& options, std::string_view address, std::uint16_t port);

}  // namespace tgkeep::app
