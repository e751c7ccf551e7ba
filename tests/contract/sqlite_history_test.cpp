// What becomes of finished items: they stay where they are until the archiver has moved them to the file of
// their day, and that goes when its time is over.
#include <fstream>
#include <mutex>

#include "failing_vfs.hpp"
#include "sql.hpp"
#include "store/sqlite/archive_now.hpp"
#include "store_under_test.hpp"

namespace tgkeep::store {
namespace {

namespace fs = std::filesystem;
using Kind = Settlement::Kind;
using std::chrono::hours;

class SqliteHistory : public testing::Test {
 protected:
  SqliteHistory() : t(Backend::sqlite) { reopen(t.options()); }
  ~SqliteHistory() override { t.close(); }

  void reopen(const SqliteOptions& options) {
    t.close();
    const Log log([this](LogLevel, std::string_view event, std::span<const LogField>) {
      const std::lock_guard lock(mutex_);
      events_.emplace_back(event);
    });
    t.store = open_sqlite_store(t.io.get_executor(), t.clock, options, log).value();
  }
  std::ptrdiff_t logged(std::string_view event) {
    const std::lock_guard lock(mutex_);
    return std::count(events_.begin(), events_.end(), event);
  }

  Seq finish(std::int64_t id, std::vector<std::string> keys = {"chat:1"}) {
    const Seq seq = t.put(make_update(id, std::move(keys)));
    t.begin_one(seq);
    t.settle(settlement(seq, Kind::done));
    return seq;
  }
  void archive() { archive_now(*t.store); }
  std::string db() const { return t.folder.path() + "/inbox.db"; }
  std::string day_file(const std::string& day) const { return t.folder.path() + "/history/" + day + ".db"; }
  std::string in_inbox(const std::string& table) { return sql_value(db(), "SELECT count(*) FROM " + table); }
  static std::string rows(const std::string& file) { return sql_value(file, "SELECT count(*) FROM item"); }

