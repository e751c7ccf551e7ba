#pragma once
// Short words for what people ask of a store, in tests.

#include <functional>
#include <tgkeep/sqlite_files.hpp>

#include "store/sqlite/archive_now.hpp"
#include "store_under_test.hpp"

namespace tgkeep::store {

class BrowserUnderTest : public StoreUnderTest {
 public:
  explicit BrowserUnderTest(Backend backend) : StoreUnderTest(backend) {}

  StoreBrowser& browser() { return *store->browser(); }
  std::vector<StoredItem> find(const ItemFilter& filter = ItemFilter());
  std::vector<Seq> find_seqs(const ItemFilter& filter = ItemFilter()) { return seqs(find(filter)); }
  std::vector<ItemTrace> trace(std::int64_t id);
  std::vector<bool> drop(std::vector<Seq> seqs, Queue queue = Queue::inbox, std::string by = "operator");
  Replayed replay(Seq seq, bool force = false);
  Result<Erased> erase(std::function<bool(const StoredItem&)> concerns, std::vector<std::string> keys = {});
  Result<BackupReport> backup(const std::string& folder, Progress progress = {});

  /// Puts, begins and finishes one, which leaves these calls.
  Seq finish(Update update, std::vector<Call> calls = {});
  Seq finish(std::int64_t id) { return finish(make_update(id)); }
  /// Puts, begins and gives one up.
  Seq die(std::int64_t id, const std::string& reason = "attempts");
  void fail(Seq seq, const std::string& error, Queue queue = Queue::inbox);

  std::unique_ptr<SqliteReader> reader(const std::string& of = "");

  static std::vector<Seq> seqs(const std::vector<StoredItem>& items);
};

inline ItemFilter in_states(std::vector<ItemState> states, Queue queue = Queue::inbox) {
  ItemFilter filter(queue);
  filter.states = std::move(states);
  return filter;
}

/// Every file below the folder that holds these bytes.
std::vector<std::string> files_with(const std::string& folder, const std::string& bytes);

}  // namespace tgkeep::store
