#pragma once
// What may be done with a call of a method besides passing it on. Pure.

#include <string_view>

namespace tgkeep::face {

/// Answers that somebody waits for: they go before all other calls.
bool is_urgent(std::string_view method) noexcept;

/// Changes nothing: stands in no chat's line, and may be repeated.
bool only_reads(std::string_view method) noexcept;

/// May be sent again when nobody knows whether it took effect: a second time changes nothing more, and makes
/// no message, nothing to be paid and nothing that is new. Unknown methods may not.
bool may_repeat(std::string_view method) noexcept;

}  // namespace tgkeep::face
