// When the SQLite store opens, and what it refuses to open.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "sql.hpp"
#include "store/sqlite/folder.hpp"
#include "store_under_test.hpp"

namespace tgkeep::store {
namespace {

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

  StoreUnderTest t;
  TempFolder other;
};

TEST_F(SqliteOpen, settings_are_as_documented) {
  t.put(make_update(1));
  EXPECT_EQ(sql_value(db(), "PRAGMA journal_mode"), "wal");
  EXPECT_EQ(sql_value(db(), "PRAGMA auto_vacuum"), "2");
  EXPECT_EQ(sql_value(db(), "PRAGMA application_id"), std::to_string(0x74676b70));
  EXPECT_EQ(sql_value(db(), "PRAGMA user_version"), "3");
  EXPECT_EQ(sql_value(db(), "PRAGMA integrity_check"), "ok");
}

TEST_F(SqliteOpen, folders_it_makes_are_its_users_alone_and_others_stay_as_they_are) {
  const mode_t before = ::umask(0022);
  fs::permissions(other.path(), fs::perms(0755));
  std::error_code failure;
  EXPECT_TRUE(make_folders(other.path() + "/data/42", failure));
  EXPECT_FALSE(failure) << failure.message();
  EXPECT_FALSE(make_folders(other.path() + "/data/42/", failure)) << "it is there";
  EXPECT_FALSE(failure) << failure.message();
  EXPECT_EQ(fs::status(other.path()).permissions(), fs::perms(0755));
  EXPECT_EQ(fs::status(other.path() + "/data").permissions(), fs::perms(0700));
  EXPECT_EQ(fs::status(other.path() + "/data/42").permissions(), fs::perms(0700));
  std::ofstream(other.path() + "/file") << "x";
  EXPECT_FALSE(make_folders(other.path() + "/file/store", failure));
  EXPECT_TRUE(failure);
  ::umask(before);
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

TEST_F(SqliteOpen, a_newer_schema_version_is_refused_with_both_numbers_and_what_to_do) {
  t.close();
  sql_value(db(), "PRAGMA user_version=99");
  const Error error = refused(t.folder.path());
  EXPECT_EQ(error.code(), Errc::store_version);
  for (const char* part : {"newer tgkeep", "99", "knows 3", "backup"})
    EXPECT_NE(error.text().find(part), std::string::npos) << part << " in: " << error.text();
  EXPECT_EQ(sql_value(db(), "PRAGMA user_version"), "99");
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

TEST_F(SqliteOpen, P2_a_history_longer_than_the_dedup_window_is_a_bad_setting) {
  SqliteOptions options(other.path());
  options.history = std::chrono::hours(73);
  const Error error = t.open(options).error();
  EXPECT_EQ(error.code(), Errc::bad_config);
  EXPECT_NE(error.text().find("dedup_window"), std::string::npos) << error.text();
  options.dedup_window = std::chrono::hours(73);
  EXPECT_TRUE(t.open(options));
}

TEST_F(SqliteOpen, network_filesystems_are_known_by_name) {
  EXPECT_EQ(network_filesystem(0x6969), "NFS");
  EXPECT_EQ(network_filesystem(0xffffffffff534d42), "CIFS") << "statfs's type is signed on some machines";
  EXPECT_EQ(network_filesystem(0xef53), "");
}

TEST_F(SqliteOpen, P1_a_database_behind_its_side_file_is_refused_with_both_numbers_and_files) {
  t.put(make_update(1));
  t.copy_files_to(other.path());
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
  t.copy_files_to(other.path());
  const std::string wal = other.path() + "/inbox.db-wal";
  ASSERT_GT(fs::file_size(wal), 4096U);
  fs::resize_file(wal, fs::file_size(wal) - 4096);
  EXPECT_EQ(refused(other.path()).code(), Errc::store_rolled_back);
}

TEST_F(SqliteOpen, P1_one_flipped_bit_in_the_wal_is_noticed) {
  for (std::int64_t id = 1; id <= 9; ++id) t.put(make_update(id));
  t.copy_files_to(other.path());
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

}  // namespace
}  // namespace tgkeep::store
