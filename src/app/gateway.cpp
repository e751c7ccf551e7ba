#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstdlib>
#include <future>
#include <mutex>
#include <optional>
#include <tgkeep/gateway.hpp>

#include "app/bot_life.hpp"
#include "app/listener.hpp"
#include "app/reload_signal.hpp"
#include "app/shared_rooms.hpp"
#include "app/stop_signals.hpp"
#include "app/wiring.hpp"
#include "loop/event.hpp"
#include "loop/task_group.hpp"
#include "rules/bounded.hpp"
#include "sink/pool_watch.hpp"
#include "words/exception_text.hpp"

namespace tgkeep {

namespace {

/// What the outbox gets to end its calls even when the handlers used up the drain: a call that is cut off
/// would be in doubt.
constexpr Duration kLastCalls = std::chrono::seconds(1);
/// For requests whose update is just being stored, when everything else has ended.
constexpr Duration kLastRequests = std::chrono::seconds(1);

double seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

void check_bot(const BotOptions& bot) {
  if (!bot.handler && !bot.push) {
    throw Failure(Error(Errc::bad_config, "the Gateway was given an empty handler"));
  }
}

}  // namespace

class Gateway::House {
 public:
  House(ProcessOptions process, std::vector<BotOptions> bots)
      : options_(std::move(process)),
        bots_(std::move(bots)),
        ending_(io_.get_executor()),
        last_(bots_.size()),
        closing_(io_.get_executor(), options_.log),
        asked_(io_.get_executor(), options_.log),
        watching_(io_.get_executor(), options_.log) {}

  ExitCode run();
  void stop(std::optional<Duration> drain);
  GatewayStats stats(std::size_t bot);
  std::vector<InFlight> snapshot(std::size_t bot);
  std::optional<Error> failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
  }
  std::size_t cut_off() const {
    const std::lock_guard lock(mutex_);
    return cut_off_;
  }

 private:
  void build();
  void add_routes(app::BotLife& life);
  asio::awaitable<ExitCode> live();
  asio::awaitable<void> wind_down();
  asio::awaitable<void> wind_down_one(app::BotLife& life, MonoTime until);
  asio::awaitable<void> answer(std::size_t bot, std::shared_ptr<std::promise<GatewayStats>> asker);
  void begin_stop(std::string_view why);
  void fail(const Error& error);
  void shorten(Duration drain);
  void leave();
  void finish_queued();

  asio::io_context io_{1};
  ProcessOptions options_;
  std::vector<BotOptions> bots_;
  // Only while running.
  std::unique_ptr<app::SharedRooms> shared_;
  std::vector<std::unique_ptr<app::BotLife>> lives_;
  std::unique_ptr<app::Listener> listener_;

  loop::Event ending_;
  bool stopping_ = false;

  mutable std::mutex mutex_;  // of these:
  bool running_ = false;
  std::vector<GatewayStats> last_;
  std::optional<Error> failure_;
  std::size_t cut_off_ = 0;

  loop::TaskGroup closing_;
  loop::TaskGroup asked_;
  loop::TaskGroup watching_;
};

void Gateway::House::build() {
  if (bots_.empty()) throw Failure(Error(Errc::bad_config, "the Gateway was given no bot"));
  shared_ = std::make_unique<app::SharedRooms>(io_.get_executor(), options_, bots_);
  listener_ = std::make_unique<app::Listener>(options_.listen, shared_->clock(), options_.log);
  const auto on_failed = [this](const Error& error) {
    fail(error);
    begin_stop("failed");
  };
  for (const BotOptions& bot : bots_) {
    try {
      check_bot(bot);
      lives_.push_back(std::make_unique<app::BotLife>(*shared_, bot, options_.log, on_failed));
      add_routes(*lives_.back());
    } catch (const Failure& failure) {
      if (bot.name.empty()) throw;
      throw Failure(Error(failure.error().code(), "bot " + bot.name + ": " + failure.error().text()));
    }
  }
  if (listener_->is_needed()) listener_->open(io_.get_executor()).value();
}

void Gateway::House::add_routes(app::BotLife& life) {
  const BotOptions& options = life.options();
  app::Rooms& rooms = life.rooms();
  if (options.webhook) listener_->add_webhook(options.webhook->path, *rooms.webhook()).value();
  if (options.push && options.push->accept_202) {
    listener_->add_settlements(app::settle_prefix(rooms.bot(), options), *rooms.push());
  }
}

