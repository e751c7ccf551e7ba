#pragma once
// Comparing secrets so that a stranger can't find one piece by piece.

#include <cstddef>
#include <string_view>

namespace tgkeep::admin {

/// Whether they are the same. Takes a time that depends on the length of `given` alone. An empty secret is
/// like nothing.
inline bool same_secret(std::string_view secret, std::string_view given) noexcept {
  if (secret.empty()) return false;
  std::size_t difference = secret.size() ^ given.size();
  for (std::size_t i = 0; i < given.size(); ++i) {
    difference |= static_cast<std::size_t>(static_cast<unsigned char>(secret[i % secret.size()]) ^
                                           static_cast<unsigned char>(given[i]));
  }
  return difference == 0;
}

}  // namespace tgkeep::admin
