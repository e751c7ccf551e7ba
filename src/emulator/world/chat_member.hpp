#pragma once
// ChatMember objects as the Bot API shows them. Pure.

#include <string_view>

#include "emulator/world/json_access.hpp"

namespace tgkeep::emulator {

/// A member of that status (`creator`, `administrator`, `member`, `restricted`, `left`, `kicked`) with all
/// required fields but `user`; rights of creators and administrators are granted. Unknown statuses are
/// `member`.
json::object make_member(std::string_view status);

/// Whether somebody of that status is in the chat.
bool is_present(const json::object& member) noexcept;
bool is_administrator(const json::object& member) noexcept;

}  // namespace tgkeep::emulator
