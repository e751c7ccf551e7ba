#include "words/millis_text.hpp"

#include <algorithm>

namespace tgkeep::words {

std::string millis_text(Duration duration) {
  const auto tenths = std::max<Duration::rep>(duration.count(), 0) / 100'000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

}  // namespace tgkeep::words
