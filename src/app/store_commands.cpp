#include "app/store_commands.hpp"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <tgkeep/sqlite_store.hpp>
#include <tgkeep/store_browser.hpp>

#include "app/line_format.hpp"
#include "loop/real_clock.hpp"
#include "loop/run_to_end.hpp"

namespace tgkeep::app {

namespace {

constexpr std::size_t kPage = 200;

int complain(const Error& error) {
  fmt::print(stderr, "tgkeep: {}\n", error.text());
  return 1;
}

/// Opens the store, runs one command on it and closes it.
int with_store(const BotOptions& options, const std::function<asio::awaitable<int>(Store&)>& command) {
  if (!std::filesystem::exists(options.folder)) {
    return complain(Error(Errc::store_unusable, "there is no folder " + options.folder +
                                                    "; name the bot's with --folder or TGKEEP_FOLDER"));
  }
  asio::io_context io(1);
  loop::RealClock clock(io.get_executor());
  store::SqliteOptions sqlite(options.folder);
  sqlite.reserve = options.reserve;
  const Log log = stderr_log(LogLevel::warning);
  Result<std::unique_ptr<Store>> opened = store::open_sqlite_store(io.get_executor(), clock, sqlite, log);
  if (opened.has_error()) return complain(opened.error());
  return loop::run_to_end(io, command(**opened));
}

std::string words(const std::map<std::string, std::int64_t>& by_word) {
  std::string text;
  for (const auto& [word, count] : by_word) text += fmt::format(" {}={}", word, count);
  return text.empty() ? " none" : text;
}

void print_queue(std::string_view name, const QueueCounts& counts) {
  fmt::print("{}: stored={} pending={} in_flight={} retrying={} held={} done={} duplicates={} in_doubt={}\n",
             name, counts.stored, counts.pending, counts.in_flight, counts.retrying, counts.held, counts.done,
             counts.duplicates, counts.in_doubt);
  fmt::print("  dead:{}\n  dropped:{}\n", words(counts.dead), words(counts.dropped));
}

asio::awaitable<int> counts_of(Store& store) {
  Result<StoreCounts> counts = co_await store.counts();
  if (counts.has_error()) co_return complain(counts.error());
  print_queue("inbox", counts->inbox);
  print_queue("outbox", counts->outbox);
  co_return 0;
}

void print_letter(const StoredItem& letter) {
  const std::string state = letter.reason.empty() ? "held" : letter.reason;
  fmt::print("{}\n", text_line(std::to_string(letter.seq.value()),
                               std::vector<LogField>{
                                   {"reason", state},
                                   {"update_id", letter.update_id.value()},
                                   {"kind", letter.kind},
                                   {"key", letter.keys.empty() ? "" : letter.keys.front()},
                                   {"attempts", letter.attempts},
                                   {"crashes", letter.crashes},
                                   {"error", letter.error},
                               }));
}

/// Calls `use` with each dead letter of the queue; the error ends it.
asio::awaitable<Result<void>> each_letter(StoreBrowser& browser, Queue queue,
                                          std::function<void(const StoredItem&)> use) {
  ItemFilter filter(queue);
  filter.states = {ItemState::dead, ItemState::held};
  std::optional<Seq> after = Seq();
  while (after) {
    Result<ItemPage> page = co_await browser.find(filter, *after, kPage, false, false);
    if (page.has_error()) co_return page.error();
    for (const StoredItem& letter : page->items) use(letter);
    after = page->next;
  }
  Result<void> success;
  co_return success;
}

asio::awaitable<int> list(Store& store, Queue queue) {
  std::size_t count = 0;
  std::function<void(const StoredItem&)> print = [&count](const StoredItem& letter) {
    print_letter(letter);
    ++count;
  };
  Result<void> listed = co_await each_letter(*store.browser(), queue, print);
  if (listed.has_error()) co_return complain(listed.error());
  fmt::print(stderr, "{} dead or held in the {}\n", count, to_string(queue));
  co_return 0;
}

asio::awaitable<int> retry(Store& store, Queue queue, std::vector<std::int64_t> seqs) {
  StoreBrowser& browser = *store.browser();
  if (seqs.empty()) {
    // Gathered first: a retried letter could die again and come by once more.
    std::function<void(const StoredItem&)> gather = [&seqs](const StoredItem& letter) {
      seqs.push_back(letter.seq.value());
    };
    Result<void> gathered = co_await each_letter(browser, queue, gather);
    if (gathered.has_error()) co_return complain(gathered.error());
  }
  int code = 0;
  for (const std::int64_t number : seqs) {
    const Seq seq(number);
    Result<Seq> moved = co_await browser.retry(queue, seq);
    if (moved.has_error()) {
      code = complain(moved.error());
      continue;
    }
    fmt::print("{} is {} now\n", number, moved->value());
  }
  co_return code;
}

}  // namespace

int print_counts(const BotOptions& options) {
  return with_store(options, counts_of);
}

int list_dead(const BotOptions& options, Queue queue) {
  return with_store(options, [queue](Store& store) { return list(store, queue); });
}

int retry_dead(const BotOptions& options, Queue queue, std::vector<std::int64_t> seqs) {
  return with_store(options, [queue, &seqs](Store& store) { return retry(store, queue, seqs); });
}

}  // namespace tgkeep::app
