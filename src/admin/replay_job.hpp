#pragma once
// A replay at work: pages of what matches, put to the tail again at a bounded rate.

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <map>
#include <string>

#include "admin/office.hpp"
#include "admin/replay_plan.hpp"

namespace tgkeep::admin {

/// Everything on the loop's thread. Stays where it is while it runs.
class ReplayJob {
 public:
  ReplayJob(Premises& premises, BotId bot, ReplayPlan plan);

  /// Counts what matches; what comes later, its own runs among it, is left out.
  asio::awaitable<Result<std::int64_t>> count();
  /// Replays it. Ends when it is cancelled, when the bot goes, and with the first error of the store.
  asio::awaitable<void> run();
  /// Ends `run` between two batches.
  void cancel() { cancelled_ = true; }
  bool running() const noexcept { return running_; }
  /// From now on, until `run` ends.
  void begin() noexcept { running_ = true; }
  boost::json::object shown() const;

 private:
  asio::awaitable<Result<ItemPage>> page_after(Seq after, std::size_t limit);
  asio::awaitable<Result<void>> replay_batch(std::vector<Seq> seqs);
  asio::awaitable<Result<void>> replay_all();

  Premises& premises_;
  BotId bot_;
  ReplayPlan plan_;
  Seq last_;  ///< of what matched when it was counted
  std::int64_t of_ = 0;
  std::int64_t done_ = 0;
  std::int64_t replayed_ = 0;
  std::map<std::string, std::int64_t> skipped_;
  bool running_ = false;
  bool cancelled_ = false;
  std::string error_;
};

}  // namespace tgkeep::admin
