// What reading costs: one update (over all samples), and cutting an answer of getUpdates into updates.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "telegram/update_reader.hpp"

namespace {

using namespace tgkeep;

// As Telegram sends them: without spaces between the values.
std::string compact(const std::string& pretty) {
  std::string text;
  bool in_string = false;
  for (std::size_t i = 0; i < pretty.size(); ++i) {
    const char c = pretty[i];
    if (c == '"' && (i == 0 || pretty[i - 1] != '\\')) in_string = !in_string;
    if (in_string || (c != ' ' && c != '\n')) text += c;
  }
  return text;
}

const std::vector<std::string>& samples() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(TGKEEP_SOURCE_DIR "/botapi/samples")) {
      std::ifstream file(entry.path(), std::ios::binary);
      found.push_back(
          compact(std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>())));
      if (!telegram::read_update(BotId(1), WallTime{}, found.back())) std::abort();
    }
    return found;
  }();
  return all;
}

void read_update(benchmark::State& state) {
  std::size_t next = 0;
  std::int64_t bytes = 0;
  for (auto _ : state) {
    const std::string& raw = samples()[next];
    bytes += static_cast<std::int64_t>(raw.size());
    auto update = telegram::read_update(BotId(1), WallTime{}, raw);
    benchmark::DoNotOptimize(update);
    next = next + 1 == samples().size() ? 0 : next + 1;
  }
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(bytes);
}
BENCHMARK(read_update);

// 100 updates, the most one answer holds.
void cut_array(benchmark::State& state) {
  std::string answer = "[";
  for (std::size_t i = 0; i < 100; ++i) answer += (i == 0 ? "" : ",") + samples()[i % samples().size()];
  answer += "]";
  for (auto _ : state) {
    auto pieces = telegram::cut_array(answer);
    benchmark::DoNotOptimize(pieces);
  }
  state.SetItemsProcessed(state.iterations() * 100);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(answer.size()));
}
BENCHMARK(cut_array);

}  // namespace
