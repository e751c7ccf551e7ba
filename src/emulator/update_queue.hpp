#pragma once
// The updates one bot has waiting at Telegram: ids, offsets and limits as the public server has them. No I/O.

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tgkeep/id.hpp>
#include <tgkeep/time.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep::emulator {

/// The updates of one answer.
class Batch {
 public:
  Batch() = default;
  std::vector<UpdateId> ids;  ///< in the order of the answer
  std::string json = "[]";    ///< the `result` array
};

class QueuedUpdate {
 public:
  QueuedUpdate() = default;
  std::int64_t id = 0;
  std::string kind;
  std::string text;  ///< the whole update
  WallTime expires{};
  bool is_repeat = false;  ///< a webhook has accepted it, but the confirmation was "lost"
};

class UpdateQueue {
 public:
  static constexpr std::size_t max_updates = 100'000;
  static constexpr std::size_t max_bytes = 128U << 20;
  static constexpr std::size_t max_update = 512U << 10;
  static constexpr std::size_t max_answer = 4U << 20;
  static constexpr std::int64_t end_of_ids = 2'000'000'000;

  /// The seed decides the first id, 2,000,001 … 1,000,000,000.
  explicit UpdateQueue(std::uint64_t seed);

  /// Queues `{"update_id":N,\n"<kind>":<body>}`. Nothing when the queue is full or the update too long: the
  /// server drops it without a word, and it takes no id.
  std::optional<UpdateId> push(std::string_view kind, std::string_view body,
                               WallTime expires = WallTime::max());

  /// Deletes what has expired.
  void expire(WallTime now);

  /// Applies the one-time part of an offset (a negative one deletes all but the newest n) and returns the
  /// offset a waiting poll keeps.
  std::int64_t resolve(std::int64_t offset);

  /// Confirms everything below a valid positive offset, then reads on from it. An offset outside
  /// [head - 100,000, tail + 10] confirms nothing and reads from the head. Updates to be sent again come
  /// first.
  Batch take(std::int64_t offset, std::size_t limit);

  /// For a webhook: the oldest update with an id above `after`, or nullptr. Valid until the queue changes.
  const QueuedUpdate* next_after(std::int64_t after) const noexcept;
  /// nullptr when it is not queued.
  const QueuedUpdate* find(std::int64_t id) const noexcept;
  void remove(std::int64_t id);
  /// Removes one update, which a webhook has accepted. True when the confirmation is
  /// "lost" instead (see send_confirmed_again): it stays, to be sent once more.
  bool confirm(std::int64_t id);

  void clear();
  /// Fault: the next id is this one, as after a quiet week. What is queued stays.
  void jump_to(std::int64_t next_id) { next_ = next_id; }
  /// Everything queued, and the next id.
  boost::json::object save() const;
  void load(const boost::json::object& saved);

  /// Fault: every confirmed update is sent once more with this probability (seeded), as a server does that
  /// lost a confirmation.
  void send_confirmed_again(double share) { again_share_ = share; }

  std::size_t size() const noexcept { return queued_.size(); }
  std::size_t waiting_again() const noexcept { return again_.size(); }
  /// The id of the oldest queued update; the tail when there is none.
  std::int64_t head() const noexcept { return queued_.empty() ? next_ : queued_.begin()->first; }
  /// The id the next update will get.
  std::int64_t tail() const noexcept { return next_; }

 private:
  std::int64_t random_start();
  using Queue = std::map<std::int64_t, QueuedUpdate>;
  Queue::iterator drop(Queue::iterator update);
  bool plays_lost_confirmation();
  void confirm_below(std::int64_t offset);

  std::mt19937_64 random_;
  std::int64_t next_;
  std::size_t bytes_ = 0;
  double again_share_ = 0;
  Queue queued_;
  std::deque<QueuedUpdate> again_;
  WallTime first_expiry_ = WallTime::max();  ///< not after the first
};

static_assert(!std::is_aggregate_v<QueuedUpdate>);

}  // namespace tgkeep::emulator
