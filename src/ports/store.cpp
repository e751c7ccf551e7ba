#include <tgkeep/store.hpp>

namespace tgkeep {

std::string_view to_string(Queue queue) noexcept {
  return queue == Queue::inbox ? "inbox" : "outbox";
}

}  // namespace tgkeep
