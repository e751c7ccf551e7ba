#include "runner/store_runner.hpp"

#include <algorithm>
#include <boost/assert.hpp>
#include <utility>

#include "rules/bounded.hpp"
#include "runner/report.hpp"

namespace tgkeep {

std::unique_ptr<Runner> make_runner(asio::any_io_executor loop, Clock& clock, Store& store, Queue queue,
                                    Sink& sink, RunnerOptions options, Log log) {
  return std::make_unique<runner::StoreRunner>(loop, clock, store, queue, sink, std::move(options),
                                               std::move(log));
}

namespace runner {

namespace {
// How long a cancelled delivery has to end by itself at a stop, before the runner no longer waits for it.
constexpr Duration kCancelGrace = std::chrono::milliseconds(500);

RunnerOptions within_bounds(RunnerOptions options) {
  options.limit = std::max<std::size_t>(options.limit, 1);
  for (Duration* const duration : {&options.timeout, &options.first_delay, &options.max_delay,
                                   &options.max_block, &options.suspect_window}) {
    *duration = rules::bounded(*duration);
  }
  return options;
}
}  // namespace

StoreRunner::StoreRunner(const asio::any_io_executor& loop, Clock& clock, Store& store, Queue queue,
                         Sink& sink, RunnerOptions options, Log log)
    : loop_(loop),
      clock_(clock),
      store_(store),
      queue_(queue),
      sink_(sink),
      options_(within_bounds(std::move(options))),
      log_(std::move(log)),
      dice_(options_.seed != 0 ? options_.seed : std::random_device{}()),
      lineup_(options_.max_heads, options_.max_heads_per_key, options_.suspect_after),
      suspects_(options_.suspect_window),
      target_(rules::TargetPolicy()),
      pump_wake_(loop),
      scan_wake_(loop),
      refill_wake_(loop),
      settle_wake_(loop),
      one_ended_(loop),
      stopped_(loop),
      loaders_(loop, log_),
      starter_(loop, log_),
      settler_(loop, log_) {
  retry_.first_delay = options_.first_delay;
  retry_.max_delay = options_.max_delay;
  retry_.max_attempts = options_.max_attempts;
  retry_.max_block = options_.max_block;
}

StoreRunner::~StoreRunner() {
  BOOST_ASSERT_MSG(running_.empty(), "stop a Runner before destroying it");
}

void StoreRunner::start() {
  if (state_ != State::stopped) return;
  state_ = State::running;
  closing_ = false;
  failure_.reset();
  left_over_ = endings_.size();
  loaders_.spawn("scan", scan());
  loaders_.spawn("refill", refill());
  starter_.spawn("pump", pump());
  settler_.spawn("settle", settle());
}

asio::awaitable<StopReport> StoreRunner::stop(Duration drain) {
  // A stop runs to its end, also when the caller is being cancelled: what it leaves behind would be in
  // flight.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  StopReport report;
  if (state_ == State::stopped) co_return report;
  if (state_ == State::stopping) {
    // The shorter drain counts.
    stop_by_ = std::min(stop_by_, clock_.mono() + rules::bounded(drain));
    one_ended_.notify();
    while (state_ == State::stopping) co_await stopped_.wait();
    co_return report;
  }
  state_ = State::stopping;
  stop_by_ = clock_.mono() + rules::bounded(drain);
  loaders_.cancel();
  pump_wake_.notify();
  co_await loaders_.join();
  // A begin may still be on its way: what it brings is given back, so the settler must still be there.
  co_await starter_.join();

  while (!running_.empty() && !failure_ && clock_.mono() < stop_by_)
    co_await one_ended_.wait_until(clock_, stop_by_);

  report.cut_off = running_.size();
  if (report.cut_off > 0)
    log_.warning("cut_off", {{"queue", to_string(queue_)}, {"deliveries", report.cut_off}});
  cancel_all();
  const MonoTime grace = clock_.mono() + kCancelGrace;
  while (!running_.empty() && clock_.mono() < grace) co_await one_ended_.wait_until(clock_, grace);
  // The second cancellation: a sink no longer waits for its handler.
  while (!running_.empty()) {
    cancel_all();
    const MonoTime next = clock_.mono() + kCancelGrace;
    co_await one_ended_.wait_until(clock_, next);
  }
  closing_ = true;
  settle_wake_.notify();
  co_await settler_.join();

  lineup_.clear();
  suspects_.clear();
  solo_.reset();
  target_.clear();
  still_.end(rules::StandStill::Cause::target, clock_.mono());
  probe_.reset();
  if (failure_) endings_.clear();
  paused_ = false;
  state_ = State::stopped;
  stopped_.notify();
  co_return report;
}

asio::awaitable<Result<void>> StoreRunner::wait() {
  while (state_ != State::stopped && !failure_) co_await stopped_.wait();
  if (failure_) co_return Result<void>(*failure_);
  co_return Result<void>();
}

void StoreRunner::cancel(Running& running) {
  if (running.started) running.cancel.emit(asio::cancellation_type::terminal);
}

void StoreRunner::cancel_all() {
  std::vector<Seq> seqs;
  for (const Running& running : running_) seqs.push_back(running.delivery->item.seq);
  for (const Seq seq : seqs) {
    const auto entry = running_by_seq_.find(seq);
    if (entry == running_by_seq_.end()) continue;
    entry->second->cut_off = true;
    cancel(*entry->second);
  }
}

std::vector<InFlight> StoreRunner::snapshot() const {
  std::vector<InFlight> all;
  const MonoTime mono = clock_.mono();
  for (const Running& running : running_) {
    all.push_back(show(*running.delivery, mono - running.since, running.overdue));
  }
  return all;
}

RunnerStats StoreRunner::stats() const {
  RunnerStats stats = stats_;
  stats.heads = lineup_.size();
  stats.running = running_.size();
  stats.stuck = running_.size() - active_;
  stats.paused = paused_;
  stats.target_paused = target_.paused();
  stats.suspended = suspended_;
  stats.flooded = lineup_.flooded();
  return stats;
}

void StoreRunner::pause() {
  if (suspended_) return;
  suspended_ = true;
  still_.begin(rules::StandStill::Cause::person, clock_.mono());
  log_.info("delivery_suspended", {{"queue", to_string(queue_)}, {"running", running_.size()}});
}

void StoreRunner::resume() {
  if (!suspended_) return;
  suspended_ = false;
  still_.end(rules::StandStill::Cause::person, clock_.mono());
  log_.info("delivery_unsuspended", {{"queue", to_string(queue_)}});
  pump_wake_.notify();
}

std::vector<BusyLane> StoreRunner::busy_lanes(std::size_t limit) const {
  const MonoTime mono = clock_.mono();
  const RunningFor running = [this, mono](Seq seq) -> std::optional<Duration> {
    const auto entry = running_by_seq_.find(seq);
    if (entry == running_by_seq_.end()) return std::nullopt;
    return mono - entry->second->since;
  };
  return lineup_.busy_lanes(mono, running, limit);
}

}  // namespace runner
}  // namespace tgkeep
