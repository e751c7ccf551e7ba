#pragma once
// Everything there is to see at one moment, gathered once for status, metrics, readiness and rates.

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <tgkeep/time.hpp>
#include <type_traits>
#include <vector>

#include "admin/premises.hpp"

namespace tgkeep::admin {

class QueuePicture {
 public:
  QueuePicture() = default;
  bool paused = false;                ///< by a person
  std::optional<RunnerStats> runner;  ///< of a running process
};

class BotPicture {
 public:
  BotPicture() = default;
  BotFacts facts;
  std::optional<StoreCounts> counts;  ///< absent: `trouble` says why
  Error trouble;
  StoreStats store;
  Epoch epoch;
  std::optional<SourceStats> source;
  std::optional<FaceStats> face;
  QueuePicture inbox;
  QueuePicture outbox;
};

class Picture {
 public:
  Picture() = default;
  bool live = false;
  bool receiving = false;
  bool stopping = false;
  WallTime started{};
  WallTime wall{};
  MonoTime mono{};
  std::vector<BotPicture> bots;
};

asio::awaitable<Picture> take_picture(Premises& premises);

/// The bot with that id; null when it has gone.
OperatedBot* bot_with(Premises& premises, BotId id);
/// Its store's browser; null when it has gone, or its store can't be searched.
StoreBrowser* browser_with(Premises& premises, BotId id);

/// P8 for one queue.
bool is_balanced(const QueueCounts& counts) noexcept;
/// Seconds since then; nothing when it never was.
std::optional<double> age_of(const std::optional<MonoTime>& then, MonoTime now) noexcept;
/// How long the oldest item has waited; nothing when none does.
std::optional<double> age_of_oldest(const QueueCounts& counts, WallTime now) noexcept;

static_assert(!std::is_aggregate_v<QueuePicture> && !std::is_aggregate_v<BotPicture> &&
              !std::is_aggregate_v<Picture>);

}  // namespace tgkeep::admin
