#pragma once
// One bot as an operator sees it, whether its process is running or only its files are there.

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <tgkeep/error.hpp>
#include <tgkeep/face_stats.hpp>
#include <tgkeep/id.hpp>
#include <tgkeep/runner.hpp>
#include <tgkeep/source.hpp>
#include <tgkeep/store.hpp>
#include <tgkeep/store_browser.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep::admin {

namespace asio = boost::asio;

/// What does not change while it lives.
class BotFacts {
 public:
  BotFacts() = default;
  BotId id;
  std::string name;    ///< "" when it is the only one
  std::string source;  ///< `poll`, or `webhook` and its path
  /// `handler`, `pull`, or `push` and host and port of its URL: never a path, which may be a secret.
  std::string target;
  std::string folder;     ///< of its store; "" in memory
  std::size_t limit = 0;  ///< deliveries at once
};

/// Everything on the loop's thread.
class OperatedBot {
 public:
  virtual ~OperatedBot() = default;
  virtual const BotFacts& facts() const = 0;
  virtual asio::awaitable<Result<StoreCounts>> counts() = 0;
  virtual StoreStats store_stats() const = 0;
  /// Of this opening of its store; 0 when it is not known.
  virtual Epoch epoch() const { return Epoch(); }
  /// Null when its store can't be searched. Commands that change things fail with the remedy when it is open
  /// for reading only.
  virtual StoreBrowser* browser() = 0;

  // Of a running process; nothing else.
  virtual std::optional<SourceStats> source() const { return std::nullopt; }
  virtual std::optional<RunnerStats> runner(Queue) const { return std::nullopt; }
  /// Nothing in a process without a face.
  virtual std::optional<FaceStats> face() const { return std::nullopt; }
  virtual std::vector<InFlight> in_flight(Queue) const { return {}; }
  virtual std::vector<BusyLane> busy_lanes(std::size_t) const { return {}; }

  /// Stops or resumes the deliveries of a queue: at once, and for as long as nobody changes it (durable).
  virtual asio::awaitable<Result<void>> set_paused(Queue queue, bool paused) = 0;
  virtual bool paused(Queue queue) const = 0;

 protected:
  OperatedBot() = default;
  OperatedBot(const OperatedBot&) = delete;
  OperatedBot& operator=(const OperatedBot&) = delete;
};

static_assert(!std::is_aggregate_v<BotFacts>);

}  // namespace tgkeep::admin
