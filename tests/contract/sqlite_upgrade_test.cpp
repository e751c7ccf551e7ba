// A store that an older schema version wrote is taken over whole, or stays as it is.
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <tgkeep/handouts.hpp>

#include "prove/disk_vfs.hpp"
#include "sql.hpp"
#include "store/sqlite/archive_now.hpp"
#include "store_under_test.hpp"

namespace tgkeep::store {
namespace {

// As version 1 made it.
constexpr const char* kTables =
    "SELECT group_concat(name || sql, '\n') FROM (SELECT * FROM sqlite_master ORDER BY name)";
constexpr const char* kVersion1 = R"(
PRAGMA page_size=4096; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL;
CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE total(queue INTEGER NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL,
  PRIMARY KEY(queue, name)) WITHOUT ROWID;
CREATE TABLE inbox(seq INTEGER PRIMARY KEY, $row);
CREATE TABLE outbox(seq INTEGER PRIMARY KEY, $row);
CREATE INDEX inbox_by_key ON inbox(key_hash) WHERE key_hash IS NOT NULL;
CREATE INDEX outbox_by_key ON outbox(key_hash) WHERE key_hash IS NOT NULL;
CREATE UNIQUE INDEX outbox_by_call ON outbox(origin, run, call);
CREATE TABLE further_key(queue INTEGER NOT NULL, key_hash INTEGER NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY(queue, key_hash, seq)) WITHOUT ROWID;
CREATE TABLE flight(queue INTEGER NOT NULL, seq INTEGER NOT NULL, solo INTEGER NOT NULL, epoch INTEGER NOT NULL,
  PRIMARY KEY(queue, seq)) WITHOUT ROWID;
CREATE TABLE dead(queue INTEGER NOT NULL, seq INTEGER NOT NULL, reason TEXT NOT NULL, died INTEGER NOT NULL, $row,
  PRIMARY KEY(queue, seq));
CREATE TABLE seen(bot INTEGER NOT NULL, update_id INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY(bot, update_id)) WITHOUT ROWID;
CREATE INDEX seen_by_time ON seen(at);
CREATE TABLE gap(key_hash INTEGER PRIMARY KEY);
CREATE TABLE state(bot INTEGER NOT NULL, space TEXT NOT NULL, key TEXT NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY(bot, space, key)) WITHOUT ROWID;
PRAGMA application_id=1952934768; PRAGMA user_version=1;
)";

constexpr const char* kRowOfVersion1 = R"(
  bot INTEGER NOT NULL, update_id INTEGER NOT NULL, run INTEGER NOT NULL, kind TEXT NOT NULL,
  keys TEXT NOT NULL, key_hash INTEGER, attempts INTEGER NOT NULL, crashes INTEGER NOT NULL,
  due INTEGER NOT NULL, first_failed INTEGER, received INTEGER NOT NULL, lifetime INTEGER NOT NULL,
  answer_expires INTEGER NOT NULL, origin INTEGER NOT NULL, call INTEGER NOT NULL, doubt INTEGER NOT NULL,
  starts INTEGER NOT NULL, error TEXT NOT NULL, sum INTEGER NOT NULL, body TEXT NOT NULL)";

// 101 is done, 102 has failed once, 103 is in flight, 104 waits, 105 is dead; of the calls of 101 one waits
// and one is held. The sums are those of version 1.
constexpr const char* kRowsOfVersion1 = R"(
INSERT INTO inbox VALUES (2, 7, 102, 0, 'message', replace('chat:1/user:2/','/',char(10)), 2732753977338755020, 1,
  0, 1767229200000, 1767225600000, 1767225600102, 86400, 0, 0, 0, 0, 1, 'no answer', -5096130738443716952,
  '{"update_id":102,"message":{"text":"hello"}}');
INSERT INTO inbox VALUES (3, 7, 103, 0, 'message', replace('chat:3/','/',char(10)), 1078866326415451836, 0, 0, 0,
  NULL, 1767225600103, 86400, 0, 0, 0, 0, 0, '', 5180247871740140438,
  '{"update_id":103,"message":{"text":"hello"}}');
INSERT INTO inbox VALUES (4, 7, 104, 0, 'message', '', NULL, 0, 0, 0, NULL, 1767225600104, 86400, 0, 0, 0, 0, 0, '',
  -7316543775269269761, '{"update_id":104,"message":{"text":"hello"}}');
INSERT INTO outbox VALUES (1, 7, 101, 0, 'sendMessage', replace('chat:1/','/',char(10)), 2732753977338755020, 0, 0,
  0, NULL, 1767225600000, 86400, 0, 1, 0, 0, 0, '', 997575426401225437, '{"chat_id":1,"text":"hi"}');
