#include "store/sqlite/store_thread.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>

#include "rules/mutant.hpp"
#include "store/sqlite/folder.hpp"

namespace tgkeep::store {

namespace {

constexpr std::int64_t kMiB = 1 << 20;
constexpr std::chrono::seconds kIdle{1};
constexpr std::size_t kForgotten = 500;  // copied items deleted in one transaction, on top of its own work
constexpr std::int64_t kManyFinished = 2000;
constexpr std::chrono::seconds kLongFinished{5};

Effect strongest(const std::vector<std::shared_ptr<Request>>& batch) {
  Effect effect = Effect::none;
  for (const auto& request : batch) effect = std::max(effect, request->effect);
  return effect;
}

}  // namespace

StoreThread::StoreThread(asio::any_io_executor loop, const Clock& clock, Files files,
                         std::shared_ptr<Arrivals> arrivals, Log log)
    : loop_(std::move(loop)),
      clock_(clock),
      files_(std::move(files)),
      arrivals_(std::move(arrivals)),
      log_(std::move(log)),
      gauge_(files_.folder, files_.path, files_.reserve),
      handover_([this] {
        const std::lock_guard lock(mutex_);
        wake_.notify_one();
      }) {
  if (files_.history.count() > 0) {
    ArchiverOptions options;
    options.folder = files_.folder;
    options.path = files_.path;
    options.vfs = files_.vfs;
    options.history = files_.history;
    options.max_history = files_.max_history;
    options.reserve = files_.reserve;
    archiver_ = std::make_unique<Archiver>(std::move(options), clock_, handover_, log_);
  }
  gauge_.look(*files_.database, archiver_ ? archiver_->bytes() : 0, true);
  thread_ = std::thread([this] { run(); });
}

StoreThread::~StoreThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
  archiver_.reset();  // the store thread looks at it to its end
}

void StoreThread::submit(std::shared_ptr<Request> request) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    first = line_.empty();
    line_.push_back(std::move(request));
  }
  if (first) wake_.notify_one();
}

StoreThread::Batch StoreThread::next_batch() {
  std::unique_lock lock(mutex_);
  const auto something = [this] { return stopping_ || !line_.empty() || has_copied(); };
  if (tidy_ && !finished_since_ && !hold_copied_) {
    wake_.wait(lock, something);
  } else {
    wake_.wait_for(lock, kIdle, something);
  }
  return std::exchange(line_, Batch());
}

void StoreThread::run() {
  for (;;) {
    Batch batch = next_batch();
    if (batch.empty()) {
      const std::lock_guard lock(mutex_);
      if (stopping_) return;
    }
    const bool idle = batch.empty() && !has_copied();
    if (idle) {
      maintain(true);
      hold_copied_ = false;
    } else {
      tidy_ = tidy_ && !batch.empty() && strongest(batch) == Effect::none;
      run_alone(batch);
      if (!batch.empty() || has_copied()) run_batch(batch);
      if (!batch.empty()) hand_back(std::move(batch));
      maintain(false);
    }
    look_at_finished();
    gauge_.look(*files_.database, archiver_ ? archiver_->bytes() : 0, idle);
  }
}

bool StoreThread::has_copied() const {
  return !broken_ && !hold_copied_ && handover_.has_copied();
}

void StoreThread::look_at_finished() {
  if (!archiver_ || broken_) return;
  const std::int64_t finished = files_.ledger->finished();
  const WallTime now = clock_.wall();
  if (finished == 0) {
    finished_since_.reset();
  } else if (!finished_since_) {
    finished_since_ = now;
  }
  const bool enough = finished >= kManyFinished || (finished > 0 && now >= *finished_since_ + kLongFinished);
  if (!enough || handover_.asked()) return;
  finished_since_ = now;
  handover_.ask();
}

// The batch is destroyed on the loop: the requests hold timers of it.
void StoreThread::hand_back(Batch batch) {
  auto finish = [batch = std::move(batch), arrivals = arrivals_, broken = broken_] {
    for (const auto& request : batch) {
      request->publish(*arrivals);
      request->done.notify();
    }
    if (broken && !arrivals->failure()) arrivals->fail(*broken);
  };
  asio::post(loop_, std::move(finish));
}

void StoreThread::run_alone(Batch& batch) {
  Batch others;
  for (auto& request : batch) {
    if (request->effect != Effect::alone) {
      others.push_back(std::move(request));
      continue;
    }
    Batch one;
    one.push_back(std::move(request));
    run_batch(one);
    hand_back(std::move(one));
  }
  batch = std::move(others);
}

