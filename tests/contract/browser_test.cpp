#include "browser_test.hpp"

#include <boost/asio/co_spawn.hpp>
#include <fstream>
#include <sstream>

namespace tgkeep::store {

std::vector<StoredItem> BrowserUnderTest::find(const ItemFilter& filter) {
  return test::run(io, browser().find(filter, Seq(), 1000, false, true)).value().items;
}

std::vector<ItemTrace> BrowserUnderTest::trace(std::int64_t id) {
  return test::run(io, browser().trace(UpdateId(id))).value();
}

std::vector<bool> BrowserUnderTest::drop(std::vector<Seq> seqs, Queue queue, std::string by) {
  return test::run(io, browser().drop(queue, std::move(seqs), std::move(by))).value();
}

Replayed BrowserUnderTest::replay(Seq seq, bool force) {
  std::vector<Seq> seqs{seq};
  return test::run(io, browser().replay(std::move(seqs), force)).value().at(0);
}

Result<Erased> BrowserUnderTest::erase(std::function<bool(const StoredItem&)> concerns,
                                       std::vector<std::string> keys) {
  EraseRequest request;
  request.concerns = std::move(concerns);
  request.state_keys = std::move(keys);
  std::optional<Result<Erased>> result;
  asio::co_spawn(io, browser().erase(std::move(request)),
                 [&result](const std::exception_ptr&, Result<Erased> erased) { result = std::move(erased); });
  // A slow disk makes it wait for the archiver by the clock.
  for (int turn = 1; !result; ++turn) {
    counts();
    if (turn % 2000 == 0) clock.advance(std::chrono::milliseconds(250));
  }
  return *result;
}

Result<BackupReport> BrowserUnderTest::backup(const std::string& to, Progress progress) {
  return test::run(io, browser().backup(to, std::move(progress)));
}

Seq BrowserUnderTest::finish(Update update, std::vector<Call> calls) {
  const Seq seq = put(std::move(update));
  begin_one(seq);
  Settlement done = settlement(seq, Settlement::Kind::done);
  done.calls = std::move(calls);
  settle(std::move(done));
  return seq;
}

Seq BrowserUnderTest::die(std::int64_t id, const std::string& reason) {
  const Seq seq = put(make_update(id));
  begin_one(seq);
  settle(dead_settlement(seq, reason));
  return seq;
}

void BrowserUnderTest::fail(Seq seq, const std::string& error, Queue queue) {
  begin_one(seq, queue);
  Settlement retry = settlement(seq, Settlement::Kind::retry, queue);
  retry.error = error;
  settle(std::move(retry));
}

std::unique_ptr<SqliteReader> BrowserUnderTest::reader(const std::string& of) {
  auto opened = open_sqlite_reader(io.get_executor(), clock, of.empty() ? folder.path() : of);
  if (!opened) throw std::runtime_error(opened.error().text());
  return std::move(*opened);
}

std::vector<Seq> BrowserUnderTest::seqs(const std::vector<StoredItem>& items) {
  std::vector<Seq> seqs;
  for (const StoredItem& item : items) seqs.push_back(item.seq);
  return seqs;
}

std::vector<std::string> files_with(const std::string& folder, const std::string& bytes) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    if (content.str().find(bytes) != std::string::npos) found.push_back(entry.path().string());
  }
  return found;
}

}  // namespace tgkeep::store
