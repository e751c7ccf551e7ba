#include "store/sqlite/finished.hpp"

#include "store/item_view.hpp"
#include "store/sqlite/sum.hpp"

namespace tgkeep::store {

FinishedTable::FinishedTable(Database& database)
    : database_(database),
      insert_(database.prepare("INSERT INTO done VALUES (?, ?, ?, ?, ?)")),
      erase_(database.prepare("DELETE FROM done WHERE queue=? AND seq=?")),
      count_(database.integer("SELECT count(*) FROM done")),
      committed_count_(count_) {}

void FinishedTable::insert(Queue queue, Seq seq, WallTime started, WallTime ended) {
  const auto id = static_cast<std::int64_t>(queue);
  insert_.run(id, seq.value(), to_millis(started), to_millis(ended),
              sum_of(id, seq.value(), to_millis(started), to_millis(ended)));
  ++count_;
}

bool FinishedTable::erase(Queue queue, Seq seq) {
  erase_.run(static_cast<std::int64_t>(queue), seq.value());
  const bool was_there = database_.changes() > 0;
  count_ -= was_there ? 1 : 0;
  return was_there;
}

std::int64_t FinishedTable::erase_unsound() {
  database_.exec("DELETE FROM done WHERE sum<>tgkeep_sum(queue, seq, started, ended)");
  const std::int64_t erased = database_.changes();
  count_ -= erased;
  return erased;
}

FailureTable::FailureTable(Database& database)
    : insert_(database.prepare("INSERT OR REPLACE INTO failure VALUES (?, ?, ?, ?, ?)")),
      erase_early_(database.prepare("DELETE FROM failure WHERE queue=? AND seq=? AND attempt<=?")),
      erase_(database.prepare("DELETE FROM failure WHERE queue=? AND seq=?")) {}

void FailureTable::insert(Queue queue, Seq seq, std::uint32_t attempt, WallTime at, std::string_view error) {
  const auto id = static_cast<std::int64_t>(queue);
  insert_.run(id, seq.value(), std::int64_t{attempt}, to_millis(at), error);
  constexpr auto kKept = static_cast<std::int64_t>(kFailuresKept);
  if (attempt > kKept) erase_early_.run(id, seq.value(), attempt - kKept);
}

void FailureTable::erase(Queue queue, Seq seq) {
  erase_.run(static_cast<std::int64_t>(queue), seq.value());
}

}  // namespace tgkeep::store
