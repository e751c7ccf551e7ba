#pragma once
// The store's verbs on its database, without threads or transactions around them: `StoreThread` opens a
// transaction, runs any number of verbs, writes the books and commits. After a rollback the ledger's memory
// is as before.

#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/store_browser.hpp>
#include <utility>
#include <vector>

#include "store/sqlite/body_cache.hpp"
#include "store/sqlite/books.hpp"
#include "store/sqlite/browse_replay.hpp"
#include "store/sqlite/finished.hpp"
#include "store/sqlite/flights.hpp"
#include "store/sqlite/handout_table.hpp"
#include "store/sqlite/row_table.hpp"
#include "store/sqlite/seen.hpp"

namespace tgkeep::store {

/// What a verb changed for those who lease.
class Changes {
 public:
  Changes() = default;
  std::vector<Head> inbox;   ///< new heads
  std::vector<Head> outbox;  ///< new heads
  std::vector<std::pair<Queue, Seq>> begun;
  std::vector<std::pair<Queue, Seq>> back;  ///< can be leased again
  std::vector<Head>& fresh(Queue queue) noexcept { return queue == Queue::inbox ? inbox : outbox; }
};

/// What one step of erasing did in inbox.db.
class ErasedHere {
 public:
  ErasedHere() = default;
  Erased erased;
  std::vector<ItemName> taken;      ///< that were here; the others had been moved or were settled
  std::vector<ItemName> in_flight;  ///< that had to stay
};

class LedgerOptions {
 public:
  LedgerOptions() = default;
  std::string path;                           ///< for texts
  std::chrono::milliseconds dedup_window{0};  ///< how long an update_id is remembered
  bool history = true;                        ///< whether finished items wait for the archiver
};

class Ledger {
 public:
  Ledger(Database& database, const Clock& clock, LedgerOptions options, Log log);

  /// Takes the updates' strings.
  std::vector<PutResult> put(std::vector<Update>& updates, Changes& changes);
  std::vector<Head> heads(const LeaseRequest& request);
  std::vector<Item> begin(Queue queue, const std::vector<Seq>& seqs, Mark mark, Changes& changes);
  void renew(Queue queue, const std::vector<Seq>& seqs);
  std::vector<bool> settle(const std::vector<Settlement>& settlements, Changes& changes);
  StoreCounts counts();

  std::optional<Seq> retry(Queue queue, Seq seq, Changes& changes);
  /// Per seq, whether there was such a dead letter.
  std::vector<bool> drop(Queue queue, const std::vector<Seq>& seqs, const std::string& by);
  std::vector<Replayed> replay(const std::vector<ReplayCandidate>& candidates, bool force, Changes& changes);
  /// Deletes what is here and not in flight.
  ErasedHere erase(const std::vector<ItemName>& items);
  /// Rows of handler state with these keys; how many there were.
  std::int64_t erase_state(const std::vector<std::string>& keys);
  /// Writes the database anew, so that nothing deleted is left in it; outside of any transaction. False when
  /// a reader keeps the WAL, where the old pages still are.
  bool rewrite_file();
  /// Writes the WAL back and empties it; false when a reader keeps it.
  bool empty_wal();
  Result<std::optional<std::string>> state(BotId bot, const std::string& space, const std::string& key);
  bool paused(Queue queue) const noexcept { return books_.paused(queue); }
  void set_paused(Queue queue, bool paused) noexcept { books_.set_paused(queue, paused); }

  /// `misuse` when the numbers do not grow; nothing is written then.
  Result<void> note(const std::vector<Handout>& handouts) { return handouts_.note(handouts); }
  PullId last_handout() const noexcept { return handouts_.last(); }

  /// Deletes finished items that lie in a day file.
  void forget(const std::vector<ItemName>& copied);
  /// How many finished items are here.
  std::int64_t finished() const noexcept { return finished_.count(); }

  /// Epoch + 1; what was in flight when the last owner ended is counted and goes back, or dies (P7).
  void recover();

  Books& books() noexcept { return books_; }
  void committed();
  void rolled_back();

 private:
  /// So many finished items wait for the archiver at most; what finishes beyond has no history.
  static constexpr std::int64_t kMostFinished = 100'000;

  RowTable& rows(Queue queue) noexcept { return queue == Queue::inbox ? inbox_ : outbox_; }
  std::int64_t& waiting(Queue queue, const Row& row);
  void settle_one(const Settlement& settlement, const Flight& ended, WallTime now, Changes& changes);
  void finish(const Settlement& settlement, const Flight& ended, WallTime now, Changes& changes);
  void leave(Queue queue, const Flight& ended, WallTime now);
  void put_back(Queue queue, Row row, std::string_view error);
  void die(Queue queue, const Row& row, const std::string& reason, std::string_view error, WallTime now);
  void hold(Queue queue, const Row& row, std::string_view error, WallTime now);
  void recover_one(Queue queue, Row row, bool solo, bool others_solo, WallTime now);
  bool has_gap(Queue queue, const Row& row);
  void open_gaps(const Row& row);
  void close_gaps(const Row& row);
  void repair_marks();
  void leave_dead(Queue queue, Seq seq, const std::string& reason);
  /// Its number, as far as it is here.
  std::uint32_t run_of(std::optional<Seq> seq);
  void remember_run(const Row& row, std::optional<Seq> last);
  Replayed replay_one(const ReplayCandidate& candidate, bool force, Changes& changes);
  bool erase_waiting(Queue queue, Seq seq);

  Database& database_;
  const Clock& clock_;
  LedgerOptions options_;
  Log log_;
  Books books_;
  RowTable inbox_;
  RowTable outbox_;
  FinishedTable finished_;
  FailureTable failures_;
  Flights flights_;
  Seen seen_;
  HandoutTable handouts_;
  BodyCache bodies_;
  bool skipping_ = false;  ///< too many finished items wait; that has been logged
  std::int64_t gaps_;      ///< rows of table gap: usually none, and then none is looked for
  Statement find_gap_;
  Statement open_gap_;
  Statement close_gap_;
  Statement put_state_;
  Statement erase_state_;
  Statement find_state_;
};

static_assert(!std::is_aggregate_v<LedgerOptions> && !std::is_aggregate_v<ErasedHere>);

}  // namespace tgkeep::store
