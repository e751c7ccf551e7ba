#pragma once
// The allowed_updates setting of a bot: which kinds become updates at all.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tgkeep::emulator {

class AllowedKinds {
 public:
  /// A JSON array of names in any case. Anything else leaves the setting as it is; an array without a known
  /// kind brings the default back: all but chat_member, message_reaction and message_reaction_count.
  void set(std::string_view text);
  bool allows(std::string_view kind) const noexcept;
  /// Nothing while the default holds.
  const std::optional<std::vector<std::string>>& chosen() const noexcept { return chosen_; }
  /// As it was before; nothing is the default.
  void restore(std::optional<std::vector<std::string>> chosen) { chosen_ = std::move(chosen); }

 private:
  std::optional<std::vector<std::string>> chosen_;
};

}  // namespace tgkeep::emulator