ExitCode Gateway::House::run() {
  // First, as opening stores may take a while and the signal would end the process; it is heard on the loop.
  std::optional<app::ReloadSignal> reload;
  if (options_.signals) reload.emplace(io_, [this] { listener_->reload(); });
  try {
    build();
  } catch (const Failure& failure) {
    options_.log.error("start_failed",
                       {{"reason", to_string(failure.error().code())}, {"error", failure.error().text()}});
    fail(failure.error());
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
  // Askers first: a handler that was cut off may be one, and its thread is joined next.
  finish_queued();
  shared_->join_handlers();
  // The ends of handlers that were cut off.
  finish_queued();
  listener_.reset();
  lives_.clear();
  shared_.reset();
}

void Gateway::House::finish_queued() {
  io_.restart();
  io_.poll();
  while (asked_.size() > 0 && io_.run_one() > 0) {
  }
}

asio::awaitable<ExitCode> Gateway::House::live() {
  if (shared_->has_pool()) {
    watching_.spawn("pool", sink::watch_pool(shared_->clock(), shared_->pool(), options_.log));
  }
  for (const auto& life : lives_) co_await life->begin();
  co_await ending_.wait();
  co_await wind_down();
  if (failure()) co_return ExitCode::failed;
  if (cut_off() > 0) co_return ExitCode::cut_off;
  co_return ExitCode::stopped;
}

void Gateway::House::stop(std::optional<Duration> drain) {
  asio::post(io_, [this, drain] {
    if (drain) shorten(*drain);
    begin_stop("asked");
  });
}

void Gateway::House::shorten(Duration drain) {
  if (!stopping_) {
    options_.drain = drain;
    return;
  }
  options_.drain = std::min(options_.drain, drain);
  const MonoTime until = shared_->clock().mono() + rules::bounded(drain);
  for (const auto& life : lives_) life->hurry(until);
}

// The first failure is why; others follow from it.
void Gateway::House::fail(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = error;
}

void Gateway::House::begin_stop(std::string_view why) {
  if (stopping_) return;
  stopping_ = true;
  options_.log.info("stopping", {{"why", why}, {"drain_s", failure() ? 0.0 : seconds(options_.drain)}});
  try {
    if (options_.on_stopping) options_.on_stopping();
  } catch (...) {
    options_.log.error("on_stopping_failed", {{"error", words::text_of(std::current_exception())}});
  }
  ending_.notify();
}

asio::awaitable<void> Gateway::House::wind_down() {
  Duration drain = rules::bounded(options_.drain);
  if (failure()) drain = Duration(0);
  const MonoTime until = shared_->clock().mono() + drain;
  for (const auto& life : lives_) closing_.spawn("wind_down", wind_down_one(*life, until));
  co_await closing_.join();
  // Last, so that a drain can still be settled through it.
  co_await listener_->stop(kLastRequests);
  watching_.cancel();
  co_await watching_.join();
  co_await asked_.join();
}

asio::awaitable<void> Gateway::House::wind_down_one(app::BotLife& life, MonoTime until) {
  const std::size_t cut_off = co_await life.wind_down(until, kLastCalls);
  const auto same = [&life](const auto& owned) { return owned.get() == &life; };
  const auto index = std::find_if(lives_.begin(), lives_.end(), same) - lives_.begin();
  const std::lock_guard lock(mutex_);
  cut_off_ += cut_off;
  last_[static_cast<std::size_t>(index)] = life.last_stats();
}

asio::awaitable<void> Gateway::House::answer(std::size_t bot,
                                             std::shared_ptr<std::promise<GatewayStats>> asker) {
  GatewayStats stats = co_await lives_[bot]->collect();
  asker->set_value(std::move(stats));
}

GatewayStats Gateway::House::stats(std::size_t bot) {
  if (io_.get_executor().running_in_this_thread()) {
    throw Failure(Error(Errc::misuse,
                        "Gateway::stats was called on the loop's own thread, which would wait for "
                        "itself: call it from a handler or another thread"));
  }
  auto asker = std::make_shared<std::promise<GatewayStats>>();
  std::future<GatewayStats> reply = asker->get_future();
  {
    const std::lock_guard lock(mutex_);
    if (bot >= last_.size()) return GatewayStats();
    if (!running_) return last_[bot];
    asio::post(io_, [this, bot, asker] { asked_.spawn("stats", answer(bot, asker)); });
  }
  return reply.get();
}

std::vector<InFlight> Gateway::House::snapshot(std::size_t bot) {
  auto asker = std::make_shared<std::promise<std::vector<InFlight>>>();
  std::future<std::vector<InFlight>> reply = asker->get_future();
  {
    const std::lock_guard lock(mutex_);
    if (!running_ || bot >= last_.size()) return std::vector<InFlight>();
    if (io_.get_executor().running_in_this_thread()) return lives_[bot]->rooms().inbox().snapshot();
    asio::post(io_, [this, bot, asker] { asker->set_value(lives_[bot]->rooms().inbox().snapshot()); });
  }
  return reply.get();
}

namespace {

std::vector<BotOptions> one_bot(BotOptions bot, Handler handler) {
  bot.handler = std::move(handler);
  std::vector<BotOptions> bots;
  bots.push_back(std::move(bot));
  return bots;
}

}  // namespace

Gateway::Gateway(GatewayOptions options, Handler handler)
    : house_(std::make_unique<House>(options, one_bot(options, std::move(handler)))) {}
Gateway::Gateway(ProcessOptions process, std::vector<BotOptions> bots)
    : house_(std::make_unique<House>(std::move(process), std::move(bots))) {}
Gateway::~Gateway() = default;

int Gateway::run() {
  return static_cast<int>(house_->run());
}
void Gateway::stop() {
  house_->stop(std::nullopt);
}
void Gateway::stop(Duration drain) {
  house_->stop(drain);
}
GatewayStats Gateway::stats(std::size_t bot) const {
  return house_->stats(bot);
}
std::vector<InFlight> Gateway::snapshot(std::size_t bot) const {
  return house_->snapshot(bot);
}
std::optional<Error> Gateway::failure() const {
  return house_->failure();
}
std::size_t Gateway::cut_off() const {
  return house_->cut_off();
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
