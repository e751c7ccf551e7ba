#pragma once
// A bot that is running, as an operator sees it.

#include "admin/operated_bot.hpp"
#include "app/bot_life.hpp"
#include "app/visiting_browser.hpp"

namespace tgkeep::app {

/// Everything on the loop's thread. Goes before its life. What awaits is a visit to that.
class LiveBot final : public admin::OperatedBot {
 public:
  explicit LiveBot(BotLife& life);

  const admin::BotFacts& facts() const override { return facts_; }
  boost::asio::awaitable<Result<StoreCounts>> counts() override;
  StoreStats store_stats() const override;
  Epoch epoch() const override { return life_.rooms().store().epoch(); }
  StoreBrowser* browser() override { return browser_ ? &*browser_ : nullptr; }
  std::optional<SourceStats> source() const override;
  std::optional<FaceStats> face() const override;
  std::optional<RunnerStats> runner(Queue queue) const override;
  std::vector<InFlight> in_flight(Queue queue) const override;
  std::vector<BusyLane> busy_lanes(std::size_t limit) const override;
  boost::asio::awaitable<Result<void>> set_paused(Queue queue, bool paused) override;
  bool paused(Queue queue) const override { return life_.paused(queue); }

 private:
  BotLife& life_;
  admin::BotFacts facts_;
  std::optional<VisitingBrowser> browser_;
};

}  // namespace tgkeep::app
