// The files of a store from outside: read while it runs and when it does not, backed up, restored, checked.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fstream>

#include "browser_test.hpp"
#include "sql.hpp"

namespace tgkeep::store {
namespace {

namespace fs = std::filesystem;
using Kind = Settlement::Kind;

class SqliteFiles : public testing::Test {
 protected:
  SqliteFiles() : t(Backend::sqlite) {}

  /// One of each state, in inbox.db and in a day file.
  void fill() {
    std::vector<Call> calls;
    calls.emplace_back("sendMessage", R"({"chat_id":1,"text":"hello"})");
    t.finish(make_update(1, {"chat:1", "user:5"}), std::move(calls));
    archive_now(*t.store);
    t.finish(2);
    t.die(3);
    const Seq retrying = t.put(make_update(4, {"chat:1", "user:5"}));
    t.fail(retrying, "no luck");
    const Seq state = t.put(make_update(5));
    t.begin_one(state);
    Settlement done = settlement(state, Kind::done);
    done.state.emplace_back("session", "user:5", "five");
    t.settle(std::move(done));
    t.put(make_update(6));
  }
  std::string db() const { return t.folder.path() + "/inbox.db"; }
  std::string day_file() const {
    for (const auto& file : fs::directory_iterator(t.folder.path() + "/history")) {
      if (file.path().extension() == ".db") return file.path().string();
    }
    return "";
  }
  std::vector<Seq> all_of(StoreBrowser& browser, Queue queue = Queue::inbox) {
    return t.seqs(test::run(t.io, browser.find(ItemFilter(queue), Seq(), 1000, false, false)).value().items);
  }
  StoreCheck check(const std::string& folder) {
    const Result<StoreCheck> checked = check_sqlite_store(folder, {});
    if (!checked) throw std::runtime_error(checked.error().text());
    return *checked;
  }
  static std::string told(const StoreCheck& check) {
    std::string text;
    for (const StoreFinding& finding : check.findings)
      text += finding.file + " " + finding.table + " " +
              (finding.seq ? std::to_string(finding.seq->value()) : "-") + ": " + finding.what + "\n";
    return text;
  }

