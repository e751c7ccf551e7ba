// kill -9 while finished items are moved to their day files: each is found once, afterwards, and the totals
// are right.

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <set>
#include <tgkeep/sqlite_store.hpp>
#include <tgkeep/store_browser.hpp>
#include <utility>

#include "loop/real_clock.hpp"
#include "store/sqlite/archive_now.hpp"
#include "store/sqlite/day_files.hpp"
#include "support/process.hpp"
#include "support/random.hpp"
#include "support/run.hpp"

namespace tgkeep::test {
namespace {

class ArchiveCrash : public testing::Test {
 protected:
  ArchiveCrash() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tgkeep-archive-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~ArchiveCrash() override {
    if (!HasFailure()) std::filesystem::remove_all(folder_);
  }

  /// What was done, by the totals and by the rows; archives the rest first.
  void expect_every_finished_item_once() {
    asio::io_context io;
    loop::RealClock clock(io.get_executor());
    auto store = store::open_sqlite_store(io.get_executor(), clock, store::SqliteOptions(folder_), Log());
    ASSERT_TRUE(store) << store.error().text();
    store::archive_now(**store);
    const auto audit = run(io, (*store)->browser()->audit());
    EXPECT_TRUE(audit) << audit.error().text();
    const StoreCounts counts = run(io, (*store)->counts()).value();
    EXPECT_EQ(counts.inbox.stored, counts.inbox.pending + counts.inbox.retrying + counts.inbox.done);
    std::set<std::pair<std::int64_t, std::int64_t>> names;
    std::int64_t rows = 0;
    for (const store::DayFileEntry& file : store::list_day_files(folder_)) {
      store::Database database(file.path, "", store::Database::Access::read_only);
      store::Statement items = database.prepare("SELECT queue, seq FROM item");
      for (store::Cursor item = items.rows(); item.next(); ++rows)
        names.emplace(item.integer(0), item.integer(1));
    }
    EXPECT_EQ(rows, static_cast<std::int64_t>(names.size())) << "an item is there twice";
    EXPECT_EQ(rows, counts.inbox.done + counts.outbox.done);
    store::Database inbox(folder_ + "/inbox.db", "", store::Database::Access::read_only);
    EXPECT_EQ(inbox.integer("SELECT count(*) FROM done"), 0);
    done_ = counts.inbox.done;
  }

  std::string folder_;
  std::int64_t done_ = 0;
};

TEST_F(ArchiveCrash, P3_P8_killed_at_any_step_of_archiving_nothing_of_the_history_is_lost_or_doubled) {
  Random random;
  TGKEEP_TRACE_SEED(random);
  for (int kill = 0; kill < 15 && !HasFailure(); ++kill) {
    Process child({TGKEEP_ARCHIVE_CHILD, folder_, "1000000"}, {});
    // Mostly into the archiving, whose few milliseconds are so hit at different places.
    const char* const step = random.chance(0.8) ? "archives" : "settles";
    ASSERT_TRUE(child.wait_for_line(std::string(step) + " " + std::to_string(random.between(0, 4))));
    for (std::int64_t spin = random.between(0, 3'000'000); spin > 0; --spin) asm volatile("");
    child.signal(SIGKILL);
    child.wait();
    if (kill % 3 == 2) expect_every_finished_item_once();
  }
  Process child({TGKEEP_ARCHIVE_CHILD, folder_, "2"}, {});
  ASSERT_TRUE(child.wait_for_line("over")) << child.output();
  EXPECT_EQ(child.wait(), 0);
  const std::int64_t before = done_;
  expect_every_finished_item_once();
  EXPECT_GE(done_, before + 120);
}

}  // namespace
}  // namespace tgkeep::test
