// What one update costs on its way from a supplier to a consumer that does nothing: on the loop and on the
// pool, in the three modes, ordered by chat (10⁴ of them) and unordered.

#include <benchmark/benchmark.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <string>
#include <tgkeep/direct_runner.hpp>
#include <tgkeep/handler_sink.hpp>
#include <tgkeep/read_update.hpp>
#include <vector>

#include "bench/cpu_time.hpp"
#include "loop/real_clock.hpp"

namespace {

using namespace tgkeep;

constexpr std::size_t kUpdates = 20'000;
constexpr std::size_t kChats = 10'000;

enum Mode : std::int64_t { sequential, batch, concurrent };
enum Where : std::int64_t { on_loop, on_pool };

DirectOptions options_of(std::int64_t mode, bool ordered) {
  DirectOptions options = DirectOptions::concurrent();
  if (mode == sequential) options = DirectOptions::sequential();
  if (mode == batch) options = DirectOptions::batch();
  options.ordered = ordered;
  return options;
}

std::vector<Update> make_updates() {
  std::vector<Update> updates;
  updates.reserve(kUpdates);
  for (std::size_t i = 1; i <= kUpdates; ++i) {
    const std::string id = std::to_string(i);
    const std::string chat = std::to_string(1'000'000'000 + i * 7919 % kChats);
    updates.push_back(read_update(BotId(1), WallTime(std::chrono::hours(500'000)),
                                  R"({"update_id":)" + id + R"(,"message":{"message_id":)" + id +
                                      R"(,"date":1790000000,"chat":{"id":)" + chat +
                                      R"(,"type":"private"},"text":"hello"}})")
                          .value());
  }
  return updates;
}

/// Gives out what it has, as much as asked for, then ends the supply.
class Given {
 public:
  explicit Given(std::vector<Update> updates) : updates_(std::move(updates)) {}
  asio::awaitable<std::optional<std::vector<Update>>> supply(std::size_t limit) {
    std::optional<std::vector<Update>> given;
    const std::size_t count = std::min(limit, updates_.size() - next_);
    if (count == 0) co_return given;
    const auto from = updates_.begin() + static_cast<std::ptrdiff_t>(next_);
    given.emplace(std::make_move_iterator(from),
                  std::make_move_iterator(from + static_cast<std::ptrdiff_t>(count)));
    next_ += count;
    co_return given;
  }

 private:
  std::vector<Update> updates_;
  std::size_t next_ = 0;
};

asio::awaitable<void> ignore(Context) {
  co_return;
}

void run(benchmark::State& state) {
  sink::HandlerPool pool;
  double cpu = 0;
  for (auto _ : state) {
    asio::io_context io{1};
    loop::RealClock clock(io.get_executor());
    auto sink = state.range(0) == on_loop ? sink::make_loop_sink(ignore)
                                          : sink::make_consumer_sink(io.get_executor(), pool, ignore);
    Given given(make_updates());
    UpdateSupplier supplier = [&given](std::size_t limit) { return given.supply(limit); };
    auto runner = make_direct_runner(io.get_executor(), clock, supplier, *sink,
                                     options_of(state.range(1), state.range(2) != 0), Log());
    const double cpu_before = bench::cpu_seconds();
    const auto began = std::chrono::steady_clock::now();
    runner->start();
    io.run();
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    cpu += bench::cpu_seconds() - cpu_before;
    if (runner->stats().done != static_cast<std::int64_t>(kUpdates))
      state.SkipWithError("not all were handled");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kUpdates));
  const auto updates = static_cast<double>(state.iterations()) * static_cast<double>(kUpdates);
  state.counters["cpu_ns"] = 1e9 * cpu / updates;
}
BENCHMARK(run)
    ->ArgNames({"pool", "mode", "ordered"})
    ->ArgsProduct({{on_loop, on_pool}, {sequential, batch, concurrent}, {0, 1}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
