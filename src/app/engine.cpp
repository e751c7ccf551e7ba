#include "app/engine.hpp"

#include <string>
#include <utility>

#include "rules/bounded.hpp"
#include "words/exception_text.hpp"

namespace tgkeep {

namespace {

app::LifeEnd live(app::Machine& machine) {
  try {
    return machine.live();
  } catch (const Failure& failure) {
    return app::LifeEnd(failure.error());
  } catch (...) {
    const std::string what = words::text_of(std::current_exception());
    return app::LifeEnd(Error(Errc::misuse, "the run was ended by an exception: " + what));
  }
}

}  // namespace

RunnerHandle::Engine::Engine(std::unique_ptr<app::Machine> machine) : machine_(std::move(machine)) {}

RunnerHandle::Engine::~Engine() {
  stop(Duration::zero());
  if (thread_.joinable()) thread_.join();
}

void RunnerHandle::Engine::start() {
  const std::lock_guard lock(mutex_);
  if (runs()) return;
  if (thread_.joinable()) thread_.join();  // it is past its last lock
  machine_->prepare();
  auto life = std::make_shared<Life>();
  thread_ = std::thread([this, life] { run(life); });
  life_ = std::move(life);
  watch_signals();
}

void RunnerHandle::Engine::run(const std::shared_ptr<Life>& life) {
  app::LifeEnd end = live(*machine_);
  {
    const std::lock_guard lock(mutex_);
    signals_.reset();
    life->end = std::move(end);
    life->is_over = true;
  }
  ended_.notify_all();
}

void RunnerHandle::Engine::begin_stop(Duration drain) {
  const std::lock_guard lock(mutex_);
  if (runs()) machine_->stop(rules::bounded(drain));
}

StopReport RunnerHandle::Engine::stop(Duration drain) {
  std::unique_lock lock(mutex_);
  const std::shared_ptr<Life> life = life_;
  if (!life) return StopReport();
  if (!life->is_over) machine_->stop(rules::bounded(drain));
  ended_.wait(lock, [&life] { return life->is_over; });
  return life->end.report;
}

ExitCode RunnerHandle::Engine::wait() {
  std::unique_lock lock(mutex_);
  const std::shared_ptr<Life> life = life_;
  if (!life) return ExitCode::stopped;
  ended_.wait(lock, [&life] { return life->is_over; });
  return life->end.code;
}

std::optional<Error> RunnerHandle::Engine::failure() const {
  const std::lock_guard lock(mutex_);
  if (!life_ || !life_->is_over) return std::nullopt;
  return life_->end.failure;
}

bool RunnerHandle::Engine::is_running() const {
  const std::lock_guard lock(mutex_);
  return runs();
}

void RunnerHandle::Engine::stop_on_signals(Duration drain) {
  const std::lock_guard lock(mutex_);
  signal_drain_ = rules::bounded(drain);
  watch_signals();
}

void RunnerHandle::Engine::watch_signals() {
  if (!signal_drain_ || !runs()) return;
  signals_.reset();
  // Without the lock: whoever lets the watch go holds it and waits for this.
  signals_ = std::make_unique<app::SignalWatch>(
      [machine = machine_.get(), drain = *signal_drain_] { machine->stop(drain); });
}

}  // namespace tgkeep
