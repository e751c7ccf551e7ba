// What the SQLite store does when the disk fails, fills up or lies.
#include <sqlite3.h>

#include <fstream>

#include "failing_vfs.hpp"
#include "store_under_test.hpp"

namespace tgkeep::store {
namespace {

using Kind = Settlement::Kind;

class SqliteFaults : public testing::Test {
 protected:
  SqliteFaults() : t(Backend::sqlite) {
    t.close();
    reopen();
  }
  ~SqliteFaults() override { t.close(); }

  void reopen() {
    t.close();
    SqliteOptions options = t.options();
    options.vfs = FailingVfs::kName;
    t.store = t.open(options).value();
  }
  Result<std::vector<PutResult>> try_put(std::int64_t id) {
    std::vector<Update> updates;
    updates.push_back(make_update(id));
    return test::run(t.io, t.store->put(std::move(updates)));
  }
  Result<std::vector<bool>> try_settle(Seq seq) {
    std::vector<Settlement> settlements;
    settlements.push_back(settlement(seq, Kind::done));
    return test::run(t.io, t.store->settle(std::move(settlements)));
  }

  FailingVfs vfs;
  StoreUnderTest t;
};

void run_sql(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char* why = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &why), SQLITE_OK)
      << (why == nullptr ? "" : why);
  sqlite3_free(why);
  sqlite3_close(database);
}

TEST_F(SqliteFaults, P1_a_put_returns_only_after_a_sync) {
  const int before = vfs.faults.syncs();
  t.put(make_update(1));
  EXPECT_GT(vfs.faults.syncs(), before);
}

TEST_F(SqliteFaults, P12_outbox_marks_are_synced_and_inbox_marks_are_not) {
  const Seq seq = t.put(make_update(1));
  int before = vfs.faults.syncs();
  t.begin_one(seq);
  EXPECT_EQ(vfs.faults.syncs(), before);
  Settlement done = settlement(seq, Kind::done);
  done.calls.emplace_back("sendMessage", "{}");
  t.settle(std::move(done));
  EXPECT_GT(vfs.faults.syncs(), before);
  before = vfs.faults.syncs();
  t.begin_one(t.lease(Queue::outbox)[0].seq, Queue::outbox);
  EXPECT_GT(vfs.faults.syncs(), before);
}

TEST_F(SqliteFaults, P10_after_a_failed_sync_nothing_is_acknowledged_any_more_and_reopening_has_the_rest) {
  for (std::int64_t id = 1; id <= 20; ++id) t.put(make_update(id));
  vfs.faults.start(Faults::Kind::sync_fails);
  EXPECT_EQ(try_put(21).error().code(), Errc::store_broken);
  vfs.faults.stop();
  EXPECT_EQ(try_put(22).error().code(), Errc::store_broken) << "a failed sync is never retried";
  EXPECT_EQ(test::run(t.io, t.store->counts()).error().code(), Errc::store_broken);
  LeaseRequest request(Queue::inbox, Seq(), 1);
  EXPECT_EQ(test::run(t.io, t.store->lease(request)).error().code(), Errc::store_broken);
  std::vector<Seq> seqs{Seq(1)};
  EXPECT_EQ(test::run(t.io, t.store->begin(Queue::inbox, seqs, Mark::shared)).error().code(),
            Errc::store_broken);
  EXPECT_EQ(try_settle(Seq(1)).error().code(), Errc::store_broken);
  reopen();
  const auto heads = t.lease();
  ASSERT_GE(heads.size(), 20U);
  const auto items = t.begin(seqs_of(heads));
  for (std::int64_t id = 1; id <= 20; ++id) {
    EXPECT_EQ(items[static_cast<std::size_t>(id - 1)].update_id, UpdateId(id));
  }
  t.expect_balance();
}

TEST_F(SqliteFaults, P10_a_failed_write_breaks_the_store_and_wakes_a_waiting_lease) {
  std::optional<Errc> leased;
  const auto on_lease = [&](std::exception_ptr, Result<std::vector<Head>> heads) {
    leased = heads.error().code();
  };
  asio::co_spawn(t.io, t.store->lease(LeaseRequest(Queue::inbox, Seq(), 10)), on_lease);
  t.counts();
  vfs.faults.start(Faults::Kind::write_fails);
  EXPECT_EQ(try_put(1).error().code(), Errc::store_broken);
  vfs.faults.stop();
  t.io.restart();
  t.io.poll();
  EXPECT_EQ(leased, Errc::store_broken);
  reopen();
  EXPECT_EQ(t.counts().stored, 0);
}

