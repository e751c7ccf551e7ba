// When the SQLite store opens, and what it refuses to open.
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "store/sqlite/folder.hpp"
#include "store_under_test.hpp"

namespace tgkeep::store {
namespace {

using Kind = Settlement::Kind;
namespace fs = std::filesystem;

class SqliteOpen : public testing::Test {
 protected:
  SqliteOpen() : t(Backend::sqlite) {}

  // The error of opening a folder that must be refused.
  Error refused(const std::string& folder) {
    const auto opened = t.open(SqliteOptions(folder));
    if (!opened) return opened.error();
    ADD_FAILURE() << "it opened";
    return Error(Errc::not_found, "it opened");
  }
  std::string db() const { return t.folder.path() + "/inbox.db"; }
  std::string side() const { return t.folder.path() + "/inbox.commits"; }

  // What a crash would leave now. The WAL first: a checkpoint in between then does no harm.
  void copy_to(const std::string& folder) const {
    fs::create_directories(folder);
    for (const char* name : {"inbox.db-wal", "inbox.db", "inbox.commits"}) {
      const std::string from = t.folder.path() + "/" + name;
      if (fs::exists(from)) fs::copy_file(from, folder + "/" + name, fs::copy_options::overwrite_existing);
    }
  }
  StoreUnderTest t;
  TempFolder other;
};

std::string sql_value(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  std::string value;
  const auto note = [](void* to, int, char** columns, char**) {
    *static_cast<std::string*>(to) = columns[0] == nullptr ? "" : columns[0];
    return 0;
  };
  char* why = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), note, &value, &why), SQLITE_OK)
      << (why == nullptr ? "" : why);
  sqlite3_free(why);
  sqlite3_close(database);
  return value;
}

TEST_F(SqliteOpen, settings_are_as_documented) {
  t.put(make_update(1));
  EXPECT_EQ(sql_value(db(), "PRAGMA journal_mode"), "wal");
  EXPECT_EQ(sql_value(db(), "PRAGMA auto_vacuum"), "2");
  EXPECT_EQ(sql_value(db(), "PRAGMA application_id"), std::to_string(0x74676b70));
  EXPECT_EQ(sql_value(db(), "PRAGMA user_version"), "1");
  EXPECT_EQ(sql_value(db(), "PRAGMA integrity_check"), "ok");
}

TEST_F(SqliteOpen, the_epoch_grows_by_one_each_time) {
  const Epoch first = t.store->epoch();
  t.reopen();
  EXPECT_EQ(t.store->epoch().value(), first.value() + 1);
}

TEST_F(SqliteOpen, a_second_owner_is_refused_and_told_who_the_first_is) {
  const Error error = refused(t.folder.path());
  EXPECT_EQ(error.code(), Errc::store_locked);
  EXPECT_NE(error.text().find(std::to_string(::getpid())), std::string::npos) << error.text();
  t.close();
  t.reopen();
}

