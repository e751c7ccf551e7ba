// A pipeline with no network and no store: counts the messages of each chat, up to 500 updates at once, those
// of one chat in their order. `./02_pipeline` counts a few of its own; `./02_pipeline - < updates.jsonl`
// reads one update a line.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/static_thread_pool.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <tgkeep/read_update.hpp>
#include <tgkeep/run.hpp>
#include <vector>

namespace asio = boost::asio;
using Batch = std::optional<std::vector<tgkeep::Update>>;

// Where updates come from. Lines are read on a thread of their own, since that may have to wait for them.
class Lines {
 public:
  explicit Lines(std::istream& input) : input_(input) {}

  // Not to be cancelled: a line that is being read can't be given back. A stop waits for it.
  asio::awaitable<Batch> supply(std::size_t limit) {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    asio::awaitable<Batch> reading = read(limit);
    co_return co_await asio::co_spawn(thread_, std::move(reading), asio::use_awaitable);
  }

 private:
  asio::awaitable<Batch> read(std::size_t limit) {
    const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    std::vector<tgkeep::Update> updates;
    std::string line;
    // At least one line; more only when they are there already.
    while (updates.size() < limit && (updates.empty() || input_.rdbuf()->in_avail() > 0) &&
           std::getline(input_, line)) {
      tgkeep::Result<tgkeep::Update> update = tgkeep::read_update(tgkeep::BotId(1), now, line);
      if (update) {
        updates.push_back(std::move(update).value());
      } else {
        std::cerr << "left out: " << update.error().text() << "\n";
      }
    }
    if (updates.empty()) co_return Batch();  // the end: what runs is finished, then the pipeline stops
    co_return Batch(std::move(updates));
  }

  std::istream& input_;
  asio::static_thread_pool thread_{1};
};

// Who takes them: called on several threads, never twice at a time for one chat.
class Counter {
 public:
  asio::awaitable<void> consume(tgkeep::Context update) {
    const std::string chat = update.item().keys.empty() ? "nobody" : update.item().keys.front();
    const std::lock_guard lock(mutex_);
    const int count = ++counts_[chat];
    std::cout << chat << " " << update.kind() << " " << count << std::endl;
    co_return;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int> counts_;
};

constexpr std::string_view kSamples =
    R"({"update_id":1,"message":{"message_id":1,"date":0,"chat":{"id":7,"type":"private"},"text":"one"}}
{"update_id":2,"message":{"message_id":1,"date":0,"chat":{"id":8,"type":"private"},"text":"other"}}
{"update_id":3,"edited_message":{"message_id":1,"date":0,"chat":{"id":7,"type":"private"},"text":"two"}}
)";

int main(int count, char** arguments) {
  std::ios::sync_with_stdio(false);
  std::istringstream samples{std::string(kSamples)};
  const bool from_input = count > 1 && std::string_view(arguments[1]) == "-";
  Lines lines(from_input ? std::cin : static_cast<std::istream&>(samples));
  Counter counter;
  tgkeep::RunnerHandle runner = tgkeep::run([&](std::size_t limit) { return lines.supply(limit); },
                                            [&](tgkeep::Context update) { return counter.consume(update); });
  return static_cast<int>(runner.wait());
}
