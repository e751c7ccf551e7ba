#include "runner/direct_runner.hpp"

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <boost/assert.hpp>
#include <map>
#include <optional>

#include "rules/bounded.hpp"
#include "runner/report.hpp"

namespace tgkeep {

DirectOptions DirectOptions::sequential() {
  return concurrent(1);
}

DirectOptions DirectOptions::batch(std::size_t limit) {
  DirectOptions options = concurrent(limit);
  options.in_batches = true;
  return options;
}

DirectOptions DirectOptions::concurrent(std::size_t limit) {
  DirectOptions options;
  options.limit = limit;
  return options;
}

std::unique_ptr<Runner> make_direct_runner(asio::any_io_executor loop, Clock& clock, UpdateSupplier supplier,
                                           Sink& sink, DirectOptions options, Log log) {
  if (!supplier)
    throw Failure(Error(Errc::misuse, "make_direct_runner: the supplier is empty; give it a function"));
  return std::make_unique<runner::DirectRunner>(loop, clock, std::move(supplier), sink, std::move(options),
                                                std::move(log));
}

namespace runner {

namespace {

DirectOptions within_bounds(DirectOptions options) {
  for (std::size_t* const count : {&options.limit, &options.max_stuck, &options.max_waiting})
    *count = std::max<std::size_t>(*count, 1);
  options.timeout = rules::bounded(options.timeout);
  return options;
}

}  // namespace

DirectRunner::DirectRunner(const asio::any_io_executor& loop, Clock& clock, UpdateSupplier supplier,
                           Sink& sink, DirectOptions options, Log log)
    : loop_(loop),
      clock_(clock),
      supplier_(std::move(supplier)),
      sink_(sink),
      options_(within_bounds(std::move(options))),
      log_(std::move(log)),
      pacing_(options_.speed_traffic_balance, options_.max_pace),
      room_changed_(loop),
      one_ended_(loop),
      stopped_(loop),
      intake_(loop, log_),
      closer_(loop, log_) {}

DirectRunner::~DirectRunner() {
  BOOST_ASSERT_MSG(state_ == State::stopped, "stop a Runner before destroying it");
}

void DirectRunner::start() {
  if (state_ != State::stopped) return;
  state_ = State::running;
  intake_.spawn("take in", take_in());
  pump();
}

asio::awaitable<StopReport> DirectRunner::stop(Duration drain) {
  // A stop runs to its end, also when the caller is being cancelled.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  StopReport report;
  const MonoTime stop_by = clock_.mono() + rules::bounded(drain);
  if (state_ == State::stopping) {
    // The shorter drain counts.
    stop_by_ = std::min(stop_by_, stop_by);
    one_ended_.notify();
  }
  if (state_ == State::running) {
    state_ = State::stopping;
    stop_by_ = stop_by;
    intake_.cancel();
    co_await intake_.join();
    while (size() > 0 && clock_.mono() < stop_by_) co_await one_ended_.wait_until(clock_, stop_by_);
    co_await cut_off();
    report.cut_off = std::exchange(cut_off_, 0);
    report.waiting = line_.size() - report.cut_off;
    co_await dismiss_workers();
  }
  while (state_ != State::stopped) co_await stopped_.wait();
  co_await closer_.join();
  co_return report;
}

asio::awaitable<Result<void>> DirectRunner::wait() {
  while (state_ != State::stopped) co_await stopped_.wait();
  co_await closer_.join();
  co_return Result<void>();
}

asio::awaitable<void> DirectRunner::cut_off() {
  if (size() > 0) log_.warning("cut_off", {{"updates", size()}});
  for (Worker& worker : running_) worker.cut_off = true;
  for (Worker& worker : stuck_) worker.cut_off = true;
  while (size() > 0) {
    cancel_all(running_);
    cancel_all(stuck_);
    const MonoTime grace = clock_.mono() + kCancelGrace;
    while (size() > 0 && clock_.mono() < grace) co_await one_ended_.wait_until(clock_, grace);
  }
}

// A first cancellation asks a sink to end its handler, a second one not to wait for it any longer.
void DirectRunner::cancel_all(std::list<Worker>& workers) {
  std::vector<Worker*> all;
  for (Worker& worker : workers) all.push_back(&worker);
  for (Worker* const worker : all) {
    if (worker->delivery) worker->cancel();
  }
}

asio::awaitable<void> DirectRunner::dismiss_workers() {
  while (!idle_.empty() || pump_is_due_) {
    std::vector<Worker*> resting;
    for (Worker& worker : idle_) {
      if (worker.resting()) resting.push_back(&worker);
    }
    for (Worker* const worker : resting) worker->wake();
    if (!idle_.empty() || pump_is_due_) co_await one_ended_.wait();
  }
  timeout_.reset();
  paused_ = false;
  state_ = State::stopped;
  stopped_.notify();
}

std::vector<InFlight> DirectRunner::snapshot() const {
  std::vector<InFlight> all;
  const MonoTime mono = clock_.mono();
  for (const auto* const workers : {&stuck_, &running_}) {
    for (const Worker& worker : *workers) {
      all.push_back(show(*worker.delivery, mono - worker.since, worker.overdue));
    }
  }
  return all;
}

RunnerStats DirectRunner::stats() const {
  RunnerStats stats = stats_;
  stats.heads = line_.size();
  stats.running = size();
  stats.stuck = stuck_.size();
  stats.paused = paused_;
  stats.suspended = suspended_;
  return stats;
}

void DirectRunner::pause() {
  if (suspended_) return;
  suspended_ = true;
  log_.info("delivery_suspended", {{"running", size()}});
}

void DirectRunner::resume() {
  if (!suspended_) return;
  suspended_ = false;
  log_.info("delivery_unsuspended");
  room_changed_.notify();
  one_ended_.notify();
  if (may_start()) pump_later();
}

std::vector<BusyLane> DirectRunner::busy_lanes(std::size_t limit) const {
  const MonoTime mono = clock_.mono();
  std::map<Seq, Duration> running;
  for (const auto* const workers : {&stuck_, &running_}) {
    for (const Worker& worker : *workers) running.emplace(worker.delivery->item.seq, mono - worker.since);
  }
  const RunningFor running_for = [&running](Seq seq) -> std::optional<Duration> {
    const auto entry = running.find(seq);
    if (entry == running.end()) return std::nullopt;
    return entry->second;
  };
  return line_.busy_lanes(running_for, limit);
}

}  // namespace runner
}  // namespace tgkeep
