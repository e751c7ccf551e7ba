#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstdlib>
#include <future>
#include <mutex>
#include <tgkeep/gateway.hpp>

#include "app/rooms.hpp"
#include "app/stop_signals.hpp"
#include "loop/event.hpp"
#include "loop/task_group.hpp"

namespace tgkeep {

namespace {

/// What the outbox gets to end its calls even when the handlers used up the drain: a call that is cut off
/// would be in doubt.
constexpr Duration kLastCalls = std::chrono::seconds(1);

double seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::int64_t waiting(const QueueCounts& counts) {
  return counts.pending + counts.retrying + counts.in_flight;
}

std::int64_t total(const std::map<std::string, std::int64_t>& by_word) {
  std::int64_t sum = 0;
  for (const auto& [word, count] : by_word) sum += count;
  return sum;
}

std::string kinds(const std::optional<std::vector<std::string>>& allowed) {
  if (!allowed) return "as set before";
  if (allowed->empty()) return "the default kinds";
  std::string text;
  for (const std::string& kind : *allowed) text += (text.empty() ? "" : ",") + kind;
  return text;
}

}  // namespace

class Gateway::House {
 public:
  House(GatewayOptions options, Handler handler)
      : options_(std::move(options)),
        handler_(std::move(handler)),
        ending_(io_.get_executor()),
        receiving_(io_.get_executor(), options_.log),
        watching_(io_.get_executor(), options_.log),
        asked_(io_.get_executor(), options_.log) {}

  ExitCode run();
  void stop() {
    asio::post(io_, [this] { begin_stop("asked"); });
  }
  GatewayStats stats();

 private:
  asio::awaitable<ExitCode> live();
  asio::awaitable<void> announce();
  asio::awaitable<void> receive();
  asio::awaitable<void> watch(Runner& runner);
  asio::awaitable<std::size_t> wind_down();
  asio::awaitable<GatewayStats> collect();
  asio::awaitable<void> answer(std::shared_ptr<std::promise<GatewayStats>> asker);
  void begin_stop(std::string_view why);
  void fail(const Error& error);
  void leave();

  asio::io_context io_{1};
  GatewayOptions options_;
  Handler handler_;
  std::unique_ptr<app::Rooms> rooms_;  // only while running
  loop::Event ending_;
  bool stopping_ = false;
  bool failed_ = false;

  mutable std::mutex mutex_;
  bool running_ = false;  // by mutex_
  GatewayStats last_;     // by mutex_

