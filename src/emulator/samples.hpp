#pragma once
// The sample updates of botapi/samples, built into the binary.

#include <span>
#include <string_view>

namespace tgkeep::emulator {

/// One update as JSON text. All values are invented.
class Sample {
 public:
  constexpr Sample(std::string_view name, std::string_view json) : name(name), json(json) {}
  std::string_view name;  ///< KIND__CONTENT
  std::string_view json;
};

/// Sorted by name.
std::span<const Sample> samples() noexcept;

}  // namespace tgkeep::emulator
