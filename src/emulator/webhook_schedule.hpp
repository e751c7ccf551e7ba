#pragma once
// Which update a webhook gets next, and when a failed one comes again, as the public server decides it. No
// I/O, no clock: time is an argument.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <tgkeep/time.hpp>
#include <type_traits>
#include <utility>

namespace tgkeep::emulator {

/// One update to send now.
class DueUpdate {
 public:
  DueUpdate(std::int64_t id, std::int64_t key, std::uint32_t failures)
      : id(id), key(key), failures(failures) {}
  std::int64_t id;
  std::int64_t key;
  std::uint32_t failures;  ///< of this update so far
};

/// Strict order within a key, keys side by side; the smallest (wake-up time, key) first. At most
/// 2 × max_connections keys are in memory; within a key there is no bound.
class WebhookSchedule {
 public:
  WebhookSchedule(std::size_t max_connections, std::uint64_t seed);

  /// Whether another update may be loaded: one key too many keeps all others out, as at the server.
  bool has_room() const noexcept { return lanes_.size() < window_; }
  /// Updates in the order of their ids. Those loaded at the same time wake in the order of their keys.
  void load(std::int64_t id, std::int64_t key, WallTime expires, MonoTime now);
  bool is_loaded(std::int64_t id) const { return loaded_.contains(id); }
  std::size_t keys() const noexcept { return lanes_.size(); }

  /// Puts the next due update in flight.
  std::optional<DueUpdate> start(MonoTime now);
  /// When the next head is due: a past time when one is due already.
  std::optional<MonoTime> next_due() const;

  void delivered(std::int64_t key);
  /// The first failure is repeated at once, then after 2, 4 … 64 s, each capped by a random 60-120 s.
  /// `retry_after` (at most 3600 s) replaces the delay and leaves the doubling where it is. True when the
  /// update is dropped instead, because it would have expired by then.
  bool failed(std::int64_t key, MonoTime now, WallTime wall, std::optional<std::chrono::seconds> retry_after);

 private:
  struct Waiting {
    std::int64_t id;
    WallTime expires;
    MonoTime wake;
    std::uint32_t failures = 0;
    std::chrono::seconds delay{2};  ///< the next one but the first
  };
  using Lane = std::deque<Waiting>;

  Duration delay_after(Waiting& head, std::optional<std::chrono::seconds> retry_after);
  void end_head(std::map<std::int64_t, Lane>::iterator lane);

  std::size_t window_;
  std::mt19937_64 random_;
  std::map<std::int64_t, Lane> lanes_;
  std::set<std::pair<MonoTime, std::int64_t>> ready_;  ///< heads that are not in flight
  std::set<std::int64_t> loaded_;
};

/// A webhook that has answered 410 and nothing else for more than 23 hours is removed.
class GoneRule {
 public:
  void answered(int status, MonoTime now);
  bool is_gone(MonoTime now) const noexcept;

 private:
  std::optional<MonoTime> since_;
};

static_assert(!std::is_aggregate_v<DueUpdate> && !std::is_aggregate_v<WebhookSchedule>);

}  // namespace tgkeep::emulator