TEST_F(SqliteOpen, another_process_is_refused) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    asio::io_context io;
    const auto opened = open_sqlite_store(io.get_executor(), t.clock, t.options(), Log());
    ::_exit(!opened && opened.error().code() == Errc::store_locked ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_F(SqliteOpen, a_file_that_is_no_database_is_foreign) {
  std::ofstream(other.path() + "/inbox.db") << std::string(5000, 'x');
  const Error error = refused(other.path());
  EXPECT_EQ(error.code(), Errc::store_foreign);
  EXPECT_NE(error.text().find(other.path() + "/inbox.db"), std::string::npos);
  EXPECT_EQ(fs::file_size(other.path() + "/inbox.db"), 5000U);
}

TEST_F(SqliteOpen, a_database_of_another_program_is_foreign_and_stays_as_it_is) {
  const std::string path = other.path() + "/inbox.db";
  sql_value(path, "CREATE TABLE theirs(x); INSERT INTO theirs VALUES (1)");
  EXPECT_EQ(refused(other.path()).code(), Errc::store_foreign);
  EXPECT_EQ(sql_value(path, "PRAGMA journal_mode"), "delete");
  EXPECT_EQ(sql_value(path, "SELECT count(*) FROM sqlite_master"), "1");
}

TEST_F(SqliteOpen, another_schema_version_is_refused_with_both_numbers) {
  t.close();
  sql_value(db(), "PRAGMA user_version=99");
  const Error error = refused(t.folder.path());
  EXPECT_EQ(error.code(), Errc::store_version);
  EXPECT_NE(error.text().find("99"), std::string::npos);
}

TEST_F(SqliteOpen, a_folder_that_cant_be_made_or_written_is_unusable) {
  std::ofstream(other.path() + "/file") << "x";
  EXPECT_EQ(refused(other.path() + "/file").code(), Errc::store_unusable);
  EXPECT_EQ(refused(other.path() + "/file/below").code(), Errc::store_unusable);
  EXPECT_EQ(refused("/proc").code(), Errc::store_unusable)
      << "root may write to a read-only folder, not here";
}

TEST_F(SqliteOpen, a_database_file_that_cant_be_opened_is_unusable) {
  fs::create_directory(other.path() + "/inbox.db");
  const Error error = refused(other.path());
  EXPECT_EQ(error.code(), Errc::store_unusable);
  EXPECT_NE(error.text().find(other.path()), std::string::npos);
}

TEST_F(SqliteOpen, a_dedup_window_below_two_days_is_a_bad_setting) {
  SqliteOptions options(other.path());
  options.dedup_window = std::chrono::hours(47);
  EXPECT_EQ(t.open(options).error().code(), Errc::bad_config);
}

TEST_F(SqliteOpen, network_filesystems_are_known_by_name) {
  EXPECT_EQ(network_filesystem(0x6969), "NFS");
  EXPECT_EQ(network_filesystem(0xffffffffff534d42), "CIFS") << "statfs's type is signed on some machines";
  EXPECT_EQ(network_filesystem(0xef53), "");
}

TEST_F(SqliteOpen, P1_a_database_behind_its_side_file_is_refused_with_both_numbers_and_files) {
  t.put(make_update(1));
  copy_to(other.path());
  for (std::int64_t id = 2; id <= 9; ++id) t.put(make_update(id));
  fs::copy_file(side(), other.path() + "/inbox.commits", fs::copy_options::overwrite_existing);
  const Error error = refused(other.path());
  EXPECT_EQ(error.code(), Errc::store_rolled_back);
  for (const std::string& part : {other.path() + "/inbox.db", other.path() + "/inbox.commits",
                                  std::string("10 commits"), std::string("only 2"), std::string("delete")}) {
    EXPECT_NE(error.text().find(part), std::string::npos) << part << " in: " << error.text();
  }
  fs::remove(other.path() + "/inbox.commits");
  EXPECT_TRUE(t.open(SqliteOptions(other.path()))) << "the loss is accepted by deleting the side file";
}

TEST_F(SqliteOpen, P1_a_wal_cut_short_after_acknowledged_commits_is_noticed) {
  for (std::int64_t id = 1; id <= 9; ++id) t.put(make_update(id));
  copy_to(other.path());
  const std::string wal = other.path() + "/inbox.db-wal";
  ASSERT_GT(fs::file_size(wal), 4096U);
  fs::resize_file(wal, fs::file_size(wal) - 4096);
  EXPECT_EQ(refused(other.path()).code(), Errc::store_rolled_back);
}

TEST_F(SqliteOpen, P1_one_flipped_bit_in_the_wal_is_noticed) {
  for (std::int64_t id = 1; id <= 9; ++id) t.put(make_update(id));
  copy_to(other.path());
  std::fstream wal(other.path() + "/inbox.db-wal", std::ios::in | std::ios::out | std::ios::binary);
  const auto place = static_cast<std::streamoff>(fs::file_size(other.path() + "/inbox.db-wal") / 2);
  wal.seekg(place);
  const char byte = static_cast<char>(wal.get());
  wal.seekp(place);
  wal.put(static_cast<char>(byte ^ 1));
  wal.close();
  EXPECT_EQ(refused(other.path()).code(), Errc::store_rolled_back);
}

TEST_F(SqliteOpen, P1_a_deleted_database_is_noticed) {
  t.put(make_update(1));
  t.close();
  fs::remove(db());
  EXPECT_EQ(refused(t.folder.path()).code(), Errc::store_rolled_back);
}

TEST_F(SqliteOpen, P1_the_database_of_another_store_is_noticed) {
  t.put(make_update(1));
  t.close();
  {
    const auto another = t.open(SqliteOptions(other.path()));
    ASSERT_TRUE(another);
  }
  fs::copy_file(other.path() + "/inbox.db", db(), fs::copy_options::overwrite_existing);
  EXPECT_EQ(refused(t.folder.path()).code(), Errc::store_rolled_back);
}

TEST_F(SqliteOpen, a_torn_side_file_is_no_reason_to_refuse) {
  t.put(make_update(1));
  t.close();
  std::ofstream(side(), std::ios::trunc) << "00000000";
  t.reopen();
  EXPECT_EQ(t.counts().stored, 1);
}

TEST_F(SqliteOpen, P3_after_a_crash_everything_acknowledged_is_handed_over_again) {
  for (std::int64_t id = 1; id <= 500; ++id) t.put(make_update(id));
  t.begin(seqs_of(t.lease()));
  copy_to(other.path());
  t.close();
  t.store = t.open(SqliteOptions(other.path())).value();
  const auto heads = t.lease();
  EXPECT_EQ(heads.size(), 500U);
  for (const Head& head : heads) EXPECT_EQ(head.crashes, 1U);
  EXPECT_EQ(t.counts().in_flight, 0);
  t.expect_balance();
  t.close();
}

TEST_F(SqliteOpen, P2_duplicates_are_known_after_a_restart) {
  const Seq seq = t.put(make_update(1));
  t.reopen();
  std::vector<Update> updates;
  updates.push_back(make_update(1));
  const auto put = t.put(std::move(updates));
  EXPECT_TRUE(put[0].duplicate);
  EXPECT_EQ(put[0].seq, seq);
}

TEST_F(SqliteOpen, P7_crashes_are_counted_apart_and_survived_forgets_them) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  t.reopen();
  EXPECT_EQ(t.lease()[0].crashes, 1U);
  EXPECT_EQ(t.lease()[0].attempts, 0U);
  const Item item = t.begin_one(seq);
  EXPECT_EQ(item.crashes, 1U);
  EXPECT_EQ(item.attempt, 1U);
  t.settle(settlement(seq, Kind::release));
  t.reopen();
  EXPECT_EQ(t.lease()[0].crashes, 1U) << "a drain counts nothing";
  t.begin_one(seq);
  Settlement retry = settlement(seq, Kind::retry);
  retry.survived = true;
  t.settle(std::move(retry));
  t.reopen();
  EXPECT_EQ(t.lease()[0].crashes, 0U);
  EXPECT_EQ(t.lease()[0].attempts, 1U);
  t.expect_balance();
}