INSERT INTO dead VALUES (0, 5, 'attempts', 1767225600000, 7, 105, 0, 'message', replace('chat:4/','/',char(10)),
  8685000273757658746, 0, 0, 0, NULL, 1767225600105, 86400, 0, 0, 0, 0, 0, 'it failed', -6116614309976380502,
  '{"update_id":105,"message":{"text":"hello"}}');
INSERT INTO dead VALUES (1, 2, '', 1767225600000, 7, 101, 0, 'sendGift', replace('chat:1/','/',char(10)),
  2732753977338755020, 0, 0, 0, NULL, 1767225600000, 86400, 0, 1, 1, 1, 0, '', 4789605463844817271,
  '{"chat_id":1}');
INSERT INTO seen VALUES (7, 101, 1, 1767225600000);
INSERT INTO seen VALUES (7, 102, 2, 1767225600000);
INSERT INTO seen VALUES (7, 103, 3, 1767225600000);
INSERT INTO seen VALUES (7, 104, 4, 1767225600000);
INSERT INTO seen VALUES (7, 105, 5, 1767225600000);
INSERT INTO state VALUES (7, 'cart', 'chat:1', X'33206170706c6573');
INSERT INTO meta VALUES ('commits', 11);
INSERT INTO meta VALUES ('epoch', 1);
INSERT INTO meta VALUES ('inbox_seq', 5);
INSERT INTO meta VALUES ('outbox_seq', 2);
INSERT INTO meta VALUES ('store_id', 7299807018233081110);
INSERT INTO total VALUES (0, 'dead:attempts', 1);
INSERT INTO total VALUES (0, 'done', 1);
INSERT INTO total VALUES (0, 'in_flight', 1);
INSERT INTO total VALUES (0, 'pending', 1);
INSERT INTO total VALUES (0, 'retrying', 1);
INSERT INTO total VALUES (0, 'stored', 5);
INSERT INTO total VALUES (1, 'held', 1);
INSERT INTO total VALUES (1, 'in_doubt', 1);
INSERT INTO total VALUES (1, 'in_flight', 0);
INSERT INTO total VALUES (1, 'pending', 1);
INSERT INTO total VALUES (1, 'stored', 2);
INSERT INTO further_key VALUES (0, 222530666696788720, 2);
INSERT INTO flight VALUES (0, 3, 0, 1);
INSERT INTO gap VALUES (8685000273757658746);
)";

void make_version_1(const std::string& path) {
  std::string sql = kVersion1;
  constexpr std::string_view kMark = "$row";
  for (auto place = sql.find(kMark); place != std::string::npos; place = sql.find(kMark))
    sql.replace(place, kMark.size(), kRowOfVersion1);
  sql_value(path, sql + "BEGIN;" + kRowsOfVersion1 + "COMMIT;");
}

/// Ends the process at its n-th write.
class DyingDisk final : public prove::DiskScript {
 public:
  explicit DyingDisk(int last) : left_(last) {}
  int before_write(const std::string&, std::int64_t, std::string_view) override { return count(); }
  int before_truncate(const std::string&, std::int64_t) override { return count(); }
  int before_sync(const std::string&) override { return count(); }

 private:
  int count() {
    if (--left_ == 0) ::_exit(77);
    return SQLITE_OK;
  }
  std::atomic<int> left_;
};

class SqliteUpgrade : public testing::Test {
 protected:
  SqliteUpgrade() : t(Backend::sqlite) {
    t.close();
    make_version_1(folder.path() + "/inbox.db");
  }
  ~SqliteUpgrade() override { t.close(); }

  void expect_everything() {
    t.store = t.open(SqliteOptions(folder.path())).value();
    t.expect_balance();
    const auto heads = t.lease();
    ASSERT_EQ(heads.size(), 3U);
    EXPECT_EQ(heads[0].attempts, 1U);
    EXPECT_EQ(heads[0].due, t.clock.wall() + std::chrono::hours(1));
    EXPECT_GE(heads[1].crashes, 1U) << "it was in flight";
    EXPECT_EQ(seqs_of(t.lease_key("user:2")), std::vector<Seq>{Seq(2)});
    std::int64_t id = 102;
    for (const Item& item : t.begin(seqs_of(heads))) {
      EXPECT_EQ(item.corrupt, "");
      EXPECT_EQ(item.update_id, UpdateId(id));
      EXPECT_EQ(item.body, make_update(id++).raw);
    }
    EXPECT_EQ(t.begin_one(Seq(1), Queue::outbox).corrupt, "");
    EXPECT_EQ(t.counts().done, 1);
    EXPECT_EQ(t.counts().dead.at("attempts"), 1);
    EXPECT_EQ(t.counts(Queue::outbox).held, 1);
    EXPECT_EQ(t.state("cart", "chat:1"), "3 apples");
    for (const PutResult& put : t.put(updates_of({101, 102, 105}))) EXPECT_TRUE(put.duplicate);
    EXPECT_EQ(t.begin_one(t.retry(Seq(5)).value()).corrupt, "");
    t.close();
  }
  void make_folder_anew() {
    std::filesystem::remove_all(folder.path());
    std::filesystem::create_directory(folder.path());
    make_version_1(folder.path() + "/inbox.db");
  }
  std::string version() { return sql_value(folder.path() + "/inbox.db", "PRAGMA user_version"); }

