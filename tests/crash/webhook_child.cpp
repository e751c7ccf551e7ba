// A receiver that is to be killed: `webhook_child FOLDER` serves a webhook at /hook (secret: s3cret) that
// stores into SQLite, and says its port. Lines on stdin make the disk fail: `sync_fails N`, `disk_full N`,
// `none`; each is repeated on stdout when it holds. SIGTERM ends it with 0, a broken store with 1.

#include <signal.h>
#include <unistd.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdio>
#include <sstream>
#include <tgkeep/sqlite_store.hpp>

#include "contract/failing_vfs.hpp"
#include "http/server.hpp"
#include "loop/real_clock.hpp"
#include "loop/task_group.hpp"
#include "source/webhook.hpp"
#include "support/run.hpp"

namespace {

using namespace tgkeep;
using store::Faults;

void say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

class QuietTelegram final : public Api {
 public:
  asio::awaitable<ApiResult> call(ApiRequest) override {
    co_return std::string(R"({"url":"https://example.org/hook","pending_update_count":0})");
  }
};

asio::awaitable<void> obey(asio::posix::stream_descriptor& input, Faults& faults) {
  constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
  std::string text;
  for (;;) {
    const auto [failure, size] =
        co_await asio::async_read_until(input, asio::dynamic_buffer(text), '\n', kTuple);
    if (failure) co_return;
    std::istringstream line(text.substr(0, size));
    text.erase(0, size);
    std::string what;
    int after = 0;
    line >> what >> after;
    faults.stop();
    if (what == "sync_fails") faults.start(Faults::Kind::sync_fails, after);
    if (what == "disk_full") faults.start(Faults::Kind::disk_full, after);
    say(what);
  }
}

}  // namespace

int main(int, char** argv) {
  asio::io_context io{1};
  loop::RealClock clock(io.get_executor());
  const Log log([](LogLevel, std::string_view event, std::span<const LogField> fields) {
    std::string line(event);
    for (const LogField& field : fields) line += " " + std::string(field.name()) + "=" + field.value();
    std::fprintf(stderr, "%s\n", line.c_str());
  });
  store::FailingVfs vfs;
  store::SqliteOptions opening(argv[1]);
  opening.vfs = store::FailingVfs::kName;
  auto opened = store::open_sqlite_store(io.get_executor(), clock, opening, log);
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().text().c_str());
    return 2;
  }
  const std::unique_ptr<Store> store = std::move(opened.value());
  QuietTelegram telegram;
  source::WebhookOptions options(BotId(42));
  options.path = "/hook";
  options.secrets = {"s3cret"};
  options.retry_after = std::chrono::seconds(1);
  const auto webhook = source::make_webhook(clock, telegram, *store, options, log);

  asio::cancellation_signal stop;
  asio::signal_set signals(io, SIGTERM);
  signals.async_wait([&](const boost::system::error_code& failure, int) {
    if (!failure) stop.emit(asio::cancellation_type::terminal);
  });
  std::optional<Result<void>> ended;
  asio::co_spawn(
      io, webhook->run(),
      asio::bind_cancellation_slot(stop.slot(), [&](std::exception_ptr failure, Result<void> result) {
        if (failure) std::rethrow_exception(failure);
        ended = std::move(result);
      }));
  http::ServerOptions serving;
  serving.check_head = [&](const http::ServerRequest& head) { return webhook->check(head); };
  auto handler = [&](http::ServerRequest request) { return webhook->receive(std::move(request)); };
  const auto server = http::listen(io.get_executor(), serving, handler, log).value();
  asio::posix::stream_descriptor input(io, ::dup(STDIN_FILENO));
  loop::TaskGroup tasks(io.get_executor(), log);
  tasks.spawn("faults", obey(input, vfs.faults));

  say("port " + std::to_string(server->port()));
  while (!ended) io.run_one();
  test::run(io, server->stop(std::chrono::seconds(5)));
  tasks.cancel();
  test::run(io, tasks.join());
  signals.cancel();
  io.poll();
  return *ended ? 0 : 1;
}
