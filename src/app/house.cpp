#include "app/house.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "app/face_options.hpp"
#include "app/reload_plan.hpp"
#include "app/reload_signal.hpp"
#include "app/stop_signals.hpp"
#include "app/wiring.hpp"
#include "rules/bounded.hpp"
#include "sink/pool_watch.hpp"
#include "words/exception_text.hpp"

namespace tgkeep::app {

namespace {

/// For requests whose update is just being stored, when everything else has ended.
constexpr Duration kLastRequests = std::chrono::milliseconds(400);

/// For answers to operators.
constexpr Duration kLastAnswers = std::chrono::milliseconds(100);

double seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

House::House(ProcessOptions process, std::vector<BotOptions> bots)
    : options_(std::move(process)),
      bots_(std::move(bots)),
      ending_(io_.get_executor()),
      last_(bots_.size()),
      asked_(io_.get_executor(), options_.log),
      watching_(io_.get_executor(), options_.log) {}

void House::build() {
  if (bots_.empty()) throw Failure(Error(Errc::bad_config, "the Gateway was given no bot"));
  options_.face = face_of(options_, bots_);
  plan_reload(options_, {}, Reconfiguration(options_, bots_), false).value();
  shared_ = std::make_unique<SharedRooms>(io_.get_executor(), options_, bots_);
  listener_ = std::make_unique<Listener>(options_.listen, shared_->clock(), options_.log);
  auto on_failed = [this](const Error& error) {
    fail(error);
    begin_stop("failed");
  };
  if (options_.face) {
    face_ = std::make_unique<FaceDoor>(*options_.face, shared_->clock(), options_.log);
  }
  fleet_ = std::make_unique<Fleet>(*shared_, *listener_, face_.get(), options_.log, std::move(on_failed));
  for (const BotOptions& bot : bots_) {
    fleet_->open(bot).value();
    numbers_.push_back(bot_of(bot).value());
    fleet_->route(numbers_.back());
  }
  reloader_ = std::make_unique<Reloader>(*shared_, *listener_, face_.get(), *fleet_, options_);
  auto stop_asked = [this] { begin_stop("asked"); };
  premises_ = std::make_unique<LivePremises>(*shared_, *fleet_, *reloader_, stopping_, std::move(stop_asked));
  door_ = std::make_unique<AdminDoor>(*premises_, options_.admin, options_.log);
  door_->open().value();
  if (listener_->is_needed()) listener_->open(io_.get_executor()).value();
  if (face_ != nullptr) face_->open(io_.get_executor()).value();
}

ExitCode House::run() {
  // First, as opening stores may take a while and the signal would end the process; it is heard on the loop.
  std::optional<ReloadSignal> reload;
  if (options_.signals) reload.emplace(io_, [this] { reloader_->ask_by_signal(); });
  try {
    build();
  } catch (const Failure& failure) {
    options_.log.error("start_failed",
                       {{"reason", to_string(failure.error().code())}, {"error", failure.error().text()}});
    fail(failure.error());
    return ExitCode::failed;
  }
  std::optional<StopSignals> signals;
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

void House::leave() {
  {
    const std::lock_guard lock(mutex_);
    running_ = false;
  }
  // Askers first: a handler that was cut off may be one, and its thread is joined next.
  finish_queued();
  shared_->join_handlers();
  // The ends of handlers that were cut off.
  finish_queued();
  door_.reset();
  premises_.reset();
  reloader_.reset();
  listener_.reset();
  face_.reset();
  fleet_->clear();
  fleet_.reset();
  shared_.reset();
}

void House::finish_queued() {
  io_.restart();
  io_.poll();
  while (asked_.size() > 0 && io_.run_one() > 0) {
  }
}

asio::awaitable<ExitCode> House::live() {
  watching_.spawn("pool", watch_pool());
  for (const BotId bot : numbers_) co_await fleet_->begin(bot);
  reloader_->open();
  co_await ending_.wait();
  co_await wind_down();
  if (failure()) co_return ExitCode::failed;
  if (cut_off() > 0) co_return ExitCode::cut_off;
  co_return ExitCode::stopped;
}

// There may be none yet: the first bot with a handler in this process may come with a reload.
asio::awaitable<void> House::watch_pool() {
  while (!shared_->has_pool()) co_await shared_->pool_opened().wait();
  co_await sink::watch_pool(shared_->clock(), shared_->pool(), options_.log);
}

void House::stop(std::optional<Duration> drain) {
  asio::post(io_, [this, drain] {
    if (drain) shorten(*drain);
    begin_stop("asked");
  });
}

void House::shorten(Duration drain) {
  if (!stopping_) {
    options_.drain = drain;
    return;
  }
  options_.drain = std::min(options_.drain, drain);
  fleet_->hurry(shared_->clock().mono() + rules::bounded(drain));
}

std::optional<Error> House::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::size_t House::cut_off() const {
  const std::lock_guard lock(mutex_);
  return cut_off_;
}

// The first failure is why; others follow from it.
void House::fail(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = error;
}

void House::begin_stop(std::string_view why) {
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

asio::awaitable<void> House::wind_down() {
  Duration drain = rules::bounded(options_.drain);
  if (failure()) drain = Duration(0);
  reloader_->close();
  const MonoTime until = shared_->clock().mono() + drain;
  co_await fleet_->wind_down(until);
  co_await reloader_->join();
  // Last, so that a drain can still be settled through it.
  co_await listener_->stop(kLastRequests);
  if (face_ != nullptr) {
    // Calls of bots that are under way may end as handlers may.
    const Duration left = until - shared_->clock().mono();
    co_await face_->stop(std::max(left, kLastRequests - FaceDoor::kLastAnswers));
  }
  co_await door_->stop(kLastAnswers);
  watching_.cancel();
  co_await watching_.join();
  co_await asked_.join();
  note_last_stats();
}

void House::note_last_stats() {
  std::vector<GatewayStats> last;
  for (const BotId bot : numbers_) last.push_back(fleet_->last_stats(bot));
  const std::lock_guard lock(mutex_);
  last_ = std::move(last);
  cut_off_ = fleet_->cut_off();
}

asio::awaitable<void> House::answer(std::size_t bot, std::shared_ptr<std::promise<GatewayStats>> asker) {
  GatewayStats stats = co_await fleet_->collect(numbers_[bot]);
  asker->set_value(std::move(stats));
}

asio::awaitable<void> House::answer_reload(ReloadAsker asker) {
  Result<Changes> changes = co_await reloader_->reload();
  asker->set_value(std::move(changes));
}

Result<Changes> House::reload() {
  if (io_.get_executor().running_in_this_thread()) {
    return Error(Errc::misuse,
                 "Gateway::reload was called on the loop's own thread, which would wait for itself");
  }
  auto asker = std::make_shared<std::promise<Result<Changes>>>();
  std::future<Result<Changes>> reply = asker->get_future();
  {
    const std::lock_guard lock(mutex_);
    if (!running_) return Error(Errc::misuse, "Gateway::reload was called while it does not run");
    asio::post(io_, [this, asker] { asked_.spawn("reload", answer_reload(asker)); });
  }
  return reply.get();
}

GatewayStats House::stats(std::size_t bot) {
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

std::vector<InFlight> House::snapshot(std::size_t bot) {
  const auto look = [this, bot] {
    BotLife* const life = fleet_->find(numbers_[bot]);
    return life == nullptr ? std::vector<InFlight>() : life->rooms().inbox().snapshot();
  };
  auto asker = std::make_shared<std::promise<std::vector<InFlight>>>();
  std::future<std::vector<InFlight>> reply = asker->get_future();
  {
    const std::lock_guard lock(mutex_);
    if (!running_ || bot >= last_.size()) return std::vector<InFlight>();
    if (io_.get_executor().running_in_this_thread()) return look();
    asio::post(io_, [look, asker] { asker->set_value(look()); });
  }
  return reply.get();
}

}  // namespace tgkeep::app