  StoreUnderTest t;
  /// Opens the store in a process that dies at this write; how that ended: 77 when it died, below 0 when it
  /// did not end by itself.
  int open_dying_at(int point) {
    const pid_t child = ::fork();
    if (child == 0) {
      DyingDisk disk(point);
      const prove::DiskVfs vfs("tgkeep_dying", disk);
      SqliteOptions options(folder.path());
      options.vfs = "tgkeep_dying";
      const auto opened = t.open(options);
      ::_exit(opened ? 0 : 1);
    }
    int status = 0;
    const bool ended = ::waitpid(child, &status, 0) == child && WIFEXITED(status);
    return ended ? WEXITSTATUS(status) : -1;
  }

  TempFolder folder;
};

TEST_F(SqliteUpgrade, P3_a_store_of_version_1_is_taken_over_with_everything_in_it) {
  expect_everything();
  EXPECT_EQ(version(), "3");
  TempFolder other;
  t.close();
  t.store = t.open(SqliteOptions(other.path())).value();
  t.close();
  std::string upgraded = sql_value(folder.path() + "/inbox.db", kTables);
  EXPECT_EQ(upgraded, sql_value(other.path() + "/inbox.db", kTables))
      << "as if it had been made by this version";
}

TEST_F(SqliteUpgrade, P3_killed_at_any_write_of_the_upgrade_it_is_still_version_1_or_all_of_this_version) {
  int died = 0;
  for (int point = 1;; point += 3) {
    make_folder_anew();
    const int code = open_dying_at(point);
    ASSERT_GE(code, 0);
    expect_everything();
    if (HasFailure() || code == 0) break;
    ASSERT_EQ(code, 77);
    ++died;
  }
  EXPECT_GT(died, 10);
}

// Version 3 added the book of handouts and changed nothing else.
TEST_F(SqliteUpgrade, P3_a_store_of_version_2_is_taken_over_killed_at_any_write_or_not) {
  const std::string db = folder.path() + "/inbox.db";
  int died = 0;
  for (int point = 1;; ++point) {
    std::filesystem::remove_all(folder.path());
    std::filesystem::create_directory(folder.path());
    t.store = t.open(SqliteOptions(folder.path())).value();
    const Seq waits = t.put(make_update(1));
    const Seq done = t.put(make_update(2, {"chat:2"}));
    t.begin_one(done);
    t.settle(settlement(done, Settlement::Kind::done));
    archive_now(*t.store);
    t.close();
    const std::string made = sql_value(db, kTables);
    sql_value(db, "PRAGMA journal_mode=WAL; DROP TABLE handout; PRAGMA user_version=2");
    const int code = open_dying_at(point);
    ASSERT_GE(code, 0);
    t.store = t.open(SqliteOptions(folder.path())).value();
    t.expect_balance();
    EXPECT_EQ(seqs_of(t.lease()), std::vector<Seq>{waits});
    const auto found = test::run(t.io, t.store->browser()->item(Queue::inbox, done));
    EXPECT_TRUE(found) << "its day file is of this version still";
    EXPECT_EQ(test::run(t.io, t.store->handouts()->last()).value(), PullId());
    t.close();
    EXPECT_EQ(version(), "3");
    EXPECT_EQ(sql_value(db, kTables), made);
    if (HasFailure() || code == 0) break;
    ASSERT_EQ(code, 77);
    ++died;
  }
  EXPECT_GT(died, 3);
}

TEST_F(SqliteUpgrade, P1_a_version_1_behind_its_side_file_is_refused_and_left_as_it_is) {
  t.store = t.open(SqliteOptions(folder.path())).value();
  t.put(make_update(1));
  t.close();
  const std::string db = folder.path() + "/inbox.db";
  std::filesystem::remove(db);
  make_version_1(db);
  const auto opened = t.open(SqliteOptions(folder.path()));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), Errc::store_rolled_back);
  EXPECT_EQ(version(), "1");
}

}  // namespace
}  // namespace tgkeep::store