TEST_F(SqliteFaults, P10_a_failed_read_breaks_the_store_too) {
  const Seq seq = t.put(make_update(1));
  reopen();
  vfs.faults.start(Faults::Kind::read_fails);
  std::vector<Seq> seqs{seq};
  EXPECT_EQ(test::run(t.io, t.store->begin(Queue::inbox, seqs, Mark::shared)).error().code(),
            Errc::store_broken);
  vfs.faults.stop();
  reopen();
  EXPECT_EQ(t.begin_one(seq).body, make_update(1).raw);
}

TEST_F(SqliteFaults, P10_every_write_of_a_commit_may_fail) {
  std::int64_t id = 1;
  std::int64_t acknowledged = 0;
  for (int nth = 0; nth < 12; ++nth) {
    vfs.faults.start(nth % 2 == 0 ? Faults::Kind::write_fails : Faults::Kind::sync_fails, nth / 2);
    bool broken = false;
    for (int i = 0; i < 20 && !broken; ++i) {
      const auto put = try_put(id++);
      if (put) ++acknowledged;
      broken = !put;
    }
    EXPECT_TRUE(broken);
    vfs.faults.stop();
    reopen();
    EXPECT_GE(t.counts().stored, acknowledged);
    acknowledged = t.counts().stored;  // one that was not acknowledged may be there all the same
    t.expect_balance();
  }
}

TEST_F(SqliteFaults, P10_a_full_disk_refuses_puts_and_recovers_by_itself) {
  const Seq seq = t.put(make_update(1));
  vfs.faults.start(Faults::Kind::disk_full);
  EXPECT_EQ(try_put(2).error().code(), Errc::store_full);
  EXPECT_EQ(try_put(3).error().code(), Errc::store_full);
  vfs.faults.stop();
  EXPECT_EQ(t.counts().stored, 1) << "nothing was written";
  EXPECT_FALSE(try_put(2).value()[0].duplicate);
  EXPECT_EQ(t.heads().size(), 2U);
  t.begin_one(seq);
  EXPECT_TRUE(t.settle(settlement(seq, Kind::done)));
  t.expect_balance();
}

TEST_F(SqliteFaults, P10_a_settlement_that_found_no_room_can_be_given_again) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  vfs.faults.start(Faults::Kind::disk_full);
  EXPECT_EQ(try_settle(seq).error().code(), Errc::store_full);
  vfs.faults.stop();
  EXPECT_EQ(t.counts().in_flight, 1);
  EXPECT_EQ(try_settle(seq).value(), std::vector<bool>{true});
  t.expect_balance();
}

TEST_F(SqliteFaults, P11_below_the_reserve_puts_are_refused_and_settling_goes_on) {
  const Seq seq = t.put(make_update(1));
  t.close();
  SqliteOptions options = t.options();
  options.reserve = std::uint64_t{1} << 62;
  t.store = t.open(options).value();
  const auto refused = try_put(2);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Errc::store_full);
  EXPECT_NE(refused.error().text().find(t.folder.path()), std::string::npos);
  t.begin_one(seq);
  EXPECT_TRUE(t.settle(settlement(seq, Kind::done)));
}

TEST_F(SqliteFaults, P3_a_checksum_mismatch_is_named_and_never_handed_over_silently) {
  const Seq good = t.put(make_update(1));
  const Seq bad = t.put(make_update(2));
  t.close();
  const std::string path = t.folder.path() + "/inbox.db";
  run_sql(path,
          "UPDATE inbox SET body=replace(body, 'hello', 'hallo') WHERE seq=" + std::to_string(bad.value()));
  reopen();
  const auto items = t.begin({good, bad});
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].corrupt, "");
  ASSERT_NE(items[1].corrupt, "");
  EXPECT_NE(items[1].corrupt.find(path), std::string::npos) << items[1].corrupt;
  EXPECT_NE(items[1].corrupt.find("seq " + std::to_string(bad.value())), std::string::npos)
      << items[1].corrupt;
  EXPECT_TRUE(t.settle(dead_settlement(bad, "corrupt")));
  t.expect_balance();
}

TEST_F(SqliteFaults, P3_the_checksum_covers_what_names_an_update_and_its_keys) {
  const Seq seq = t.put(make_update(1));
  t.close();
  const std::string path = t.folder.path() + "/inbox.db";
  for (const char* change : {"update_id=update_id+1", "bot=bot+1", "kind='poll'", "keys='chat:2'||char(10)",
                             "doubt=doubt+1", "received=received+1", "body=substr(body, 2)"}) {
    run_sql(path, "CREATE TABLE kept AS SELECT * FROM inbox");
    run_sql(path, std::string("UPDATE inbox SET ") + change);
    reopen();
    EXPECT_NE(t.begin_one(seq).corrupt, "") << change;
    t.close();
    run_sql(path, "DELETE FROM inbox; INSERT INTO inbox SELECT * FROM kept; DROP TABLE kept");
  }
}

}  // namespace
}  // namespace tgkeep::store
