#pragma once
// The store's verbs on its database, without threads or transactions around them: `StoreThread` opens a
// transaction, runs any number of verbs, writes the books and commits. After a rollback the ledger's memory
// is as before.

#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/store_browser.hpp>
#include <utility>
#include <vector>

#include "store/sqlite/body_cache.hpp"
#include "store/sqlite/books.hpp"
#include "store/sqlite/flights.hpp"
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

class Ledger {
 public:
  Ledger(Database& database, const Clock& clock, std::string path, std::chrono::milliseconds dedup_window);

  /// Takes the updates' strings.
  std::vector<PutResult> put(std::vector<Update>& updates, Changes& changes);
  std::vector<Head> heads(const LeaseRequest& request);
  std::vector<Item> begin(Queue queue, const std::vector<Seq>& seqs, Mark mark, Changes& changes);
  void renew(Queue queue, const std::vector<Seq>& seqs);
  std::vector<bool> settle(const std::vector<Settlement>& settlements, Changes& changes);
  StoreCounts counts();

  std::vector<DeadLetter> dead_letters(Queue queue, Seq after, std::size_t limit);
  std::optional<Seq> retry(Queue queue, Seq seq, Changes& changes);
  std::optional<std::string> state(BotId bot, const std::string& space, const std::string& key);
  /// Empty, or what does not balance.
  std::string audit();

  /// Epoch + 1; what was in flight when the last owner ended is counted and goes back, or dies (P7).
  void recover();

  Books& books() noexcept { return books_; }
  void committed();
  void rolled_back();

 private:
  RowTable& rows(Queue queue) noexcept { return queue == Queue::inbox ? inbox_ : outbox_; }
  std::int64_t& waiting(Queue queue, const Row& row);
  void settle_one(const Settlement& settlement, const Row& ended, WallTime now, Changes& changes);
  void finish(const Settlement& settlement, const Row& row, WallTime now, Changes& changes);
  void put_back(Queue queue, Row row, std::string_view error);
  void die(Queue queue, const Row& row, const std::string& reason, std::string_view error, WallTime now);
  void hold(Queue queue, const Row& row, std::string_view error, WallTime now);
  void recover_one(Queue queue, Row row, bool solo, bool others_solo, WallTime now);
  bool has_gap(Queue queue, const Row& row);
  void open_gaps(const Row& row);
  void close_gaps(const Row& row);
  std::string audit_queue(Queue queue);

  Database& database_;
  const Clock& clock_;
  std::string path_;
  Books books_;
  RowTable inbox_;
  RowTable outbox_;
  Flights flights_;
  Seen seen_;
  BodyCache bodies_;
  std::int64_t gaps_;  ///< rows of table gap: usually none, and then none is looked for
  Statement find_gap_;
  Statement open_gap_;
  Statement close_gap_;
  Statement put_state_;
  Statement erase_state_;
  Statement find_state_;
  Statement dead_letters_;
};

}  // namespace tgkeep::store
