#include "source/order.hpp"

namespace tgkeep::source {

void order(std::vector<Update>& updates, const Sequentialize& rule, const Log& log) {
  if (!rule) return;
  for (Update& update : updates) {
    if (!update.unreadable.empty()) continue;
    const Result<void> ordered = sequentialize(update, rule);
    if (ordered) continue;
    log.warning("sequentialize_failed",
                {{"bot", update.bot.value()},
                 {"update_id", update.id.value()},
                 {"error", ordered.error().text()},
                 {"what_to_do", "mend the bot's sequentialize; this update has the default keys"}});
  }
}

}  // namespace tgkeep::source
