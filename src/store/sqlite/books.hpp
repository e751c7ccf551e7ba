#pragma once
// The numbers of a store (P8): kept in memory, written as rows in the transaction that changed them.

#include <array>
#include <tgkeep/store.hpp>

#include "store/sqlite/database.hpp"

namespace tgkeep::store {

class Books {
 public:
  explicit Books(Database& database);

  QueueCounts& operator[](Queue queue) noexcept { return now_.totals[static_cast<std::size_t>(queue)]; }
  Seq next_seq(Queue queue) noexcept { return Seq(++now_.last_seq[static_cast<std::size_t>(queue)]); }
  Seq last_seq(Queue queue) const noexcept { return Seq(now_.last_seq[static_cast<std::size_t>(queue)]); }
  Epoch epoch() const noexcept { return Epoch(now_.epoch); }
  void next_epoch() noexcept { ++now_.epoch; }
  std::int64_t commits() const noexcept { return now_.commits; }
  bool paused(Queue queue) const noexcept { return now_.paused[static_cast<std::size_t>(queue)] != 0; }
  void set_paused(Queue queue, bool paused) noexcept {
    now_.paused[static_cast<std::size_t>(queue)] = paused ? 1 : 0;
  }
  /// False: the numbers that were read do not match their checksum. That stays so when they are written
  /// again.
  bool sound() const noexcept { return sound_; }
  std::int64_t store_id() const noexcept { return store_id_; }

  /// Writes what has changed since the last commit; a synced commit is counted.
  void write(bool synced);
  void committed() { written_ = now_; }
  void rolled_back() { now_ = written_; }

  /// stored minus everything that it must be the sum of.
  static std::int64_t imbalance(const QueueCounts& counts);

 private:
  class Numbers {
   public:
    std::array<QueueCounts, 2> totals;
    std::array<std::int64_t, 2> last_seq{};
    std::array<std::int64_t, 2> paused{};
    std::int64_t epoch = 0;
    std::int64_t commits = 0;
    std::int64_t sum() const;
  };
  void write_totals(std::size_t queue);
  void write_labelled(std::size_t queue, const std::string& prefix,
                      const std::map<std::string, std::int64_t>& now,
                      const std::map<std::string, std::int64_t>& before);
  void write_meta(std::string_view name, std::int64_t now, std::int64_t before);

  Statement put_total_;
  Statement put_meta_;
  std::int64_t store_id_ = 0;
  bool sound_ = true;
  Numbers now_;
  Numbers written_;
};

}  // namespace tgkeep::store