  std::mutex mutex_;
  std::vector<std::string> events_;
  StoreUnderTest t;
  const std::string first_day = "2026-01-01";  // when the virtual clock starts
};

TEST_F(SqliteHistory, P8_a_finished_item_stays_and_is_neither_leased_nor_begun_nor_counted_as_live) {
  const Seq done = finish(1, {"chat:1", "user:2"});
  const Seq waits = t.put(make_update(2, {"chat:1", "user:2"}));
  t.close();
  EXPECT_EQ(in_inbox("inbox"), "2");
  EXPECT_EQ(in_inbox("done"), "1");
  reopen(t.options());
  EXPECT_EQ(seqs_of(t.lease()), std::vector<Seq>{waits});
  EXPECT_EQ(seqs_of(t.lease_key("chat:1")), std::vector<Seq>{waits});
  EXPECT_EQ(seqs_of(t.lease_key("user:2")), std::vector<Seq>{waits});
  EXPECT_TRUE(t.begin({done}).empty());
  EXPECT_EQ(t.counts().done, 1);
  EXPECT_EQ(t.counts().oldest, make_update(2).received);
  const auto again = t.put(updates_of({1}));
  EXPECT_TRUE(again[0].duplicate);
  EXPECT_EQ(again[0].seq, Seq()) << "it is settled";
  t.expect_balance();
}

TEST_F(SqliteHistory, P8_the_archiver_moves_what_is_finished_to_its_day_and_the_totals_stay) {
  const WallTime began = t.clock.wall();
  const Seq seq = t.put(make_update(1, {"chat:1", "user:2"}));
  const Seq other = t.put(make_update(2));
  t.begin_one(seq);
  t.clock.advance(std::chrono::seconds(3));
  Settlement done = settlement(seq, Kind::done);
  done.calls.emplace_back("sendMessage", R"({"chat_id":5})");
  t.settle(std::move(done));
  const Seq call = t.lease(Queue::outbox)[0].seq;
  t.begin_one(call, Queue::outbox);
  t.settle(settlement(call, Kind::done, Queue::outbox));
  archive();
  const std::string file = day_file(first_day);
  EXPECT_EQ(sql_value(file, "PRAGMA application_id"), std::to_string(0x74676b68));
  EXPECT_EQ(rows(file), "2");
  EXPECT_EQ(sql_value(file, "SELECT body FROM item WHERE queue=0"), make_update(1).raw);
  EXPECT_EQ(sql_value(file, "SELECT seq FROM item WHERE queue=0"), std::to_string(seq.value()));
  EXPECT_EQ(sql_value(file, "SELECT started FROM item WHERE queue=0"), std::to_string(to_millis(began)));
  EXPECT_EQ(sql_value(file, "SELECT ended-started FROM item WHERE queue=0"), "3000");
  EXPECT_EQ(sql_value(file, "SELECT kind FROM item WHERE queue=1"), "sendMessage");
  EXPECT_EQ(sql_value(file, "SELECT origin FROM item WHERE queue=1"), std::to_string(seq.value()));
  EXPECT_EQ(sql_value(file, "SELECT count(*) FROM item_key WHERE queue=0"), "2");
  EXPECT_EQ(in_inbox("done"), "0");
  EXPECT_EQ(in_inbox("inbox"), "1");
  EXPECT_EQ(in_inbox("outbox"), "0");
  EXPECT_EQ(t.counts().done, 1);
  EXPECT_EQ(t.counts().pending, 1);
  EXPECT_EQ(t.counts(Queue::outbox).done, 1);
  EXPECT_EQ(seqs_of(t.lease()), std::vector<Seq>{other});
  t.expect_balance();
}

TEST_F(SqliteHistory, P7_each_failed_attempt_is_kept_the_last_twenty_and_goes_along) {
  const Seq seq = t.put(make_update(1));
  for (int attempt = 1; attempt <= 25; ++attempt) {
    t.begin_one(seq);
    Settlement retry = settlement(seq, Kind::retry);
    retry.error = "error " + std::to_string(attempt);
    t.settle(std::move(retry));
  }
  t.begin_one(seq);
  t.settle(settlement(seq, Kind::release));
  EXPECT_EQ(in_inbox("failure"), "20") << "a release is no failure";
  EXPECT_EQ(sql_value(db(), "SELECT min(attempt) FROM failure"), "6");
  EXPECT_EQ(sql_value(db(), "SELECT error FROM failure WHERE attempt=25"), "error 25");
  t.begin_one(seq);
  t.settle(settlement(seq, Kind::done));
  archive();
  EXPECT_EQ(in_inbox("failure"), "0");
  EXPECT_EQ(sql_value(day_file(first_day), "SELECT count(*) FROM failure"), "20");
}

TEST_F(SqliteHistory, P5_a_retried_dead_letter_names_the_run_before_it) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  Settlement retry = settlement(seq, Kind::retry);
  t.settle(std::move(retry));
  t.begin_one(seq);
  t.settle(dead_settlement(seq, "attempts"));
  EXPECT_EQ(in_inbox("failure"), "1") << "a dead letter keeps what failed";
  const Seq again = t.retry(seq).value();
  EXPECT_EQ(sql_value(db(), "SELECT origin FROM inbox"), std::to_string(seq.value()));
  EXPECT_EQ(sql_value(db(), "SELECT seq FROM seen"), std::to_string(again.value()));
  EXPECT_EQ(in_inbox("failure"), "0");
  reopen(t.options());
  EXPECT_EQ(t.begin_one(again).corrupt, "") << "with a checksum of its own";
}

TEST_F(SqliteHistory, days_are_those_of_the_end_in_UTC_and_go_when_all_of_them_is_older_than_the_history) {
  finish(1);
  t.clock.advance(hours(23));
  finish(2);
  t.clock.advance(hours(1));
  finish(3);
  archive();
  EXPECT_EQ(rows(day_file("2026-01-01")), "2");
  EXPECT_EQ(rows(day_file("2026-01-02")), "1");
  t.clock.advance(hours(48) - std::chrono::milliseconds(1));
  archive();
  EXPECT_TRUE(fs::exists(day_file("2026-01-01")));
  t.clock.advance(std::chrono::milliseconds(1));
  archive();
  EXPECT_FALSE(fs::exists(day_file("2026-01-01")));
  EXPECT_TRUE(fs::exists(day_file("2026-01-02")));
  EXPECT_EQ(t.counts().done, 3);
  t.expect_balance();
}

TEST_F(SqliteHistory, what_finished_before_the_history_begins_is_not_copied_any_more) {
  finish(1);
  t.close();
  t.clock.advance(hours(24 * 5));
  reopen(t.options());
  archive();
  EXPECT_FALSE(fs::exists(day_file(first_day)));
  EXPECT_EQ(in_inbox("inbox"), "0");
  EXPECT_EQ(in_inbox("done"), "0");
  t.expect_balance();
}

TEST_F(SqliteHistory, P2_P8_an_item_in_both_files_after_a_crash_is_moved_again_and_is_there_once) {
  TempFolder other;
  finish(1);
  finish(2);
  t.copy_files_to(other.path());
  archive();  // in the copy: copied, but not deleted
  t.close();
  fs::copy(t.folder.path() + "/history", other.path() + "/history", fs::copy_options::recursive);
  reopen(SqliteOptions(other.path()));
  EXPECT_EQ(t.counts().done, 2);
  archive();
  EXPECT_EQ(rows(other.path() + "/history/" + first_day + ".db"), "2");
  EXPECT_EQ(sql_value(other.path() + "/history/" + first_day + ".db", "SELECT count(*) FROM item_key"), "2");
  EXPECT_EQ(sql_value(other.path() + "/inbox.db", "SELECT count(*) FROM inbox"), "0");
  EXPECT_EQ(t.counts().done, 2);
  t.expect_balance();
  t.close();
}

TEST_F(SqliteHistory, without_history_what_is_finished_is_deleted_at_once) {
  SqliteOptions options = t.options();
  options.history = hours(0);
  reopen(options);
  const Seq seq = t.put(make_update(1, {"chat:1", "user:2"}));
  t.begin_one(seq);
  t.settle(settlement(seq, Kind::retry));
  t.begin_one(seq);
  t.settle(settlement(seq, Kind::done));
  archive();
  for (const char* table : {"inbox", "done", "failure", "further_key"})
    EXPECT_EQ(in_inbox(table), "0") << table;
  EXPECT_FALSE(fs::exists(t.folder.path() + "/history"));
  EXPECT_EQ(t.counts().done, 1);
}

TEST_F(SqliteHistory, P11_a_full_disk_stops_archiving_not_settling_and_is_logged_once) {
  const Seq seq = t.put(make_update(1));
  SqliteOptions options = t.options();
  options.reserve = std::uint64_t{1} << 60;
  reopen(options);
  t.begin_one(seq);
  EXPECT_TRUE(t.settle(settlement(seq, Kind::done)));
  archive();
  archive();
  EXPECT_EQ(in_inbox("done"), "1");
  EXPECT_EQ(logged("history_paused"), 1);
  reopen(t.options());
  archive();
  EXPECT_EQ(in_inbox("done"), "0");
  EXPECT_EQ(rows(day_file(first_day)), "1");
}

TEST_F(SqliteHistory, P11_above_max_history_the_oldest_days_go_first_and_then_the_oldest_items) {
  SqliteOptions options = t.options();
  options.max_history = 512 << 10;
  reopen(options);
  const auto fill = [&](std::int64_t first) {
    for (std::int64_t batch = 0; batch < 10; ++batch) {
      std::vector<Update> updates;
      for (std::int64_t i = 0; i < 100; ++i) {
        updates.push_back(make_update(first + batch * 100 + i));
        updates.back().raw += std::string(1000, ' ');
      }
      t.put(std::move(updates));
      std::vector<Settlement> settlements;
      for (const Item& item : t.begin(seqs_of(t.lease())))
        settlements.push_back(settlement(item.seq, Kind::done));
      t.settle(std::move(settlements));
    }
    archive();
  };
  fill(1);
  EXPECT_EQ(logged("history_trimmed"), 1) << "one day alone is too large";
  const std::string file = day_file(first_day);
  EXPECT_GT(std::stoi(rows(file)), 100);
  EXPECT_LT(std::stoi(rows(file)), 500);
  EXPECT_EQ(sql_value(file, "SELECT max(update_id) FROM item"), "1000") << "the last ones stay";
  EXPECT_EQ(sql_value(file, "SELECT count(*) FROM item_key"), rows(file));
  t.clock.advance(hours(24));
  fill(1001);
  EXPECT_FALSE(fs::exists(file));
  EXPECT_TRUE(fs::exists(day_file("2026-01-02")));
  EXPECT_EQ(logged("history_dropped"), 1);
  EXPECT_EQ(t.counts().done, 2000);
  t.expect_balance();
}

TEST_F(SqliteHistory, a_damaged_day_file_is_set_aside_and_nothing_waits_for_it) {
  finish(1);
  fs::create_directory(t.folder.path() + "/history");
  std::ofstream(day_file(first_day)) << std::string(9000, 'x');
  archive();
  EXPECT_EQ(logged("history_paused"), 1);
  EXPECT_EQ(in_inbox("done"), "1");
  archive();
  EXPECT_EQ(logged("history_continued"), 1);
  EXPECT_EQ(rows(day_file(first_day)), "1");
  EXPECT_TRUE(fs::exists(day_file(first_day) + ".damaged"));
  t.clock.advance(hours(24 * 4));
  archive();
  EXPECT_TRUE(fs::is_empty(t.folder.path() + "/history"));
}

TEST_F(SqliteHistory, P10_a_disk_that_fails_under_the_history_costs_no_update_and_nothing_for_good) {
  FailingVfs vfs;
  SqliteOptions options = t.options();
  options.vfs = FailingVfs::kName;
  reopen(options);
  finish(1);
  archive();
  std::int64_t id = 1;
  for (const auto fault : {Faults::Kind::sync_fails, Faults::Kind::write_fails, Faults::Kind::disk_full}) {
    for (int nth = 0; nth < 3; ++nth) {
      finish(++id);
      vfs.faults.start(fault, nth, Faults::Where::history);
      archive();
      finish(++id);
      archive();
      vfs.faults.stop();
      archive();
      EXPECT_EQ(in_inbox("done"), "0") << id;
      EXPECT_EQ(rows(day_file(first_day)), std::to_string(id));
    }
  }
  EXPECT_GE(logged("history_paused"), 3);
  EXPECT_EQ(logged("history_paused"), logged("history_continued"));
  EXPECT_EQ(t.counts().done, id);
  EXPECT_EQ(sql_value(day_file(first_day), "PRAGMA integrity_check"), "ok");
  t.expect_balance();
  t.close();
}

TEST_F(SqliteHistory, P11_many_finished_items_are_archived_without_being_asked_for) {
  for (std::int64_t batch = 0; batch < 30; ++batch) {
    std::vector<Update> updates;
    for (std::int64_t i = 1; i <= 100; ++i) updates.push_back(make_update(batch * 100 + i));
    t.put(std::move(updates));
    std::vector<Settlement> settlements;
    for (const Item& item : t.begin(seqs_of(t.lease())))
      settlements.push_back(settlement(item.seq, Kind::done));
    t.settle(std::move(settlements));
  }
  archive();  // whatever is left
  EXPECT_EQ(rows(day_file(first_day)), "3000");
  EXPECT_EQ(in_inbox("inbox"), "0");
  t.expect_balance();
}

TEST_F(SqliteHistory, the_stores_figures_say_what_it_holds) {
  finish(1);
  archive();
  reopen(t.options());
  const StoreStats stats = t.store->stats();
  EXPECT_GT(stats.file_bytes, 4096U);
  EXPECT_GT(stats.history_bytes, 4096U);
  EXPECT_GT(stats.disk_free.value_or(0), 0U);
  EXPECT_EQ(stats.reserve, 64U << 20);
  EXPECT_FALSE(stats.full);
  t.put(make_update(2));
  EXPECT_EQ(t.store->stats().commits.count(), 1U);
  SqliteOptions options = t.options();
  options.reserve = std::uint64_t{1} << 60;
  reopen(options);
  EXPECT_FALSE(test::run(t.io, t.store->put(updates_of({3}))));
  EXPECT_TRUE(t.store->stats().full);
}

TEST_F(SqliteHistory, a_pause_by_a_person_survives_a_restart) {
  sql_value(db(), "INSERT INTO meta VALUES ('paused_outbox', 1)");
  reopen(t.options());
  finish(1);
  reopen(t.options());
  EXPECT_EQ(sql_value(db(), "SELECT value FROM meta WHERE name='paused_outbox'"), "1");
}

}  // namespace
}  // namespace tgkeep::store
