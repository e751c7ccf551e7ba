#pragma once
// Named sabotages, for proving that the tests can fail: built with TGKEEP_MUTANTS, the environment variable
// TGKEEP_MUTANT=name switches one on. In every other build `mutant` is a constant false.

#include <string_view>
#ifdef TGKEEP_MUTANTS
#include <cstdlib>
#endif

namespace tgkeep::rules {

#ifdef TGKEEP_MUTANTS
inline bool mutant(std::string_view name) {
  static const char* const chosen = std::getenv("TGKEEP_MUTANT");
  return chosen != nullptr && name == chosen;
}
#else
constexpr bool mutant(std::string_view) noexcept {
  return false;
}
#endif

}  // namespace tgkeep::rules
