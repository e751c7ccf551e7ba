#include "store/sqlite/archiver.hpp"

#include <array>
#include <utility>

#include "store/sqlite/folder.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/sum.hpp"

namespace tgkeep::store {

namespace {

constexpr std::int64_t kSlice = 500;          // one short read of inbox.db, one commit of the day file
constexpr std::size_t kMostUndeleted = 5000;  // so many may be copied ahead of their deletion

constexpr std::size_t kRoundsBetweenLooks = 1000;

std::string finished_of(Queue queue) {
  std::string columns(kRowColumns);
  for (auto place = columns.find(", "); place != std::string::npos; place = columns.find(", ", place + 3))
    columns.replace(place, 2, ", r.");
  const std::string id = std::to_string(static_cast<int>(queue));
  return "SELECT d.queue, d.seq, d.started, d.ended, r." + columns + ", d.sum FROM done d JOIN " +
         std::string(to_string(queue)) + " r ON r.seq=d.seq WHERE d.queue=" + id +
         " AND d.seq>? ORDER BY d.seq LIMIT ?";
}

constexpr int kAttemptsColumn = 4 + 6;

}  // namespace

/// The connection that reads inbox.db.
class Archiver::Reader {
 public:
  Reader(const std::string& path, const std::string& vfs)
      : database(path, vfs, Database::Access::read_only),
        of_inbox(database.prepare(finished_of(Queue::inbox))),
        of_outbox(database.prepare(finished_of(Queue::outbox))),
        failures(
            database.prepare("SELECT queue, seq, attempt, at, error FROM failure WHERE queue=? AND seq=?")) {}
  Statement& finished(Queue queue) { return queue == Queue::inbox ? of_inbox : of_outbox; }
  Database database;
  Statement of_inbox;
  Statement of_outbox;
  Statement failures;
};

Archiver::Archiver(ArchiverOptions options, const Clock& clock, Handover& handover, Log log)
    : options_(std::move(options)),
      clock_(clock),
      handover_(handover),
      log_(std::move(log)),
      files_(options_.folder, options_.vfs),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

Archiver::~Archiver() {
  thread_.request_stop();
  thread_.join();
}

void Archiver::run(const std::stop_token& stop) {
  bool failed = false;
  while (!stop.stop_requested()) {
    const bool asked = handover_.wait_for_work(stop, failed);
    run_jobs();
    failed = !try_pass(stop, asked);
    if (asked) handover_.pass_is_over();
  }
  run_jobs();
}

void Archiver::run_jobs() {
  for (const auto& job : handover_.take_jobs()) job();
}

bool Archiver::try_pass(const std::stop_token& stop, bool asked) {
  try {
    drop_old();
    if (!asked) return !paused_;
    if (!has_room() || !pass(stop)) return false;
    keep_size();
    if (std::exchange(paused_, false)) log_.info("history_continued", {{"folder", options_.folder}});
    return true;
  } catch (const SqliteFailure& failure) {
    pause(failure.what());
  }
  files_.close();
  reader_.reset();
  return false;
}

bool Archiver::pass(const std::stop_token& stop) {
  if (!reader_) reader_ = std::make_unique<Reader>(options_.path, options_.vfs);
  std::array<Seq, 2> after;
  for (std::size_t round = 1; !stop.stop_requested(); ++round) {  // on a busy day this does not end by itself
    std::vector<ItemName> copied = copy_slice(Queue::inbox, after[0]);
    const std::vector<ItemName> calls = copy_slice(Queue::outbox, after[1]);
    copied.insert(copied.end(), calls.begin(), calls.end());
    files_.commit();
    files_.measure();
    // Those behind, which ended later, are found by the next pass.
    const bool end = copied.size() < static_cast<std::size_t>(kSlice);
    if (!copied.empty()) handover_.add_copied(std::move(copied));
    if (!handover_.wait_for_deletion(kMostUndeleted, stop)) return true;
    run_jobs();
    if (!has_room()) return false;
    if (end) break;
    if (files_.bytes() > options_.max_history) keep_size();
    if (round % kRoundsBetweenLooks == 0) drop_old();
  }
  handover_.wait_for_deletion(0, stop);
  return true;
}

std::vector<ItemName> Archiver::copy_slice(Queue queue, Seq& after) {
  const WallTime oldest = clock_.wall() - options_.history;
  std::vector<ItemName> copied;
  {
    Cursor item = reader_->finished(queue).rows(after.value(), kSlice);
    while (item.next()) {
      after = Seq(item.integer(1));
      // A mark that is not sound is not believed; the next opening of the store takes it away.
      const std::int64_t sum = sum_of(item.integer(0), item.integer(1), item.integer(2), item.integer(3));
      if (sum != item.integer(4 + kRowColumnCount)) continue;
      copied.emplace_back(queue, after);
      const Day day(from_millis(item.integer(3)));
      if (day.end() <= oldest) continue;
      files_.insert(day, item);
      if (item.integer(kAttemptsColumn) == 0) continue;
      for (Cursor failure = reader_->failures.rows(item.integer(0), item.integer(1)); failure.next();)
        files_.insert_failure(day, failure);
    }
  }
  return copied;
}

void Archiver::drop_old() {
  const WallTime oldest = clock_.wall() - options_.history;
  for (const DayFileEntry& entry : files_.list()) {
    if (entry.day.end() > oldest) continue;
    files_.drop(entry);
    log_.info("history_dropped", {{"file", entry.path}, {"why", "its time is over"}});
  }
  files_.measure();
}

void Archiver::keep_size() {
  std::uint64_t sum = files_.bytes();
  std::vector<DayFileEntry> entries = files_.list();
  bool trimmed = false;
  for (const DayFileEntry& entry : entries) {
    if (sum <= options_.max_history) break;
    if (entry.path != entries.back().path) {
      files_.drop(entry);
      log_.warning("history_dropped", {{"file", entry.path},
                                       {"why", "the history has reached max_history"},
                                       {"max_history", options_.max_history}});
      sum -= entry.bytes;
    } else {
      trimmed = files_.trim(entry.day, options_.max_history);
    }
  }
  if (trimmed && !trimming_) {
    log_.warning("history_trimmed", {{"file", entries.back().path},
                                     {"why", "one day alone has reached max_history: its first items go"},
                                     {"max_history", options_.max_history}});
  }
  trimming_ = trimmed;
  files_.measure();
}

bool Archiver::has_room() {
  const auto room = free_bytes(options_.folder);
  if (!room || *room >= 2 * options_.reserve) return true;
  pause("less than twice the reserve of " + std::to_string(options_.reserve) + " bytes is free");
  return false;
}

void Archiver::pause(const std::string& why) {
  if (std::exchange(paused_, true)) return;
  log_.warning("history_paused", {{"folder", options_.folder},
                                  {"why", why},
                                  {"remedy",
                                   "updates are kept and handled as before; free some space, or "
                                   "check the disk: it goes on by itself"}});
}

}  // namespace tgkeep::store
