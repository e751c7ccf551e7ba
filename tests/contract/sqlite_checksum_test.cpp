// Every row of the SQLite store is checked where it is read: what a disk or a hand changed is named, and
// nothing vanishes for it.
#include <mutex>

#include "sql.hpp"
#include "store_under_test.hpp"

namespace tgkeep::store {
namespace {

using Kind = Settlement::Kind;

class SqliteChecksums : public testing::Test {
 protected:
  SqliteChecksums() : t(Backend::sqlite) {}

  /// Changes the closed store and opens it again.
  void change(const std::string& sql) {
    t.close();
    sql_value(db(), sql);
    reopen();
  }
  void reopen() {
    t.close();
    const Log log([this](LogLevel, std::string_view event, std::span<const LogField>) {
      const std::lock_guard lock(mutex_);
      events_ += std::string(event) + "\n";
    });
    t.store = open_sqlite_store(t.io.get_executor(), t.clock, t.options(), log).value();
  }
  bool logged(std::string_view event) {
    const std::lock_guard lock(mutex_);
    return events_.find(event) != std::string::npos;
  }
  std::string audit() {
    const Result<void> audit = test::run(t.io, t.store->browser()->audit());
    return audit ? "" : audit.error().text();
  }
  std::string db() const { return t.folder.path() + "/inbox.db"; }

  std::mutex mutex_;
  std::string events_;
  StoreUnderTest t;
};

TEST_F(SqliteChecksums, P3_P7_numbers_beside_an_update_are_checked_and_one_with_wrong_ones_comes_at_once) {
  for (const char* numbers :
       {"attempts=attempts+1", "crashes=3", "due=9000000000000000", "first_failed=1", "received=received+1",
        "lifetime=0", "answer_expires=1", "run=run+1", "starts=starts+1", "key_hash=key_hash+1",
        "error='fine'", "attempts=attempts+4294967296", "marks=marks+1"}) {
    StoreUnderTest one(Backend::sqlite);
    const Seq seq = one.put(make_update(1));
    one.close();
    sql_value(one.folder.path() + "/inbox.db", std::string("UPDATE inbox SET ") + numbers);
    one.reopen();
    const auto heads = one.lease();
    ASSERT_EQ(heads.size(), 1U) << numbers;
    EXPECT_EQ(heads[0].due, WallTime{}) << numbers;
    EXPECT_EQ(heads[0].crashes, 0U) << numbers << ": it is no suspect";
    EXPECT_EQ(heads[0].expires, std::nullopt) << numbers;
    const Result<void> audit = test::run(one.io, one.store->browser()->audit());
    EXPECT_FALSE(audit) << numbers;
    const Item item = one.begin_one(seq);
    EXPECT_NE(item.corrupt.find("seq 1 of table inbox"), std::string::npos) << numbers;
    EXPECT_EQ(item.body, make_update(1).raw);
    EXPECT_TRUE(one.settle(dead_settlement(seq, "corrupt"))) << numbers;
    EXPECT_EQ(one.counts().dead.at("corrupt"), 1) << numbers;
  }
}

TEST_F(SqliteChecksums, P3_an_item_that_is_not_sound_stays_so_through_a_crash_and_a_retry) {
  const Seq seq = t.put(make_update(1));
  change("UPDATE inbox SET lifetime=5");
  t.begin_one(seq);
  reopen();  // the crash writes its numbers again
  const Item item = t.begin_one(seq);
  EXPECT_NE(item.corrupt, "");
  EXPECT_EQ(item.crashes, 1U);
  t.settle(settlement(seq, Kind::retry));
  EXPECT_NE(t.begin_one(seq).corrupt, "");
}

TEST_F(SqliteChecksums, P3_a_dead_letter_with_a_changed_body_is_not_sound_as_a_new_run_either) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  t.settle(dead_settlement(seq, "attempts"));
  change("UPDATE dead SET body='{}'");
  const Seq again = t.retry(seq).value();
  reopen();
  EXPECT_NE(t.begin_one(again).corrupt, "");
}

TEST_F(SqliteChecksums, P12_a_changed_row_of_state_is_an_error_that_names_it_and_the_remedy) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  Settlement done = settlement(seq, Kind::done);
  done.state.emplace_back("cart", "chat:1", "3 apples");
  t.settle(std::move(done));
  change("UPDATE state SET bytes=CAST('9 apples' AS BLOB)");
  const auto read = test::run(t.io, t.store->browser()->state(BotId(7), "cart", "chat:1"));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), Errc::corrupt);
  for (const std::string& part : {db(), std::string("cart"), std::string("chat:1"), std::string("backup")})
    EXPECT_NE(read.error().text().find(part), std::string::npos) << part << " in: " << read.error().text();
  EXPECT_NE(audit().find("table state"), std::string::npos);
}

TEST_F(SqliteChecksums, P2_an_update_whose_seen_row_is_changed_rather_comes_twice_than_never) {
  t.put(make_update(1));
  t.put(make_update(2));
  change("UPDATE seen SET update_id=3 WHERE update_id=1");
  EXPECT_NE(audit().find("table seen, update 3"), std::string::npos) << audit();
  std::vector<Update> updates;
  updates.push_back(make_update(2));
  updates.push_back(make_update(3));
  const auto put = t.put(std::move(updates));
  EXPECT_TRUE(put[0].duplicate);
  EXPECT_FALSE(put[1].duplicate) << "3 never came, whatever that row says";
  EXPECT_TRUE(logged("seen_corrupt"));
  EXPECT_EQ(audit(), "") << "the row is a sound one now";
}

TEST_F(SqliteChecksums, P3_P8_a_mark_of_being_done_that_is_changed_is_not_believed) {
  const Seq done = t.put(make_update(1, {"chat:1", "user:2"}));
  const Seq waits = t.put(make_update(2));
  t.begin_one(done);
  t.settle(settlement(done, Kind::done));
  EXPECT_EQ(t.counts().pending, 1);
  change("UPDATE done SET seq=" + std::to_string(waits.value()));
  EXPECT_TRUE(logged("done_marks_corrupt"));
  EXPECT_EQ(seqs_of(t.lease()), (std::vector<Seq>{done, waits}));
  EXPECT_EQ(seqs_of(t.lease_key("user:2")), std::vector<Seq>{done});
  EXPECT_EQ(t.counts().done, 0);
  EXPECT_EQ(t.counts().pending, 2);
  EXPECT_EQ(audit(), "");
}

TEST_F(SqliteChecksums, P8_a_changed_total_is_named_and_writing_goes_on_without_making_it_true) {
  t.put(make_update(1));
  t.put(updates_of({1, 1}));
  EXPECT_EQ(audit(), "");
  change("UPDATE total SET value=7 WHERE name='duplicates'");
  EXPECT_TRUE(logged("totals_corrupt"));
  EXPECT_NE(audit().find("totals do not match their checksum"), std::string::npos) << audit();
  t.put(make_update(2));
  reopen();
  EXPECT_NE(audit(), "");
}

TEST_F(SqliteChecksums, P8_a_changed_dead_letter_is_found_by_the_audit) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  t.settle(dead_settlement(seq, "attempts"));
  EXPECT_EQ(audit(), "");
  change("UPDATE dead SET died=died+1");
  EXPECT_NE(audit().find("table dead, seq 1"), std::string::npos) << audit();
}

}  // namespace
}  // namespace tgkeep::store
