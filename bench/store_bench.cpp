// One update's life in the SQLite store, put → begin → settle, with 1 to 256 putters waiting at once. Real
// files in a temp folder; 1 KB bodies. items_per_second counts whole lives.
#include <benchmark/benchmark.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <tgkeep/sqlite_store.hpp>

#include "loop/real_clock.hpp"

namespace tgkeep::store {
namespace {

constexpr std::int64_t kKeys = 1000;

Update update_of(std::int64_t id, const std::string& body) {
  Update update;
  update.bot = BotId(7);
  update.id = UpdateId(id);
  update.kind = "message";
  update.keys.emplace_back(BotId(7), "chat:" + std::to_string(id % kKeys));
  update.raw = body;
  return update;
}

class Work {
 public:
  Work(Store& store, std::int64_t& next, std::int64_t end, int batch)
      : store(store), next(next), end(end), batch(batch), body(1000, 'x') {}
  Store& store;
  std::int64_t& next;
  std::int64_t end;
  int batch;
  std::string body;
};

// One putter: puts a batch, begins it, settles it, and so on until all lives are over.
asio::awaitable<void> live(std::shared_ptr<Work> work) {
  while (work->next < work->end) {
    std::vector<Update> updates;
    for (int i = 0; i < work->batch && work->next < work->end; ++i) {
      updates.push_back(update_of(work->next++, work->body));
    }
    auto put = co_await work->store.put(std::move(updates));
    std::vector<Seq> seqs;
    for (const PutResult& result : put.value()) seqs.push_back(result.seq);
    auto items = co_await work->store.begin(Queue::inbox, std::move(seqs), Mark::shared);
    std::vector<Settlement> settlements;
    for (const Item& item : items.value()) {
      settlements.emplace_back(Queue::inbox, item.seq, Settlement::Kind::done);
    }
    auto settled = co_await work->store.settle(std::move(settlements));
    settled.value();
  }
}

void store_lives(benchmark::State& state) {
  std::string folder = (std::filesystem::temp_directory_path() / "tgkeep_bench_XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temp folder can be made");
  {
    asio::io_context io(1);
    loop::RealClock clock(io.get_executor());
    auto store = open_sqlite_store(io.get_executor(), clock, SqliteOptions(folder), Log()).value();
    std::int64_t next = 1;
    const std::int64_t lives = 200 * state.range(0) * state.range(1);
    for (auto _ : state) {
      const std::int64_t end = next + lives;
      for (std::int64_t putter = 0; putter < state.range(0); ++putter) {
        auto work = std::make_shared<Work>(*store, next, end, static_cast<int>(state.range(1)));
        asio::co_spawn(io, live(std::move(work)), asio::detached);
      }
      io.restart();
      io.run();
    }
    state.SetItemsProcessed(state.iterations() * lives);
  }
  std::filesystem::remove_all(folder);
}

BENCHMARK(store_lives)
    ->ArgNames({"putters", "batch"})
    ->Args({1, 1})
    ->Args({8, 1})
    ->Args({64, 1})
    ->Args({256, 1})
    ->Args({1, 100})
    ->Args({4, 100})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tgkeep::store
