// A bot put together by hand, in two halves that know nothing of each other but the Store between them.
// TGKEEP_TOKEN=… ./04_two_runners
//
//   Telegram ─▶ Receiver ─put▶ Store ─lease▶ Worker ─▶ handler
//                                   ◀settle──
//
// The first half answers Telegram as fast as the disk is, whatever the second is doing. With another Store
// the halves could be two machines.

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <tgkeep/api_client.hpp>
#include <tgkeep/api_sink.hpp>
#include <tgkeep/gateway.hpp>
#include <tgkeep/handler_sink.hpp>
#include <tgkeep/long_poll.hpp>
#include <tgkeep/sqlite_store.hpp>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace tgkeep;
using namespace std::chrono_literals;

// The first half: receives, stores, and only then confirms to Telegram.
class Receiver {
 public:
  Receiver(asio::io_context& io, Clock& clock, Api& api, Store& store, BotId bot, const Log& log)
      : io_(io), source_(source::make_long_poll(clock, api, store, source::LongPollOptions(bot), log)) {}
  // `on_broken`: the store takes nothing any more, so nothing can be received safely.
  void start(std::function<void()> on_broken) {
    auto on_end = [on_broken = std::move(on_broken)](const std::exception_ptr&, const Result<void>& ended) {
      if (ended.has_error()) on_broken();
    };
    asio::co_spawn(io_, source_->run(), asio::bind_cancellation_slot(cancel_.slot(), std::move(on_end)));
  }
  void stop() { cancel_.emit(asio::cancellation_type::terminal); }

 private:
  asio::io_context& io_;
  std::unique_ptr<Source> source_;
  asio::cancellation_signal cancel_;
};

// The second half: takes updates from the store and handles them; takes the calls they left and makes them.
class Worker {
 public:
  Worker(asio::io_context& io, Clock& clock, Api& api, Store& store, Handler handler, const Log& log) {
    const auto loop = io.get_executor();
    handler_sink_ = sink::make_handler_sink(loop, pool_, std::move(handler));
    api_sink_ = sink::make_api_sink([&api](BotId) { return &api; }, log);
    inbox_ = make_runner(loop, clock, store, Queue::inbox, *handler_sink_, RunnerOptions(), log);
    outbox_ = make_runner(loop, clock, store, Queue::outbox, *api_sink_, RunnerOptions(), log);
  }
  void start() {
    outbox_->start();
    inbox_->start();
  }
  // Lets what runs finish; what does not is handed over again at the next start.
  asio::awaitable<void> stop(Duration drain) {
    co_await inbox_->stop(drain);
    co_await outbox_->stop(drain);
  }

 private:
  sink::HandlerPool pool_;
  std::unique_ptr<Sink> handler_sink_;
  std::unique_ptr<Sink> api_sink_;
  std::unique_ptr<Runner> inbox_;
  std::unique_ptr<Runner> outbox_;
};

asio::awaitable<Outcome> echo(Context update) {
  const json::value body = json::parse(std::string(update.raw()));
  if (update.kind() == "message" && body.at("message").as_object().contains("text")) {
    const json::value& message = body.at("message");
    const json::value answer = {{"chat_id", message.at("chat").at("id")}, {"text", message.at("text")}};
    update.leave("sendMessage", json::serialize(answer));
  }
  co_return Outcome::done();
}

int main() {
  const GatewayOptions from = GatewayOptions::from_environment();
  const Log log = stderr_log();
  try {
    ApiOptions telegram(from.token);
    telegram.root = from.api_root;
    const BotId bot = bot_of(telegram).value();

    asio::io_context io;
    const auto clock = make_real_clock(io.get_executor());
    const auto api = make_api(io.get_executor(), telegram).value();
    const auto store =
        store::open_sqlite_store(io.get_executor(), *clock, store::SqliteOptions(from.folder), log).value();

    Worker worker(io, *clock, *api, *store, echo, log);
    Receiver receiver(io, *clock, *api, *store, bot, log);
    asio::signal_set signals(io, SIGINT, SIGTERM);
    bool broken = false;
    const auto wind_down = [&] {
      receiver.stop();
      asio::co_spawn(io, worker.stop(30s), asio::detached);
      signals.cancel();
    };
    signals.async_wait([&](const boost::system::error_code& cancelled, int) {
      if (!cancelled) wind_down();
    });
    worker.start();
    receiver.start([&] {
      broken = true;
      wind_down();
    });
    io.run();  // until both halves have ended
    return broken ? 1 : 0;
  } catch (const Failure& failure) {
    log.error("failed", {{"error", failure.error().text()}});
    return 1;
  }
}