  loop::TaskGroup receiving_;
  loop::TaskGroup watching_;
  loop::TaskGroup asked_;
};

ExitCode Gateway::House::run() {
  const Log& log = options_.log;
  try {
    if (!handler_) throw Failure(Error(Errc::bad_config, "the Gateway was given an empty handler"));
    rooms_ = std::make_unique<app::Rooms>(io_.get_executor(), options_, std::move(handler_));
  } catch (const Failure& failure) {
    log.error("start_failed",
              {{"reason", to_string(failure.error().code())}, {"error", failure.error().text()}});
    return ExitCode::failed;
  }
  std::optional<app::StopSignals> signals;
  if (options_.signals) signals.emplace(io_, [this](std::string_view signal) { begin_stop(signal); });
  {
    const std::lock_guard lock(mutex_);
    running_ = true;
  }

  std::optional<ExitCode> code;
  std::exception_ptr broken;
  asio::co_spawn(io_, live(), [&](const std::exception_ptr& failure, ExitCode ended) {
    broken = failure;
    code = ended;
  });
  while (!code && io_.run_one() > 0) {
  }
  leave();
  if (broken) std::rethrow_exception(broken);
  return code.value_or(ExitCode::failed);
}

void Gateway::House::leave() {
  {
    const std::lock_guard lock(mutex_);
    running_ = false;
  }
  rooms_->join_handlers();
  // What is still queued: the ends of handlers that were cut off, and askers for stats.
  io_.restart();
  io_.poll();
  while (asked_.size() > 0 && io_.run_one() > 0) {
  }
  rooms_.reset();
}

asio::awaitable<ExitCode> Gateway::House::live() {
  co_await announce();
  rooms_->outbox().start();
  rooms_->inbox().start();
  watching_.spawn("outbox", watch(rooms_->outbox()));
  watching_.spawn("inbox", watch(rooms_->inbox()));
  receiving_.spawn("source", receive());
  co_await ending_.wait();
  const std::size_t cut_off = co_await wind_down();
  if (failed_) co_return ExitCode::failed;
  if (cut_off > 0) co_return ExitCode::cut_off;
  co_return ExitCode::stopped;
}

asio::awaitable<void> Gateway::House::announce() {
  Result<StoreCounts> counts = co_await rooms_->store().counts();
  if (counts.has_error()) {
    fail(counts.error());
    co_return;
  }
  options_.log.info("started", {{"bot", rooms_->bot().value()},
                                {"api_root", options_.api_root},
                                {"folder", options_.in_memory ? "(memory)" : options_.folder},
                                {"allowed_updates", kinds(options_.allowed_updates)},
                                {"limit", options_.inbox.limit},
                                {"drain_s", seconds(options_.drain)},
                                {"epoch", rooms_->store().epoch().value()},
                                {"updates_waiting", waiting(counts->inbox)},
                                {"calls_waiting", waiting(counts->outbox)},
                                {"calls_held", counts->outbox.held},
                                {"dead", total(counts->inbox.dead) + total(counts->outbox.dead)}});
}

asio::awaitable<void> Gateway::House::receive() {
  Result<void> ended = co_await rooms_->source().run();
  if (ended.has_error()) fail(ended.error());
}

asio::awaitable<void> Gateway::House::watch(Runner& runner) {
  Result<void> ended = co_await runner.wait();
  if (ended.has_error()) fail(ended.error());
}

void Gateway::House::fail(const Error& error) {
  options_.log.error("failed", {{"reason", to_string(error.code())}, {"error", error.text()}});
  failed_ = true;
  begin_stop("failed");
}

void Gateway::House::begin_stop(std::string_view why) {
  if (stopping_) return;
  stopping_ = true;
  options_.log.info("stopping", {{"why", why}, {"drain_s", failed_ ? 0.0 : seconds(options_.drain)}});
  if (options_.on_stopping) options_.on_stopping();
  ending_.notify();
}

asio::awaitable<std::size_t> Gateway::House::wind_down() {
  Clock& clock = rooms_->clock();
  Duration drain = options_.drain;
  Duration last_calls = kLastCalls;
  if (failed_) drain = last_calls = Duration(0);
  const MonoTime until = clock.mono() + drain;

  receiving_.cancel();
  co_await receiving_.join();
  const Duration for_handlers = std::max(until - clock.mono(), Duration(0));
  const StopReport inbox = co_await rooms_->inbox().stop(for_handlers);
  const Duration for_calls = std::max(until - clock.mono(), last_calls);
  const StopReport outbox = co_await rooms_->outbox().stop(for_calls);
  co_await watching_.join();
  co_await asked_.join();

  GatewayStats stats = co_await collect();
  options_.log.info("stopped", {{"received", stats.source.received},
                                {"duplicates", stats.source.duplicates},
                                {"done", stats.inbox.done},
                                {"calls_sent", stats.outbox.done},
                                {"updates_waiting", waiting(stats.counts.inbox)},
                                {"calls_waiting", waiting(stats.counts.outbox)},
                                {"cut_off", inbox.cut_off + outbox.cut_off}});
  const std::lock_guard lock(mutex_);
  last_ = std::move(stats);
  co_return inbox.cut_off + outbox.cut_off;
}

asio::awaitable<GatewayStats> Gateway::House::collect() {
  GatewayStats stats;
  stats.source = rooms_->source().stats();
  stats.inbox = rooms_->inbox().stats();
  stats.outbox = rooms_->outbox().stats();
  Result<StoreCounts> counts = co_await rooms_->store().counts();
  if (counts.has_value()) stats.counts = *counts;
  co_return stats;
}

asio::awaitable<void> Gateway::House::answer(std::shared_ptr<std::promise<GatewayStats>> asker) {
  GatewayStats stats = co_await collect();
  asker->set_value(std::move(stats));
}

GatewayStats Gateway::House::stats() {
  auto asker = std::make_shared<std::promise<GatewayStats>>();
  std::future<GatewayStats> reply = asker->get_future();
  {
    const std::lock_guard lock(mutex_);
    if (!running_) return last_;
    asio::post(io_, [this, asker] { asked_.spawn("stats", answer(asker)); });
  }
  return reply.get();
}

Gateway::Gateway(GatewayOptions options, Handler handler)
    : house_(std::make_unique<House>(std::move(options), std::move(handler))) {}
Gateway::~Gateway() = default;

int Gateway::run() {
  return static_cast<int>(house_->run());
}
void Gateway::stop() {
  house_->stop();
}
GatewayStats Gateway::stats() const {
  return house_->stats();
}

GatewayOptions GatewayOptions::from_environment() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  GatewayOptions options(variable("TGKEEP_TOKEN"));
  if (const std::string root = variable("TGKEEP_API_ROOT"); !root.empty()) options.api_root = root;
  if (const std::string folder = variable("TGKEEP_FOLDER"); !folder.empty()) options.folder = folder;
  return options;
}

}  // namespace tgkeep
