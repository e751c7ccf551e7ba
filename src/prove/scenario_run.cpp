#include "prove/scenario_run.hpp"

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <optional>
#include <tgkeep/sqlite_store.hpp>
#include <utility>

#include "loop/run_to_end.hpp"
#include "loop/virtual_clock.hpp"
#include "prove/history_check.hpp"

namespace tgkeep::prove {

namespace asio = boost::asio;
namespace fs = std::filesystem;

namespace {

Result<std::unique_ptr<Store>> open(asio::io_context& io, Clock& clock, const std::string& folder,
                                    const std::string& vfs, std::uint64_t reserve = 0) {
  store::SqliteOptions options(folder);
  options.vfs = vfs;
  options.reserve = reserve;
  return store::open_sqlite_store(io.get_executor(), clock, options, Log());
}

void copy_folder(const std::string& from, const std::string& to) {
  fs::remove_all(to);
  fs::create_directories(to);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(from)) {
    // The shared memory is rebuilt, the lock is a new one.
    const std::string name = fs::relative(entry.path(), from).string();
    if (name.ends_with("-shm") || name.ends_with(".lock")) continue;
    if (entry.is_directory()) {
      fs::create_directory(to + "/" + name);
    } else {
      fs::copy_file(entry.path(), to + "/" + name);
    }
  }
}

}  // namespace

Result<void> run_scenario(const Scenario& scenario, const std::string& folder, const std::string& vfs,
                          std::atomic<std::int64_t>& acknowledged,
                          const std::function<void()>& before_close) {
  asio::io_context io(1);
  loop::VirtualClock clock;
  auto store = open(io, clock, folder, vfs);
  if (!store) return store.error();
  for (const Step& step : scenario.steps()) {
    if (step.kind == Step::Kind::reopen) {
      store->reset();
      store = open(io, clock, folder, vfs);
      if (!store) return store.error();
    } else {
      const Result<void> done = loop::run_to_end(io, perform(**store, step));
      if (!done) return done;
    }
    ++acknowledged;
  }
  before_close();
  return {};
}

std::string check_rollback(const Scenario& scenario, const std::string& folder) {
  std::atomic<std::int64_t> acknowledged = 0;
  const Result<void> ran = run_scenario(scenario, folder, "", acknowledged);
  if (!ran) return ran.error().text();
  const std::string old = folder + "-old";
  copy_folder(folder, old);
  const Result<void> again = run_scenario(Scenario(1, 3), folder, "", acknowledged);
  if (!again) return again.error().text();
  fs::copy_file(old + "/inbox.db", folder + "/inbox.db", fs::copy_options::overwrite_existing);
  fs::remove(folder + "/inbox.db-wal");
  asio::io_context io(1);
  loop::VirtualClock clock;
  const auto store = open(io, clock, folder, "");
  return store ? "a store older than what it has acknowledged was opened" : "";
}

std::string check_reserve(const Scenario& scenario, const std::string& folder) {
  std::atomic<std::int64_t> acknowledged = 0;
  const Result<void> ran = run_scenario(scenario, folder, "", acknowledged);
  if (!ran) return ran.error().text();
  asio::io_context io(1);
  loop::VirtualClock clock;
  auto store = open(io, clock, folder, "", std::uint64_t{1} << 62);
  if (!store) return store.error().text();
  Step put(Step::Kind::put);
  put.updates.emplace_back();
  put.updates.back().bot = BotId(42);
  put.updates.back().id = UpdateId(1'000'000);
  const Result<void> taken = loop::run_to_end(io, perform(**store, put));
  if (taken) return "an update was taken although less than the reserve is free";
  const std::vector<Head> heads =
      loop::run_to_end(io, (*store)->lease(LeaseRequest(Queue::inbox, Seq(), 1))).value();
  Step begin(Step::Kind::begin);
  begin.seqs = {heads.front().seq};
  Step settle(Step::Kind::settle);
  settle.settlements.emplace_back(Queue::inbox, heads.front().seq, Settlement::Kind::done);
  for (const Step& step : {begin, settle}) {
    const Result<void> done = loop::run_to_end(io, perform(**store, step));
    if (!done) return "below the reserve, what was stored could not be settled: " + done.error().text();
  }
  return "";
}

// Comparing begins what waits: each attempt gets a copy of its own.
Finding examine(const Scenario& scenario, const std::string& folder, std::size_t low, std::size_t high) {
  Finding finding;
  const std::string copy = folder + "-examined";
  for (std::size_t steps = high + 1; steps-- > low;) {
    copy_folder(folder, copy);
    asio::io_context io(1);
    loop::VirtualClock clock;
    auto store = open(io, clock, copy, "");
    finding.opened = store.has_value();
    if (!store) {
      finding.error = store.error().text();
      break;
    }
    const auto expected = scenario.after(steps);
    // Before they are asked to change.
    const StoreCounts counts = expected->counts();
    std::string difference = loop::run_to_end(io, scenario.difference(**store, *expected));
    store->reset();
    if (difference.empty()) difference = history_difference(copy, counts.inbox.done + counts.outbox.done);
    finding.steps = steps;
    if (finding.difference.empty() || difference.empty()) finding.difference = difference;
    if (difference.empty()) break;
  }
  std::error_code ignored;
  fs::remove_all(copy, ignored);
  return finding;
}

}  // namespace tgkeep::prove
