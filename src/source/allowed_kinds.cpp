#include "source/allowed_kinds.hpp"

#include <algorithm>

namespace tgkeep::source {

bool same_kinds(std::vector<std::string> one, std::vector<std::string> other) {
  for (std::vector<std::string>* kinds : {&one, &other}) {
    std::ranges::sort(*kinds);
    const auto repeated = std::ranges::unique(*kinds);
    kinds->erase(repeated.begin(), repeated.end());
  }
  return one == other;
}

}  // namespace tgkeep::source
