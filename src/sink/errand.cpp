#include "sink/errand.hpp"

namespace tgkeep::sink {

void Errands::cancel() {
  // A copy: one may end, and leave the list, inside.
  const std::vector<std::weak_ptr<ErrandRun>> running = running_;
  for (const auto& weak : running) {
    if (const auto errand = weak.lock()) errand->cancel();
  }
}

void Errands::remove(const ErrandRun* errand) {
  const auto same = [errand](const auto& other) { return other.lock().get() == errand; };
  std::erase_if(running_, same);
  if (closed_ && running_.empty()) idle_.cancel();
}

}  // namespace tgkeep::sink
