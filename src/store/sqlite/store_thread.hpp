#pragma once
// The one thread that touches the database. While it syncs, requests line up; it then takes them all and
// commits them as one transaction: group commit without a timer. Results go back to the loop in one post per
// batch.

#include <boost/asio/any_io_executor.hpp>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <tgkeep/log.hpp>
#include <thread>

#include "loop/event.hpp"
#include "store/sqlite/archiver.hpp"
#include "store/sqlite/arrivals.hpp"
#include "store/sqlite/ledger.hpp"
#include "store/sqlite/lock_file.hpp"
#include "store/sqlite/side_file.hpp"
#include "store/sqlite/store_gauge.hpp"

namespace tgkeep::store {

/// What a request needs of the commit it is part of.
enum class Effect : std::uint8_t {
  none,      ///< reads only
  unsynced,  ///< must survive the end of the process
  synced,    ///< must survive a power cut
  alone,     ///< is no part of any commit: runs outside of transactions, with nothing else
};

/// One verb on its way to the store thread and back. `run` and `fail` on that thread, `publish` on the loop.
class Request {
 public:
  Request(const asio::any_io_executor& loop, Effect effect, bool takes_room)
      : effect(effect), takes_room(takes_room), done(loop) {}
  virtual ~Request() = default;
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  virtual void run(Ledger& ledger) = 0;
  virtual void fail(const Error& error) = 0;
  /// Tells the loop's side what has changed, unless it failed.
  virtual void publish(Arrivals& arrivals) = 0;

  const Effect effect;
  const bool takes_room;  ///< a put: refused when the disk is full
  loop::Event done;
};

/// The files of a store that has been opened; the database is destroyed first.
class Files {
 public:
  std::string folder;
  std::string path;
  std::string vfs;
  std::uint64_t reserve = 0;
  std::chrono::hours history{0};
  std::uint64_t max_history = 0;
  LockFile lock;
  SideFile side;
  std::unique_ptr<Database> database;
  std::unique_ptr<Ledger> ledger;
};

class StoreThread {
 public:
  StoreThread(asio::any_io_executor loop, const Clock& clock, Files files, std::shared_ptr<Arrivals> arrivals,
              Log log);
  /// Commits what has been submitted, then closes the database.
  ~StoreThread();
  StoreThread(const StoreThread&) = delete;
  StoreThread& operator=(const StoreThread&) = delete;

  void submit(std::shared_ptr<Request> request);
  /// As of a moment ago; any thread.
  StoreStats stats() const { return gauge_.stats(); }
  /// Null when no history is kept. For jobs on its thread and for tests.
  Archiver* archiver() noexcept { return archiver_.get(); }
  Handover& handover() noexcept { return handover_; }

 private:
  using Batch = std::vector<std::shared_ptr<Request>>;

  void run();
  /// Waits for requests; an empty batch means that nothing has come for a while, or the end.
  Batch next_batch();
  /// Runs those of the batch that must run alone, one by one.
  void run_alone(Batch& batch);
  void run_batch(const Batch& batch);
  /// Runs and commits; throws SqliteFailure, with nothing written.
  void commit(const Batch& batch);
  void roll_back();
  void run_requests(const Batch& batch);
  void refuse(const Batch& batch, Errc code, const std::string& why);
  void break_store(const std::string& why);
  void hand_back(Batch batch);
  void note_in_side_file();
  void maintain(bool idle);
  bool has_copied() const;
  /// Asks the archiver when there is enough to do, or for long enough.
  void look_at_finished();

  asio::any_io_executor loop_;
  const Clock& clock_;
  Files files_;
  std::shared_ptr<Arrivals> arrivals_;
  Log log_;
  Effect synchronous_ = Effect::synced;
  bool tidy_ = false;  ///< nothing was written since the last idle maintenance
  bool side_failed_ = false;
  std::optional<Error> broken_;
  bool hold_copied_ = false;                ///< deleting what is copied has failed
  std::optional<WallTime> finished_since_;  ///< since when finished items wait for the archiver
  StoreGauge gauge_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  Batch line_;
  bool stopping_ = false;
  Handover handover_;
  std::unique_ptr<Archiver> archiver_;
  std::thread thread_;
};

}  // namespace tgkeep::store
