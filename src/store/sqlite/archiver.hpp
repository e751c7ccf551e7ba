#pragma once
// Moves finished items to day files, and drops these when their time is over. A thread of its own with
// connections of its own: it reads inbox.db, writes the day files, and asks the store thread to delete what
// is copied. Whatever fails here costs history, never an update.

#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <thread>

#include "store/sqlite/day_files.hpp"
#include "store/sqlite/handover.hpp"

namespace tgkeep::store {

class ArchiverOptions {
 public:
  ArchiverOptions() = default;
  std::string folder;             ///< the store's
  std::string path;               ///< of inbox.db
  std::string vfs;                ///< "": the default
  std::chrono::hours history{0};  ///< how long a day is kept after its end
  std::uint64_t max_history = 0;  ///< bytes of all day files
  std::uint64_t reserve = 0;      ///< it stops copying while less than twice as much is free
};

class Archiver {
 public:
  /// `handover` must outlive it.
  Archiver(ArchiverOptions options, const Clock& clock, Handover& handover, Log log);
  /// Ends after the slice it is at.
  ~Archiver();
  Archiver(const Archiver&) = delete;
  Archiver& operator=(const Archiver&) = delete;

  /// Of all day files, as of a moment ago; any thread.
  std::uint64_t bytes() const noexcept { return files_.bytes(); }
  /// For jobs of the handover, which run on its thread.
  DayFiles& files() noexcept { return files_; }

 private:
  class Reader;
  void run(const std::stop_token& stop);
  /// False when it must be tried again later.
  bool try_pass(const std::stop_token& stop, bool asked);
  /// False when it has paused.
  bool pass(const std::stop_token& stop);
  void run_jobs();
  void drop_old();
  void keep_size();
  bool has_room();
  /// Copies the next items after `after`, which it moves on; nothing: there are no more.
  std::vector<ItemName> copy_slice(Queue queue, Seq& after);
  void pause(const std::string& why);

  ArchiverOptions options_;
  const Clock& clock_;
  Handover& handover_;
  Log log_;
  DayFiles files_;
  std::unique_ptr<Reader> reader_;
  bool paused_ = false;    ///< and that has been logged
  bool trimming_ = false;  ///< the same
  std::jthread thread_;
};

static_assert(!std::is_aggregate_v<ArchiverOptions>);

}  // namespace tgkeep::store