  BrowserUnderTest t;
  TempFolder other;
};

TEST_F(SqliteFiles, a_reader_shows_the_same_beside_the_owner_and_without_one) {
  fill();
  const std::vector<Seq> inbox = all_of(t.browser());
  const std::vector<Seq> outbox = all_of(t.browser(), Queue::outbox);
  ASSERT_EQ(inbox.size(), 6U);
  const auto expect_same = [&](const std::string& folder) {
    const auto reader = t.reader(folder);
    EXPECT_EQ(all_of(reader->browser()), inbox);
    EXPECT_EQ(all_of(reader->browser(), Queue::outbox), outbox);
    EXPECT_EQ(test::run(t.io, reader->counts()).value().inbox.stored, 6);
    EXPECT_EQ(test::run(t.io, reader->browser().trace(UpdateId(1))).value().at(0).calls.size(), 1U);
    EXPECT_EQ(test::run(t.io, reader->browser().state(BotId(7), "session", "user:5")).value(), "five");
    EXPECT_TRUE(test::run(t.io, reader->browser().audit()));
    EXPECT_GT(reader->stats().file_bytes, 0U);
    EXPECT_GT(reader->stats().history_bytes, 0U);
  };
  expect_same(t.folder.path());
  t.copy_files_to(other.path());  // as a killed process leaves them
  fs::copy(t.folder.path() + "/history", other.path() + "/history", fs::copy_options::recursive);
  expect_same(other.path());
  t.close();
  expect_same(t.folder.path());
  t.reopen();
  EXPECT_EQ(all_of(t.browser()), inbox) << "and the owner comes back";
}

TEST_F(SqliteFiles, a_reader_changes_nothing_and_says_who_can) {
  const Seq dead = t.die(1);
  const auto reader = t.reader();
  StoreBrowser& browser = reader->browser();
  const Error refused = test::run(t.io, browser.retry(Queue::inbox, dead)).error();
  EXPECT_EQ(refused.code(), Errc::misuse);
  EXPECT_NE(refused.text().find("admin door"), std::string::npos) << refused.text();
  EXPECT_FALSE(test::run(t.io, browser.drop(Queue::inbox, {dead}, "x")));
  EXPECT_FALSE(test::run(t.io, browser.replay({dead}, true)));
  EXPECT_FALSE(test::run(t.io, browser.set_paused(Queue::inbox, true)));
  EXPECT_FALSE(test::run(t.io, browser.erase(EraseRequest())));
  EXPECT_FALSE(test::run(t.io, browser.paused(Queue::inbox)).value());
  EXPECT_EQ(open_sqlite_reader(t.io.get_executor(), t.clock, other.path()).error().code(),
            Errc::store_unusable);
  EXPECT_TRUE(fs::is_empty(other.path()));
}

TEST_F(SqliteFiles, P5_a_finished_update_is_replayed_as_a_new_run_once_unless_forced) {
  const Seq first = t.finish(1);
  t.put(make_update(2));
  const Seq again = t.replay(first).as;
  EXPECT_EQ(t.counts().stored, 3);
  EXPECT_EQ(t.replay(first).skipped, "waiting");
  EXPECT_EQ(t.replay(again).skipped, "waiting");
  EXPECT_EQ(t.replay(first, true).skipped, "waiting") << "it will be handled in any case";
  const Item item = t.begin_one(again);
  EXPECT_EQ(item.run, 1U);
  EXPECT_EQ(item.body, make_update(1).raw);
  EXPECT_EQ(item.received, make_update(1).received);
  t.settle(settlement(again, Kind::done));
  archive_now(*t.store);
  EXPECT_EQ(t.replay(first).skipped, "replayed");
  EXPECT_EQ(t.replay(again).skipped, "replayed") << "it is that replay";
  const Seq forced = t.replay(first, true).as;
  EXPECT_EQ(t.begin_one(forced).run, 2U);
  t.settle(settlement(forced, Kind::done));
  EXPECT_EQ(t.trace(1).size(), 3U);
  EXPECT_TRUE(t.put(updates_of({1}))[0].duplicate);
  t.expect_balance();
  t.reopen();
  t.expect_balance();
}

TEST_F(SqliteFiles, a_damaged_update_is_shown_as_such_and_not_replayed) {
  const Seq seq = t.finish(1);
  archive_now(*t.store);
  t.close();
  sql_value(day_file(), "UPDATE item SET body=replace(body, 'hello', 'hallo')");
  t.reopen();
  const StoredItem item = t.find().at(0);
  EXPECT_NE(item.corrupt.find("table item"), std::string::npos) << item.corrupt;
  EXPECT_NE(item.corrupt.find(day_file()), std::string::npos) << item.corrupt;
  EXPECT_EQ(t.replay(seq, true).skipped, "corrupt");
  EXPECT_EQ(t.counts().pending, 0);
}

TEST_F(SqliteFiles, what_the_archiver_moves_between_finding_and_erasing_it_is_counted_once) {
  t.finish(make_update(1));
  std::atomic<int> asked = 0;
  // On the reading thread: its row has been read and is on its way.
  const auto erased = t.erase([&](const StoredItem& item) {
    if (asked++ == 0) archive_now(*t.store);
    return item.update_id == UpdateId(1);
  });
  ASSERT_TRUE(erased);
  EXPECT_EQ(erased->finished, 1);
  EXPECT_EQ(erased->waiting, 0);
  EXPECT_TRUE(t.trace(1).empty());
  t.expect_balance();
}

TEST_F(SqliteFiles, the_bytes_of_what_is_erased_are_in_no_file) {
  const auto secret = [](std::int64_t id) {
    Update update = make_update(id, {"chat:1"});
    update.raw = R"({"update_id":)" + std::to_string(id) + R"(,"message":{"text":"my secret is pomegranate)" +
                 std::string(6000, 'x') + "\"}}";
    return update;
  };
  for (std::int64_t id = 1; id <= 20; ++id) t.put(make_update(1000 + id));
  for (std::int64_t id = 1; id <= 10; ++id) t.finish(secret(id));
  archive_now(*t.store);
  for (std::int64_t id = 11; id <= 20; ++id) t.finish(secret(id));
  const Seq dead = t.put(secret(21));
  t.begin_one(dead);
  t.settle(dead_settlement(dead, "attempts"));
  t.put(secret(22));
  const Seq stated = t.put(make_update(23));
  t.begin_one(stated);
  Settlement done = settlement(stated, Kind::done);
  done.state.emplace_back("session", "user:5", "likes pomegranate");
  t.settle(std::move(done));
  EXPECT_FALSE(files_with(t.folder.path(), "pomegranate").empty());
  const auto concerned = [](const StoredItem& item) {
    return item.body.find("pomegranate") != std::string::npos;
  };
  const Result<Erased> erased = t.erase(concerned, {"user:5"});
  ASSERT_TRUE(erased) << erased.error().text();
  EXPECT_EQ(erased->waiting, 2);
  EXPECT_EQ(erased->finished, 20);
  EXPECT_EQ(erased->state, 1);
  EXPECT_EQ(files_with(t.folder.path(), "pomegranate"), std::vector<std::string>());
  EXPECT_EQ(t.counts().pending, 20) << "the others are still there";
  t.expect_balance();
  t.reopen();
  t.expect_balance();
  EXPECT_EQ(files_with(t.folder.path(), "pomegranate"), std::vector<std::string>());
}

TEST_F(SqliteFiles, P2_P8_a_backup_of_a_running_store_is_the_store_at_one_instant) {
  fill();
  const std::vector<Seq> before = all_of(t.browser());
  const std::string backup = other.path() + "/backup";
  std::uint64_t told = 0;
  const Result<BackupReport> report = t.backup(backup, [&](std::uint64_t done, std::uint64_t all) {
    EXPECT_LE(done, all);
    ++told;
  });
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_GT(told, 2U);
  EXPECT_GT(report->bytes, 0U);
  const Seq later = t.put(make_update(100));
  EXPECT_EQ(t.backup(backup).error().code(), Errc::misuse) << "it exists";
  EXPECT_TRUE(check(backup).findings.empty()) << this->told(check(backup));

  const std::string restored = other.path() + "/restored";
  const Result<RestoreReport> done = restore_sqlite_store(backup, restored, {});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->commits, report->commits);
  EXPECT_FALSE(fs::exists(restored + ".restoring"));
  EXPECT_TRUE(check(restored).findings.empty()) << this->told(check(restored));
  t.close();
  t.store = t.open(SqliteOptions(restored)).value();
  EXPECT_EQ(all_of(t.browser()), before);
  EXPECT_TRUE(t.put(updates_of({6}))[0].duplicate) << "what was stored then stays known";
  EXPECT_EQ(t.put(make_update(100)), later) << "what came after the backup was not in it";
  EXPECT_EQ(t.state("session", "user:5"), "five");
  t.expect_balance();
}