TEST_F(SqliteOpen, P7_a_crash_beside_a_suspect_is_the_suspects_alone) {
  const Seq neighbour = t.put(make_update(1, {"chat:1"}));
  const Seq suspect = t.put(make_update(2, {"chat:2"}));
  const Seq behind = t.put(make_update(3, {"chat:2"}));
  t.begin_one(neighbour);
  t.begin_one(suspect, Queue::inbox, Mark::solo);
  t.reopen();
  const auto heads = t.lease();
  ASSERT_EQ(heads.size(), 2U);
  EXPECT_EQ(heads[0].seq, neighbour);
  EXPECT_EQ(heads[0].crashes, 0U);
  const auto letters = t.dead_letters();
  ASSERT_EQ(letters.size(), 1U);
  EXPECT_EQ(letters[0].seq, suspect);
  EXPECT_EQ(letters[0].reason, "crashed");
  EXPECT_EQ(letters[0].crashes, 1U);
  EXPECT_TRUE(t.begin_one(behind).order_gap);
  t.expect_balance();
}

TEST_F(SqliteOpen, P7_a_renewed_suspect_is_one_among_others) {
  const Seq neighbour = t.put(make_update(1));
  const Seq suspect = t.put(make_update(2));
  t.begin_one(suspect, Queue::inbox, Mark::solo);
  t.renew({suspect});
  t.begin_one(neighbour);
  t.reopen();
  const auto heads = t.lease();
  ASSERT_EQ(heads.size(), 2U);
  EXPECT_EQ(heads[0].crashes, 1U);
  EXPECT_EQ(heads[1].crashes, 1U);
  EXPECT_TRUE(t.dead_letters().empty());
}