void StoreThread::run_batch(const Batch& batch) {
  if (broken_) return refuse(batch, broken_->code(), broken_->text());
  const std::string where = files_.path;
  try {
    return commit(batch);
  } catch (const SqliteFailure& failure) {
    roll_back();
    if (broken_) return refuse(batch, broken_->code(), broken_->text());
    if (failure.primary() == SQLITE_BUSY) {
      return refuse(
          batch, Errc::store_locked,
          "another program holds " + where + " locked for writing; end it (read with sqlite3 -readonly)");
    }
    if (failure.primary() != SQLITE_FULL) {
      break_store(failure.what());
      return refuse(batch, broken_->code(), broken_->text());
    }
  }
  // Full: settling must go on, so what needs no room is tried again without the puts.
  Batch puts;
  Batch others;
  for (const auto& request : batch) (request->takes_room ? puts : others).push_back(request);
  const std::string full = "no space left for " + where + "; free some, it goes on by itself";
  refuse(puts, Errc::store_full, full);
  if (!puts.empty()) gauge_.full(true);
  if (others.empty()) return;
  try {
    commit(others);
  } catch (const SqliteFailure& failure) {
    roll_back();
    if (!broken_ && failure.primary() == SQLITE_FULL) return refuse(others, Errc::store_full, full);
    if (!broken_) break_store(failure.what());
    refuse(others, broken_->code(), broken_->text());
  }
}

void StoreThread::commit(const Batch& batch) {
  const Effect effect = batch.empty() ? Effect::unsynced : strongest(batch);
  if (effect == Effect::none || effect == Effect::alone) return run_requests(batch);
  // Rides along: a commit of its own would cost more.
  const std::vector<ItemName> copied = handover_.next_copied(hold_copied_ ? 0 : kForgotten);
  hold_copied_ = !copied.empty();  // if it fails, the next try is without them
  const auto began = std::chrono::steady_clock::now();
  Database& database = *files_.database;
  const bool synced = effect == Effect::synced;
  if (effect != synchronous_) {
    database.exec(synced ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
    synchronous_ = effect;
  }
  database.exec("BEGIN IMMEDIATE");
  run_requests(batch);
  files_.ledger->forget(copied);
  files_.ledger->books().write(synced);
  database.exec("COMMIT");
  files_.ledger->committed();
  if (!copied.empty()) handover_.deleted(copied.size());
  hold_copied_ = false;
  if (!synced) return;
  note_in_side_file();
  gauge_.committed(std::chrono::steady_clock::now() - began);
}

void StoreThread::run_requests(const Batch& batch) {
  bool room = true;
  if (files_.reserve > 0 && !rules::mutant("reserve_ignored") &&
      std::ranges::any_of(batch, [](const auto& request) { return request->takes_room; })) {
    room = free_bytes(files_.folder).value_or(files_.reserve) >= files_.reserve;
    gauge_.full(!room);
  }
  for (const auto& request : batch) {
    if (room || !request->takes_room) {
      request->run(*files_.ledger);
    } else {
      request->fail(Error(Errc::store_full, "less than the reserve of " + std::to_string(files_.reserve) +
                                                " bytes is free in " + files_.folder +
                                                "; free some space, it goes on by itself"));
    }
  }
}

void StoreThread::roll_back() {
  try {
    if (files_.database->in_transaction()) files_.database->exec("ROLLBACK");
    files_.ledger->rolled_back();
  } catch (const SqliteFailure& failure) {
    break_store(failure.what());
  }
}

void StoreThread::refuse(const Batch& batch, Errc code, const std::string& why) {
  for (const auto& request : batch) request->fail(Error(code, why));
}

// Never tried again: after a failed sync the system may have thrown the pages away and call the next one a
// success.
void StoreThread::break_store(const std::string& why) {
  broken_ = Error(Errc::store_broken,
                  "the store " + files_.path + " failed: " + why +
                      ". Nothing is acknowledged any more; check the disk, then start the process again");
  files_.database->checkpoint_on_close(false);
  log_.error("store_broken", {{"file", files_.path}, {"why", why}});
}

void StoreThread::note_in_side_file() {
  const Books& books = files_.ledger->books();
  const bool failed = !files_.side.write(SideFile::Content(books.store_id(), books.commits()));
  if (failed && !side_failed_) log_.warning("side_file_not_written", {{"folder", files_.folder}});
  side_failed_ = failed;
}

void StoreThread::maintain(bool idle) {
  if (broken_) return;
  Database& database = *files_.database;
  const std::int64_t wal = database.wal_bytes();
  bool waiting = false;
  {
    const std::lock_guard lock(mutex_);
    waiting = !line_.empty();
  }
  try {
    if (idle) {
      if (database.integer("PRAGMA freelist_count") > 0) database.exec("PRAGMA incremental_vacuum(1000)");
      tidy_ = database.integer("PRAGMA freelist_count") == 0;
    }
    if (idle || wal > 256 * kMiB) {
      database.checkpoint(SQLITE_CHECKPOINT_TRUNCATE);
    } else if (wal > 16 * kMiB || (wal > 4 * kMiB && !waiting)) {
      database.checkpoint(SQLITE_CHECKPOINT_PASSIVE);
    }
  } catch (const SqliteFailure& failure) {
    if (failure.primary() != SQLITE_FULL && failure.primary() != SQLITE_BUSY) break_store(failure.what());
  }
}

}  // namespace tgkeep::store