TEST_F(SqliteFiles, P7_nobody_dies_for_a_restore) {
  const Seq suspect = t.put(make_update(1));
  t.begin_one(suspect, Queue::inbox, Mark::solo);
  ASSERT_TRUE(t.backup(other.path() + "/backup"));
  t.close();
  ASSERT_TRUE(restore_sqlite_store(other.path() + "/backup", other.path() + "/restored", {}));
  t.store = t.open(SqliteOptions(other.path() + "/restored")).value();
  EXPECT_TRUE(t.counts().dead.empty());
  EXPECT_EQ(t.begin_one(suspect).crashes, 1U);
}

TEST_F(SqliteFiles, a_backup_killed_at_any_point_looks_like_none) {
  fill();
  t.close();
  const std::string backup = other.path() + "/backup";
  bool complete = false;
  int kills = 0;
  for (int point = 1; !complete; ++point) {
    const pid_t child = ::fork();
    if (child == 0) {
      asio::io_context io;
      loop::VirtualClock clock;
      const auto reader = open_sqlite_reader(io.get_executor(), clock, t.folder.path());
      int told = 0;
      const Progress killer = [&told, point](std::uint64_t, std::uint64_t) {
        if (++told == point) ::kill(::getpid(), SIGKILL);
      };
      const bool made = reader && test::run(io, (*reader)->browser().backup(backup, killer)).has_value();
      ::_exit(made ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    complete = WIFEXITED(status);
    if (complete) {
      EXPECT_EQ(WEXITSTATUS(status), 0) << "the partial folders before it were no obstacle";
      break;
    }
    ++kills;
    if (fs::exists(backup)) {
      // The last thing that is told is that all is done.
      EXPECT_TRUE(restore_sqlite_store(backup, other.path() + "/restored", {}));
      fs::remove_all(backup);
      fs::remove_all(other.path() + "/restored");
      continue;
    }
    if (fs::exists(backup + ".partial/manifest.json")) continue;  // complete, but for its name
    const auto refused = restore_sqlite_store(backup + ".partial", other.path() + "/restored", {});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("manifest.json"), std::string::npos) << refused.error().text();
    EXPECT_FALSE(fs::exists(other.path() + "/restored"));
  }
  EXPECT_GT(kills, 3);
  EXPECT_FALSE(fs::exists(backup + ".partial"));
  EXPECT_TRUE(restore_sqlite_store(backup, other.path() + "/restored", {}));
}

TEST_F(SqliteFiles, an_altered_or_incomplete_backup_is_refused_by_the_name_of_the_file) {
  fill();
  const std::string backup = other.path() + "/backup";
  ASSERT_TRUE(t.backup(backup));
  const std::string day = "history/" + fs::path(day_file()).filename().string();
  const auto refused = [&](const std::string& name) {
    const auto result = restore_sqlite_store(backup, other.path() + "/restored", {});
    EXPECT_FALSE(result);
    if (result) return;
    EXPECT_EQ(result.error().code(), Errc::corrupt);
    EXPECT_NE(result.error().text().find(name), std::string::npos) << result.error().text();
    EXPECT_FALSE(fs::exists(other.path() + "/restored"));
    EXPECT_FALSE(fs::exists(other.path() + "/restored.restoring"));
  };
  for (const std::string& name : {std::string("inbox.db"), day, std::string("manifest.json")}) {
    const std::string path = backup + "/" + name;
    fs::copy_file(path, other.path() + "/kept", fs::copy_options::overwrite_existing);
    {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(100);
      const char letter = static_cast<char>(file.get());
      file.seekp(100);
      file.put(static_cast<char>(letter ^ 1));
    }
    refused(name);
    fs::remove(path);
    refused(name);
    fs::copy_file(other.path() + "/kept", path);
  }
  std::ofstream(other.path() + "/file") << "x";
  EXPECT_EQ(restore_sqlite_store(backup, other.path(), {}).error().code(), Errc::misuse) << "not empty";
  EXPECT_TRUE(restore_sqlite_store(backup, other.path() + "/restored", {}));
}

TEST_F(SqliteFiles, checking_needs_the_store_for_itself_and_finds_nothing_in_a_good_one) {
  fill();
  const Error locked = check_sqlite_store(t.folder.path(), {}).error();
  EXPECT_EQ(locked.code(), Errc::store_locked);
  EXPECT_NE(locked.text().find("backup"), std::string::npos) << locked.text();
  t.close();
  const StoreCheck good = check(t.folder.path());
  EXPECT_TRUE(good.findings.empty()) << told(good);
  EXPECT_EQ(good.files, 3U) << "inbox.db, a day file, the side file";
  EXPECT_GT(good.rows, 10U);
  EXPECT_EQ(check_sqlite_store(other.path(), {}).error().code(), Errc::store_unusable);
}

class Flip {
 public:
  Flip(std::string table, std::string sql, bool day = false)
      : table(std::move(table)), sql(std::move(sql)), day(day) {}
  std::string table;  ///< that the finding names
  std::string sql;
  bool day;
};

TEST_F(SqliteFiles, a_flipped_bit_is_found_in_each_table) {
  fill();
  const Seq flying = t.put(make_update(50, {"chat:1", "user:5"}));
  t.begin_one(flying);
  t.close();
  const std::string good = other.path() + "/good";
  fs::copy(t.folder.path(), good, fs::copy_options::recursive);
  const std::string day = fs::path(day_file()).filename().string();
  for (const Flip& flip : {
           Flip("inbox", "UPDATE inbox SET body=body || ' ' WHERE update_id=6"),
           Flip("inbox", "UPDATE inbox SET attempts=attempts+1 WHERE update_id=4"),
           Flip("outbox", "UPDATE outbox SET kind='sendMessagf'"),
           Flip("dead", "UPDATE dead SET died=died+1"),
           Flip("dead", "UPDATE dead SET reason='attempty'"),
           Flip("seen", "UPDATE seen SET at=at+1 WHERE update_id=3"),
           Flip("state", "UPDATE state SET bytes=CAST('fivf' AS BLOB)"),
           Flip("done", "UPDATE done SET ended=ended+1"),
           Flip("total", "UPDATE total SET value=value+1 WHERE name='stored' AND queue=0"),
           Flip("total", "UPDATE total SET value=value+2 WHERE name='pending' AND queue=0"),
           Flip("further_key", "UPDATE further_key SET key_hash=key_hash+1"),
           Flip("flight", "UPDATE flight SET seq=seq+64"),
           Flip("flight", "UPDATE flight SET epoch=epoch+512"),
           Flip("failure", "UPDATE failure SET seq=seq+64"),
           Flip("meta", "UPDATE meta SET value=1 WHERE name='inbox_seq'"),
           Flip("", "UPDATE meta SET value=value-1 WHERE name='commits'"),
           Flip("", "UPDATE meta SET value=value+1 WHERE name='store_id'"),
           Flip("item", "UPDATE item SET body=body || ' '", true),
           Flip("item", "UPDATE item SET starts=starts+1", true),
           Flip("item", "UPDATE item SET ended=ended+86400000", true),
           Flip("item_key", "UPDATE item_key SET seq=seq+64", true),
       }) {
    fs::remove_all(t.folder.path());
    fs::copy(good, t.folder.path(), fs::copy_options::recursive);
    const std::string file = flip.day ? t.folder.path() + "/history/" + day : db();
    sql_value(file, flip.sql);
    const StoreCheck found = check(t.folder.path());
    const bool named = std::ranges::any_of(found.findings, [&](const StoreFinding& finding) {
      const bool right_file =
          flip.table.empty() ? finding.file.ends_with("inbox.commits") : finding.file == file;
      return finding.table == flip.table && right_file && !finding.what.empty() && !finding.remedy.empty();
    });
    EXPECT_TRUE(named) << flip.sql << "\n" << told(found);
  }
}

TEST_F(SqliteFiles, a_file_that_is_no_database_is_named) {
  fill();
  t.close();
  std::ofstream(day_file(), std::ios::binary) << std::string(8192, 'x');
  const StoreCheck found = check(t.folder.path());
  ASSERT_FALSE(found.findings.empty());
  EXPECT_EQ(found.findings[0].file, day_file());
  EXPECT_NE(found.findings[0].remedy.find("move the file away"), std::string::npos);
  t.reopen();
  const auto page = test::run(t.io, t.browser().find(ItemFilter(), Seq(), 10, false, false));
  ASSERT_FALSE(page);
  EXPECT_NE(page.error().text().find(day_file()), std::string::npos) << page.error().text();
}

}  // namespace
}  // namespace tgkeep::store