TEST_F(SqliteOpen, P12_calls_in_flight_at_a_crash_are_in_doubt) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  Settlement done = settlement(seq, Kind::done);
  done.calls.emplace_back("sendMessage", R"({"chat_id":5})");
  done.calls.emplace_back("sendGift", R"({"chat_id":5})");
  done.calls.emplace_back("sendChatAction", R"({"chat_id":5})", DoubtPolicy::skip);
  done.calls.emplace_back("sendMessage", R"({"chat_id":6})");
  done.state.emplace_back("s", "k", "v");
  t.settle(std::move(done));
  const auto calls = t.lease(Queue::outbox);
  ASSERT_EQ(calls.size(), 4U);
  t.begin({calls[0].seq, calls[1].seq, calls[2].seq}, Queue::outbox);
  t.reopen();
  const QueueCounts counts = t.counts(Queue::outbox);
  EXPECT_EQ(counts.in_doubt, 3);
  EXPECT_EQ(counts.held, 1);
  EXPECT_EQ(counts.dead.at("skipped"), 1);
  EXPECT_EQ(seqs_of(t.lease(Queue::outbox)), (std::vector<Seq>{calls[0].seq, calls[3].seq}));
  EXPECT_EQ(t.state("s", "k"), "v");
  t.expect_balance();
}

TEST_F(SqliteOpen, P4_a_settlement_from_before_a_reopening_is_refused) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  t.reopen();
  EXPECT_FALSE(t.settle(settlement(seq, Kind::done)));
  EXPECT_EQ(t.heads().size(), 1U);
}

TEST_F(SqliteOpen, P2_a_seq_is_never_used_again) {
  const Seq first = t.put(make_update(1));
  t.begin_one(first);
  t.settle(settlement(first, Kind::done));
  t.reopen();
  EXPECT_GT(t.put(make_update(2)), first);
}

TEST_F(SqliteOpen, P11_a_backlog_is_leased_in_pages_and_by_key_after_a_restart) {
  for (int batch = 0; batch < 30; ++batch) {
    std::vector<Update> updates;
    for (int i = 0; i < 300; ++i)
      updates.push_back(make_update(batch * 300 + i, {"chat:" + std::to_string(i)}));
    t.put(std::move(updates));
  }
  t.reopen();
  Seq after;
  std::size_t found = 0;
  while (found < 9000) {
    const auto heads = t.lease(Queue::inbox, after, 1000);
    EXPECT_EQ(heads.size(), 1000U);
    found += heads.size();
    after = heads.back().seq;
  }
  EXPECT_EQ(t.lease_key("chat:17").size(), 30U);
}

TEST_F(SqliteOpen, what_nobody_leased_in_time_is_found_in_the_database) {
  for (int batch = 0; batch < 40; ++batch) {  // more than the heads kept in memory
    std::vector<Update> updates;
    for (int i = 0; i < 300; ++i) updates.push_back(make_update(batch * 300 + i));
    t.put(std::move(updates));
  }
  Seq after;
  std::size_t found = 0;
  while (found < 12000) {
    for (const Head& head : t.lease(Queue::inbox, after, 700)) {
      EXPECT_GT(head.seq, after);
      after = head.seq;
      ++found;
    }
  }
}

}  // namespace
}  // namespace tgkeep::store
