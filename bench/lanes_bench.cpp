// Lanes alone: enqueue, start and finish of updates with two keys out of 10⁴, as fast as they go.

#include <benchmark/benchmark.h>

#include <deque>
#include <random>
#include <vector>

#include "rules/lanes.hpp"

namespace {

using tgkeep::KeyHash;
using tgkeep::rules::Lanes;

std::vector<std::array<KeyHash, 2>> draw_keys(std::size_t count, std::int64_t distinct) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::int64_t> draw(0, distinct - 1);
  std::vector<std::array<KeyHash, 2>> keys(count);
  for (auto& pair : keys) {
    for (KeyHash& key : pair) {
      key = KeyHash(
          static_cast<std::int64_t>(static_cast<std::uint64_t>(draw(random)) * 0x9e3779b97f4a7c15ULL));
    }
  }
  return keys;
}

// `range(0)` updates are in the lanes at any time; each step adds one and ends the longest started.
void two_keys(benchmark::State& state) {
  const auto keys = draw_keys(1U << 16, 10'000);
  const auto in_flight = static_cast<std::size_t>(state.range(0));
  Lanes lanes;
  std::deque<Lanes::Slot> started;
  std::vector<Lanes::Slot> freed;
  std::size_t next = 0;
  const auto add = [&] {
    const Lanes::Added added = lanes.add(keys[next++ % keys.size()]);
    if (added.first) started.push_back(added.slot);
  };
  const auto end = [&] {
    freed.clear();
    lanes.remove(started.front(), freed);
    started.pop_front();
    started.insert(started.end(), freed.begin(), freed.end());
  };
  while (lanes.items() < in_flight) add();
  for (auto _ : state) {
    add();
    end();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(two_keys)->Arg(1)->Arg(500)->Arg(10'000)->Arg(100'000);

}  // namespace
