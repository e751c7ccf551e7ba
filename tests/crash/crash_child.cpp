// A pipeline that is to be killed: `crash_child FOLDER LOG UPDATES CHATS [POISON]` puts UPDATES updates of
// CHATS chats into a SQLite store (once), handles them 50 at a time and ends when all are settled. Each
// handled update leaves one call in the outbox and counts up its chat's state row, in the transaction of its
// settlement, and is handed out under the next number first. Handling update POISON ends the process. LOG
// gets a line per number, start and end, written at once.

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tgkeep/handouts.hpp>
#include <tgkeep/runner.hpp>
#include <tgkeep/sqlite_store.hpp>
#include <tgkeep/store_browser.hpp>

#include "loop/event.hpp"
#include "loop/real_clock.hpp"
#include "support/run.hpp"

namespace {

using namespace tgkeep;
using namespace std::chrono_literals;

class Work final : public Sink {
 public:
  Work(Clock& clock, Store& store, int log, std::int64_t poison, std::int64_t numbers)
      : clock_(clock), store_(store), log_(log), poison_(poison), numbers_(numbers) {}

  asio::awaitable<Outcome> deliver(std::shared_ptr<const Delivery> delivery) override {
    const Item& item = delivery->item;
    const std::int64_t number = ++numbers_;
    std::vector<Handout> handouts;
    handouts.emplace_back(PullId(number), item.seq, clock_.wall());
    const Result<void> noted = co_await store_.handouts()->note(std::move(handouts));
    if (!noted) std::abort();
    write("number " + std::to_string(number) + " " + std::to_string(item.seq.value()) + "\n");
    note("start", item);
    const std::string key = item.keys.at(0);
    const Duration takes = std::chrono::milliseconds(1 + item.update_id.value() % 7);
    co_await loop::sleep_for(clock_, takes);
    if (item.update_id.value() == poison_) std::abort();
    // Only this delivery writes its chat's row, and the one before it is settled: reading is safe.
    const auto before = co_await store_.browser()->state(item.bot, "handled", key);
    const std::int64_t count = before && *before ? std::stoll(**before) : 0;
    Outcome outcome = Outcome::done();
    outcome.state.emplace_back("handled", key, std::to_string(count + 1));
    outcome.calls.emplace_back("sendMessage", R"({"chat_id":)" + key.substr(5) + R"(,"text":"hi"})");
    note("end", item);
    co_return outcome;
  }

 private:
  void note(const char* what, const Item& item) {
    const std::string line = std::string(what) + " " + std::to_string(item.update_id.value()) + " " +
                             item.keys.at(0) + " " + std::to_string(item.attempt) + " " +
                             std::to_string(item.crashes) + "\n";
    write(line);
  }
  void write(const std::string& line) const {
    if (::write(log_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::abort();
  }
  Clock& clock_;
  Store& store_;
  int log_;
  std::int64_t poison_;
  std::int64_t numbers_;
};

std::vector<Update> make_updates(std::int64_t count, std::int64_t chats, WallTime now) {
  std::vector<Update> updates;
  for (std::int64_t id = 1; id <= count; ++id) {
    Update& update = updates.emplace_back();
    update.bot = BotId(42);
    update.id = UpdateId(id);
    update.kind = "message";
    update.keys.emplace_back(update.bot, "chat:" + std::to_string(id % chats));
    update.received = now;
    update.raw = R"({"update_id":)" + std::to_string(id) + "}";
  }
  return updates;
}

asio::awaitable<void> all_settled(Clock& clock, Store& store, Runner& runner) {
  for (;;) {
    const auto counts = co_await store.counts();
    const QueueCounts& inbox = counts.value().inbox;
    if (inbox.pending + inbox.in_flight + inbox.retrying == 0) co_return;
    if (!runner.is_running()) co_return;
    co_await loop::sleep_for(clock, 5ms);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const std::int64_t poison = argc > 5 ? std::atoll(argv[5]) : -1;
  const int log_file = ::open(argv[2], O_WRONLY | O_CREAT | O_APPEND, 0644);
  asio::io_context io;
  loop::RealClock clock(io.get_executor());
  const Log log([](LogLevel, std::string_view event, std::span<const LogField> fields) {
    std::string line(event);
    for (const LogField& field : fields) line += " " + std::string(field.name()) + "=" + field.value();
    std::fprintf(stderr, "%s\n", line.c_str());
  });
  auto opened = store::open_sqlite_store(io.get_executor(), clock, store::SqliteOptions(argv[1]), log);
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().text().c_str());
    return 1;
  }
  const std::unique_ptr<Store> store = std::move(opened.value());
  const std::string life = "life " + std::to_string(store->epoch().value()) + "\n";
  if (::write(log_file, life.data(), life.size()) < 0) return 1;
  const auto put =
      test::run(io, store->put(make_updates(std::atoll(argv[3]), std::atoll(argv[4]), clock.wall())));
  if (!put) return 1;

  const std::int64_t numbers = test::run(io, store->handouts()->last()).value().value();
  Work work(clock, *store, log_file, poison, numbers);
  RunnerOptions options;
  options.limit = 50;
  const auto runner = make_runner(io.get_executor(), clock, *store, Queue::inbox, work, options, log);
  runner->start();
  test::run(io, all_settled(clock, *store, *runner));
  const StopReport report = test::run(io, runner->stop(10s));
  return report.cut_off == 0 ? 0 : 3;
}
