#pragma once
// The kinds of updates a bot asks for (allowed_updates), beside those of the configuration. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tgkeep::face {

/// Names of kinds; empty: Telegram's default kinds.
using Kinds = std::vector<std::string>;

/// Reads the parameter as the server does: nothing when it changes nothing (absent, or no JSON array of
/// strings). Names in any case; those this version does not know are kept, as Telegram may know them.
std::optional<Kinds> read_kinds(std::string_view text);

/// What Telegram is to be asked for so that both get theirs.
Kinds joined_kinds(const std::optional<Kinds>& configured, const Kinds& asked);

}  // namespace tgkeep::face
