#include "store/erase_patience.hpp"

#include <string>

namespace tgkeep::store {

namespace {
constexpr std::size_t kNamed = 10;
}

void add(Erased& sum, const Erased& more) noexcept {
  sum.waiting += more.waiting;
  sum.finished += more.finished;
  sum.state += more.state;
}

Error still_in_flight(const std::vector<std::pair<Queue, Seq>>& items) {
  std::string named;
  for (std::size_t i = 0; i < items.size() && i < kNamed; ++i) {
    if (i > 0) named += ", ";
    named += std::string(to_string(items[i].first)) + " " + std::to_string(items[i].second.value());
  }
  if (items.size() > kNamed) named += " and " + std::to_string(items.size() - kNamed) + " more";
  return Error(Errc::misuse, "all but what is being handled right now was erased; " + named +
                                 " did not end within 30 s. Pause the bot's deliveries, wait until they have "
                                 "ended, and erase once more");
}

}  // namespace tgkeep::store
