#pragma once
// The updates one bot has waiting at Telegram: ids, offsets and limits as the public server has them. No I/O.

#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tgkeep/id.hpp>
#include <vector>

namespace tgkeep::emulator {

/// The updates of one answer.
class Batch {
 public:
  Batch() = default;
  std::vector<UpdateId> ids;  ///< in the order of the answer
  std::string json = "[]";    ///< the `result` array
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
  std::optional<UpdateId> push(std::string_view kind, std::string_view body);

  /// Applies the one-time part of an offset (a negative one deletes all but the newest n) and returns the
  /// offset a waiting poll keeps.
  std::int64_t resolve(std::int64_t offset);

  /// Confirms everything below a valid positive offset, then reads on from it. An offset outside
  /// [head - 100,000, tail + 10] confirms nothing and reads from the head. Updates to be sent again come
  /// first.
  Batch take(std::int64_t offset, std::size_t limit);

  void clear();

  /// Fault: every confirmed update is sent once more with this probability (seeded), as a server does that
  /// lost a confirmation.
  void send_confirmed_again(double share) { again_share_ = share; }

  std::size_t size() const noexcept { return queued_.size(); }
  std::size_t waiting_again() const noexcept { return again_.size(); }
  /// The id of the oldest queued update; the tail when there is none.
  std::int64_t head() const noexcept { return queued_.empty() ? next_ : queued_.front().id; }
  /// The id the next update will get.
  std::int64_t tail() const noexcept { return next_; }

 private:
  struct Queued {
    std::int64_t id;
    std::string text;
  };

  std::int64_t random_start();
  void drop_front();
  void confirm_below(std::int64_t offset);

  std::mt19937_64 random_;
  std::int64_t next_;
  std::size_t bytes_ = 0;
  double again_share_ = 0;
  std::deque<Queued> queued_;
  std::deque<Queued> again_;
};

}  // namespace tgkeep::emulator
