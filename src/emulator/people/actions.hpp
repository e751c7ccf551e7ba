#pragma once
// What people can do, each described by a JSON object (docs/emulator.md). No I/O.

#include <span>
#include <string_view>

#include "emulator/people/stage.hpp"

namespace tgkeep::emulator {

using Action = Checked<Deed> (*)(Stage&, const json::object& request);

class NamedAction {
 public:
  constexpr NamedAction(std::string_view name, Action perform) : name(name), perform(perform) {}
  std::string_view name;  ///< of the control path
  Action perform;
};

// One list for each file.
std::span<const NamedAction> writing_actions() noexcept;
std::span<const NamedAction> button_actions() noexcept;
std::span<const NamedAction> member_actions() noexcept;
std::span<const NamedAction> payment_actions() noexcept;

/// nullptr when there is none of that name.
const NamedAction* find_action(std::string_view name) noexcept;

/// Puts a message of a user into a chat and tells its bots. `content` is what the message has besides sender,
/// chat and date.
Deed write_message(Stage& stage, const Scene& scene, const json::object& content,
                   const json::object& request);

/// What follows a bot's yes to a shipping or pre-checkout query.
void go_on_after_shipping(Stage& stage, const PendingQuery& query);
void go_on_after_checkout(Stage& stage, const PendingQuery& query);

}  // namespace tgkeep::emulator
