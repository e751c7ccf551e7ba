#include "app/live_bot.hpp"

#include "app/wiring.hpp"

namespace tgkeep::app {

LiveBot::LiveBot(BotLife& life) : life_(life), facts_(facts_of(life.rooms().bot(), life.options())) {
  StoreBrowser* const browser = life.rooms().store().browser();
  if (browser != nullptr) browser_.emplace(*browser, life.visits());
}

asio::awaitable<Result<StoreCounts>> LiveBot::counts() {
  return visiting(life_.visits(), life_.rooms().store().counts());
}

StoreStats LiveBot::store_stats() const {
  return life_.rooms().store().stats();
}

std::optional<SourceStats> LiveBot::source() const {
  return life_.rooms().source().stats();
}

std::optional<RunnerStats> LiveBot::runner(Queue queue) const {
  return life_.rooms().runner(queue).stats();
}

std::optional<FaceStats> LiveBot::face() const {
  const face::Face* const face = life_.rooms().face();
  if (face == nullptr) return std::nullopt;
  return face->stats();
}

std::vector<InFlight> LiveBot::in_flight(Queue queue) const {
  return life_.rooms().runner(queue).snapshot();
}

std::vector<BusyLane> LiveBot::busy_lanes(std::size_t limit) const {
  return life_.rooms().inbox().busy_lanes(limit);
}

asio::awaitable<Result<void>> LiveBot::set_paused(Queue queue, bool paused) {
  return visiting(life_.visits(), life_.set_paused(queue, paused));
}

}  // namespace tgkeep::app
