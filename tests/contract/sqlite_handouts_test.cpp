// The book of handouts on disk: its rows, what a crash or a power cut leaves of it, archives and backups.
#include <sqlite3.h>

#include <atomic>
#include <tgkeep/sqlite_files.hpp>

#include "browser_test.hpp"
#include "failing_vfs.hpp"
#include "handout_words.hpp"
#include "prove/torn_disk.hpp"
#include "sql.hpp"
#include "store/sqlite/archive_now.hpp"
#include "support/random.hpp"

namespace tgkeep::store {
namespace {

using Kind = Settlement::Kind;
using std::chrono::hours;

class SqliteHandoutBook : public testing::Test {
 protected:
  SqliteHandoutBook() : t(Backend::sqlite) {}
  ~SqliteHandoutBook() override { t.close(); }
  std::string db() const { return t.folder.path() + "/inbox.db"; }
  std::string rows() { return sql_value(db(), "SELECT count(*) FROM handout"); }
  std::string audit() {
    const Result<void> audit = test::run(t.io, t.store->browser()->audit());
    return audit ? "" : audit.error().text();
  }

  BrowserUnderTest t;
  HandoutWords book{t};
  TempFolder other;
};

TEST_F(SqliteHandoutBook, P3_what_was_noted_survives_a_kill_without_a_sync_of_its_own) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  book.note({{1, seq}});
  t.copy_files_to(other.path());
  t.close();
  t.store = t.open(SqliteOptions(other.path())).value();
  EXPECT_EQ(book.last(), 1);
  EXPECT_EQ(ids_of(book.open()), std::vector<std::int64_t>{1});
  t.close();
}

TEST_F(SqliteHandoutBook, P11_a_note_syncs_nothing) {
  t.close();
  FailingVfs vfs;
  SqliteOptions options = t.options();
  options.vfs = FailingVfs::kName;
  t.store = t.open(options).value();
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  const int before = vfs.faults.syncs();
  book.note({{1, seq}});
  EXPECT_EQ(vfs.faults.syncs(), before);
  t.close();
}

TEST_F(SqliteHandoutBook, P10_on_a_full_disk_a_note_is_refused_and_can_be_given_again) {
  t.close();
  FailingVfs vfs;
  SqliteOptions options = t.options();
  options.vfs = FailingVfs::kName;
  t.store = t.open(options).value();
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  vfs.faults.start(Faults::Kind::disk_full);
  EXPECT_EQ(book.try_note({{1, seq}}).error().code(), Errc::store_full);
  vfs.faults.stop();
  EXPECT_EQ(book.last(), 0);
  book.note({{1, seq}});
  EXPECT_EQ(book.last(), 1);
  vfs.faults.start(Faults::Kind::write_fails);
  EXPECT_EQ(book.try_note({{2, seq}}).error().code(), Errc::store_broken);
  vfs.faults.stop();
  t.close();
}

TEST_F(SqliteHandoutBook, P2_after_a_power_cut_no_number_is_missing_below_a_settlement_that_is_durable) {
  t.close();
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  prove::Dice dice(static_cast<std::uint64_t>(random.between(0, 1 << 30)));
  std::atomic<std::int64_t> acknowledged = 0;  // the highest number whose item's end was acknowledged
  std::vector<std::pair<std::int64_t, std::string>> images;
  prove::TornDisk* disk = nullptr;
  int moment = 0;
  const auto cut = [&] {
    if (++moment % 4 != 0) return;
    const std::string image = other.path() + "/" + std::to_string(images.size());
    std::filesystem::create_directories(image);
    disk->write_image(image, dice);
    images.emplace_back(acknowledged.load(), image);
  };
  prove::TornDisk torn(cut);
  disk = &torn;
  {
    const prove::DiskVfs vfs("tgkeep_torn_book", torn);
    SqliteOptions options(other.path() + "/store");  // made on that disk
    options.vfs = "tgkeep_torn_book";
    t.store = t.open(options).value();
    for (std::int64_t id = 1; id <= 12; ++id) {
      const Seq seq = t.put(make_update(id));
      t.begin_one(seq);
      book.note({{id * 10, seq}});
      t.settle(settlement(seq, Kind::done));
      acknowledged = id * 10;
    }
    t.close();
  }
  EXPECT_GT(images.size(), 10U);
  for (const auto& [least, image] : images) {
    t.store = t.open(SqliteOptions(image)).value();
    EXPECT_GE(book.last(), least);
    EXPECT_EQ(audit(), "");
    t.close();
  }
}

TEST_F(SqliteHandoutBook, P3_done_ones_are_found_in_day_files_too_as_long_as_those_are_kept) {
  const Seq first = t.finish(1);
  book.note({{1, first}});
  archive_now(*t.store);
  t.clock.advance(hours(24));
  const WallTime from = t.clock.wall();
  const Seq second = t.finish(2);
  book.note({{2, second}});
  archive_now(*t.store);
  const Seq third = t.finish(3);
  const Seq gone = t.finish(4);
  book.note({{3, third}, {4, gone}});
  const auto erased = t.erase([](const StoredItem& item) { return item.update_id == UpdateId(4); });
  ASSERT_TRUE(erased);
  EXPECT_EQ(ids_of(book.done_since(WallTime())), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(ids_of(book.done_since(from)), (std::vector<std::int64_t>{2, 3}));
  EXPECT_TRUE(book.find(4)) << "a number holds nothing of a person";
  EXPECT_EQ(book.last(), 4);
  EXPECT_EQ(audit(), "");
}

TEST_F(SqliteHandoutBook, P3_a_backup_holds_them_and_a_restored_store_gives_later_ones) {
  const Seq seq = t.put(make_update(1));
  const Seq done = t.finish(make_update(2));
  book.note({{1, seq}, {2, done}});
  const std::string backup = other.path() + "/backup";
  ASSERT_TRUE(t.backup(backup));
  t.close();
  const Result<StoreCheck> checked = check_sqlite_store(backup, {});
  ASSERT_TRUE(checked);
  EXPECT_TRUE(checked->findings.empty());
  ASSERT_TRUE(restore_sqlite_store(backup, other.path() + "/restored", {}));
  t.store = t.open(SqliteOptions(other.path() + "/restored")).value();
  EXPECT_EQ(book.last(), 2);
  EXPECT_EQ(ids_of(book.open()), std::vector<std::int64_t>{1});
  EXPECT_EQ(ids_of(book.done_since(WallTime())), std::vector<std::int64_t>{2});
  book.note({{3, seq}});
  t.close();
}

TEST_F(SqliteHandoutBook, P3_a_changed_row_says_nothing_and_is_named_by_audit_and_check) {
  const Seq seq = t.put(make_update(1));
  const Seq next = t.put(make_update(2));
  book.note({{1, seq}, {2, next}});
  t.close();
  sql_value(db(), "UPDATE handout SET seq=" + std::to_string(next.value()) + " WHERE id=1");
  t.reopen();
  EXPECT_EQ(ids_of(book.open()), std::vector<std::int64_t>{2});
  EXPECT_EQ(book.find(1), std::nullopt);
  EXPECT_EQ(ids_of(book.of(next)), std::vector<std::int64_t>{2});
  EXPECT_NE(audit().find("table handout, number 1"), std::string::npos) << audit();
  t.close();
  const Result<StoreCheck> checked = check_sqlite_store(t.folder.path(), {});
  ASSERT_TRUE(checked);
  ASSERT_EQ(checked->findings.size(), 1U);
  EXPECT_EQ(checked->findings[0].table, "handout");
  EXPECT_NE(checked->findings[0].remedy, "");
}

TEST_F(SqliteHandoutBook, are_found_in_the_files_of_a_process_that_does_not_run) {
  const Seq done = t.finish(1);
  book.note({{41, done}});
  archive_now(*t.store);
  t.close();
  const auto reader = t.reader();
  const auto seen = test::run(t.io, reader->browser().seen_as(41)).value();
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->seq, done);
  const auto runs = test::run(t.io, reader->browser().trace(UpdateId(1))).value();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(ids_of(runs[0].handouts), std::vector<std::int64_t>{41});
}

TEST_F(SqliteHandoutBook, P11_what_is_old_goes_in_slices_along_with_notes) {
  const Seq done = t.finish(1);
  const Seq waits = t.put(make_update(2, {"chat:2"}));
  std::vector<NumberOf> numbers;
  for (std::int64_t id = 1; id <= 3000; ++id) numbers.emplace_back(id, id % 100 == 0 ? waits : done);
  book.note(numbers);
  EXPECT_EQ(rows(), "3000");
  std::int64_t id = 200'000;
  book.note({{++id, done}});
  EXPECT_EQ(rows(), "2981") << "20 at a time";
  for (int i = 0; i < 150; ++i) book.note({{++id, done}});
  EXPECT_EQ(rows(), "181") << "30 of the one that waits, and the new ones";
  EXPECT_EQ(book.of(waits).size(), 30U);
  t.begin_one(waits);
  t.settle(settlement(waits, Kind::done));
  for (int i = 0; i < 4; ++i) book.note({{++id, done}});
  EXPECT_TRUE(book.of(waits).empty());
}

}  // namespace
}  // namespace tgkeep::store
