#include "store_under_test.hpp"

#include <cstdlib>
#include <stdexcept>

namespace tgkeep::store {

TempFolder::TempFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "tgkeep_store_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temp folder can be made");
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Update make_update(std::int64_t id, std::vector<std::string> keys, std::int64_t bot) {
  Update update;
  update.bot = BotId(bot);
  update.id = UpdateId(id);
  update.kind = "message";
  for (auto& key : keys) update.keys.emplace_back(BotId(bot), std::move(key));
  update.received = from_millis(1'767'225'600'000 + id);
  update.raw = R"({"update_id":)" + std::to_string(id) + R"(,"message":{"text":"hello"}})";
  return update;
}

std::vector<Update> updates_of(std::initializer_list<std::int64_t> ids) {
  std::vector<Update> updates;
  for (const std::int64_t id : ids) updates.push_back(make_update(id));
  return updates;
}

KeyHash hash_of(const std::string& key, std::int64_t bot) {
  return OrderingKey(BotId(bot), key).hash();
}

Settlement settlement(Seq seq, Settlement::Kind kind, Queue queue) {
  return Settlement(queue, seq, kind);
}

Settlement dead_settlement(Seq seq, std::string reason, Queue queue) {
  Settlement dead(queue, seq, Settlement::Kind::dead);
  dead.reason = std::move(reason);
  dead.error = "it failed";
  return dead;
}

std::vector<Seq> seqs_of(const std::vector<Head>& heads) {
  std::vector<Seq> seqs;
  for (const Head& head : heads) seqs.push_back(head.seq);
  return seqs;
}

StoreUnderTest::StoreUnderTest(Backend backend) : backend_(backend) {
  reopen();
}

StoreUnderTest::~StoreUnderTest() {
  store.reset();
}

Result<std::unique_ptr<Store>> StoreUnderTest::open(SqliteOptions options) {
  return open_sqlite_store(io.get_executor(), clock, std::move(options), Log());
}

void StoreUnderTest::reopen() {
  store.reset();
  if (backend_ == Backend::memory) {
    store = open_memory_store(io.get_executor(), clock, shelf_);
    return;
  }
  auto opened = open(options());
  if (!opened) throw std::runtime_error(opened.error().text());
  store = std::move(*opened);
}

// The WAL first: a checkpoint in between then does no harm.
void StoreUnderTest::copy_files_to(const std::string& to) const {
  namespace fs = std::filesystem;
  for (const char* name : {"inbox.db-wal", "inbox.db", "inbox.commits"}) {
    const std::string from = folder.path() + "/" + name;
    if (fs::exists(from)) fs::copy_file(from, to + "/" + name, fs::copy_options::overwrite_existing);
  }
}

std::vector<PutResult> StoreUnderTest::put(std::vector<Update> updates) {
  return test::run(io, store->put(std::move(updates))).value();
}

Seq StoreUnderTest::put(Update update) {
  std::vector<Update> updates;
  updates.push_back(std::move(update));
  return put(std::move(updates)).at(0).seq;
}

std::vector<Head> StoreUnderTest::lease(Queue queue, Seq after, std::size_t limit) {
  return test::run(io, store->lease(LeaseRequest(queue, after, limit))).value();
}

std::vector<Head> StoreUnderTest::lease_key(const std::string& key, Seq after, Queue queue) {
  LeaseRequest request(queue, after, 1000);
  request.key = hash_of(key);
  return test::run(io, store->lease(request)).value();
}

std::vector<Head> StoreUnderTest::heads(Queue queue, Seq after) {
  const QueueCounts now = counts(queue);
  if (now.pending + now.retrying == 0) return {};
  return lease(queue, after);
}

std::vector<Item> StoreUnderTest::begin(std::vector<Seq> seqs, Queue queue, Mark mark) {
  return test::run(io, store->begin(queue, std::move(seqs), mark)).value();
}

Item StoreUnderTest::begin_one(Seq seq, Queue queue, Mark mark) {
  std::vector<Seq> seqs{seq};
  return begin(std::move(seqs), queue, mark).at(0);
}

void StoreUnderTest::renew(std::vector<Seq> seqs, Queue queue) {
  test::run(io, store->renew(queue, std::move(seqs))).value();
}

std::vector<bool> StoreUnderTest::settle(std::vector<Settlement> settlements) {
  return test::run(io, store->settle(std::move(settlements))).value();
}

bool StoreUnderTest::settle(Settlement settlement) {
  std::vector<Settlement> settlements;
  settlements.push_back(std::move(settlement));
  return settle(std::move(settlements)).at(0);
}

QueueCounts StoreUnderTest::counts(Queue queue) {
  const StoreCounts both = test::run(io, store->counts()).value();
  return queue == Queue::inbox ? both.inbox : both.outbox;
}

std::vector<StoredItem> StoreUnderTest::dead_letters(Queue queue) {
  ItemFilter filter(queue);
  filter.states = {ItemState::dead, ItemState::held};
  return test::run(io, store->browser()->find(filter, Seq(), 1000, false, true)).value().items;
}

Result<Seq> StoreUnderTest::retry(Seq seq, Queue queue) {
  return test::run(io, store->browser()->retry(queue, seq));
}

std::optional<std::string> StoreUnderTest::state(const std::string& space, const std::string& key,
                                                 std::int64_t bot) {
  return test::run(io, store->browser()->state(BotId(bot), space, key)).value();
}

void StoreUnderTest::expect_balance() {
  const Result<void> audit = test::run(io, store->browser()->audit());
  EXPECT_TRUE(audit) << (audit ? "" : audit.error().text());
}

}  // namespace tgkeep::store
