#pragma once
// A store of either kind on a loop of its own, with short words for what every contract test does.

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <tgkeep/memory_store.hpp>
#include <tgkeep/sqlite_store.hpp>
#include <tgkeep/store_browser.hpp>
#include <vector>

#include "loop/virtual_clock.hpp"
#include "store/memory/memory_shelf.hpp"
#include "support/run.hpp"

namespace tgkeep::store {

/// A folder that is removed at the end.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

enum class Backend { memory, sqlite };

/// "chat:1" of bot 7, unless said otherwise; received `id` milliseconds after the virtual clock's start.
Update make_update(std::int64_t id, std::vector<std::string> keys = {"chat:1"}, std::int64_t bot = 7);
std::vector<Update> updates_of(std::initializer_list<std::int64_t> ids);
KeyHash hash_of(const std::string& key, std::int64_t bot = 7);
Settlement settlement(Seq seq, Settlement::Kind kind, Queue queue = Queue::inbox);
Settlement dead_settlement(Seq seq, std::string reason, Queue queue = Queue::inbox);

class StoreUnderTest {
 public:
  explicit StoreUnderTest(Backend backend);
  ~StoreUnderTest();

  asio::io_context io;
  loop::VirtualClock clock;
  std::unique_ptr<Store> store;

  std::vector<PutResult> put(std::vector<Update> updates);
  Seq put(Update update);
  std::vector<Head> lease(Queue queue = Queue::inbox, Seq after = Seq(), std::size_t limit = 1000);
  std::vector<Head> lease_key(const std::string& key, Seq after = Seq(), Queue queue = Queue::inbox);
  /// Like `lease`, but never waits: nothing when there is no head.
  std::vector<Head> heads(Queue queue = Queue::inbox, Seq after = Seq());
  std::vector<Item> begin(std::vector<Seq> seqs, Queue queue = Queue::inbox, Mark mark = Mark::shared);
  Item begin_one(Seq seq, Queue queue = Queue::inbox, Mark mark = Mark::shared);
  void renew(std::vector<Seq> seqs, Queue queue = Queue::inbox);
  std::vector<bool> settle(std::vector<Settlement> settlements);
  bool settle(Settlement settlement);
  QueueCounts counts(Queue queue = Queue::inbox);
  std::vector<StoredItem> dead_letters(Queue queue = Queue::inbox);
  Result<Seq> retry(Seq seq, Queue queue = Queue::inbox);
  std::optional<std::string> state(const std::string& space, const std::string& key, std::int64_t bot = 7);
  void expect_balance();

  /// Ends without settling and opens again, as after a crash.
  void reopen();
  void close() { store.reset(); }
  Result<std::unique_ptr<Store>> open(SqliteOptions options);
  SqliteOptions options() const { return SqliteOptions(folder.path()); }
  TempFolder folder;
  /// What a crash would leave of the files now.
  void copy_files_to(const std::string& to) const;

 private:
  Backend backend_;
  std::shared_ptr<MemoryShelf> shelf_ = std::make_shared<MemoryShelf>();
};

std::vector<Seq> seqs_of(const std::vector<Head>& heads);

/// Every test of the suite runs against each backend.
class StoreContract : public testing::TestWithParam<Backend> {
 protected:
  StoreContract() : t(GetParam()) {}
  StoreUnderTest t;
};

}  // namespace tgkeep::store
