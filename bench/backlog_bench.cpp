// bench_backlog make FOLDER COUNT KEYS: a store with COUNT pending updates of 1 KB that have KEYS different
// keys. bench_backlog start FOLDER API_ROOT: a Gateway on it whose handlers never end; prints a line at the
// first delivery and stops when its input ends.

#include <unistd.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tgkeep/gateway.hpp>
#include <tgkeep/sqlite_store.hpp>
#include <thread>

#include "loop/real_clock.hpp"

namespace {

using namespace tgkeep;

constexpr std::int64_t kBatch = 2000;
constexpr BotId kBot(123456);

asio::awaitable<void> fill(Store& store, WallTime now, std::int64_t count, std::int64_t keys) {
  const std::string text(700, 'x');
  for (std::int64_t first = 1; first <= count; first += kBatch) {
    std::vector<Update> updates;
    for (std::int64_t id = first; id < first + kBatch && id <= count; ++id) {
      Update& update = updates.emplace_back();
      const std::string chat = std::to_string(id % keys);
      update.bot = kBot;
      update.id = UpdateId(id);
      update.kind = "message";
      update.keys.emplace_back(kBot, "chat:" + chat);
      update.received = now;
      update.raw = R"({"update_id":)" + std::to_string(id) +
                   R"(,"message":{"message_id":1,"date":1790000000,)" + R"("chat":{"id":)" + chat +
                   R"(,"type":"private","first_name":"Test"},"from":{"id":)" + chat +
                   R"(,"is_bot":false,"first_name":"Test"},"text":")" + text + R"("}})";
    }
    auto put = co_await store.put(std::move(updates));
    put.value();
  }
}

int make(const std::string& folder, std::int64_t count, std::int64_t keys) {
  asio::io_context io(1);
  loop::RealClock clock(io.get_executor());
  auto store =
      store::open_sqlite_store(io.get_executor(), clock, store::SqliteOptions(folder), Log()).value();
  std::exception_ptr failure;
  asio::co_spawn(io, fill(*store, clock.wall(), count, keys), [&](std::exception_ptr f) { failure = f; });
  io.run();
  if (failure) std::rethrow_exception(failure);
  return 0;
}

asio::awaitable<Outcome> hold(Context) {
  static std::atomic<bool> first = true;
  if (first.exchange(false)) {
    std::puts("first");
    std::fflush(stdout);
  }
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer never(executor, asio::steady_timer::time_point::max());
  co_await never.async_wait(asio::use_awaitable);
  co_return Outcome::done();
}

int start(const std::string& folder, const std::string& api_root) {
  GatewayOptions options("123456:AAbenchbenchbenchbenchbenchbenchbenc");
  options.api_root = api_root;
  options.folder = folder;
  options.drain = std::chrono::seconds(0);
  options.log = stderr_log(LogLevel::error);
  Gateway gateway(options, hold);
  std::thread watcher([&gateway] {
    char byte = 0;
    while (::read(STDIN_FILENO, &byte, 1) > 0) {
    }
    gateway.stop();
  });
  const int code = gateway.run();
  watcher.join();
  return code == 1 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view verb = argc > 1 ? argv[1] : "";
  if (verb == "make" && argc == 5) return make(argv[2], std::atoll(argv[3]), std::atoll(argv[4]));
  if (verb == "start" && argc == 4) return start(argv[2], argv[3]);
  std::fputs("usage: bench_backlog make FOLDER COUNT KEYS | bench_backlog start FOLDER API_ROOT\n", stderr);
  return 2;
}
