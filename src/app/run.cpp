#include <tgkeep/run.hpp>
#include <utility>

#include "app/direct_machine.hpp"
#include "app/engine.hpp"
#include "app/gateway_machine.hpp"

namespace tgkeep {

RunnerHandle::RunnerHandle(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
RunnerHandle::RunnerHandle(RunnerHandle&&) noexcept = default;
RunnerHandle& RunnerHandle::operator=(RunnerHandle&&) noexcept = default;
RunnerHandle::~RunnerHandle() = default;

void RunnerHandle::start() {
  engine_->start();
}
void RunnerHandle::begin_stop(Duration drain) {
  engine_->begin_stop(drain);
}
StopReport RunnerHandle::stop(Duration drain) {
  return engine_->stop(drain);
}
ExitCode RunnerHandle::wait() {
  return engine_->wait();
}
std::optional<Error> RunnerHandle::failure() const {
  return engine_->failure();
}
bool RunnerHandle::is_running() const {
  return engine_->is_running();
}
std::size_t RunnerHandle::size() const {
  return engine_->machine().snapshot().size();
}
std::vector<InFlight> RunnerHandle::snapshot() const {
  return engine_->machine().snapshot();
}
RunnerStats RunnerHandle::stats() const {
  return engine_->machine().stats();
}
RunnerHandle& RunnerHandle::stop_on_signals(Duration drain) {
  engine_->stop_on_signals(drain);
  return *this;
}

namespace {

RunnerHandle started(std::unique_ptr<app::Machine> machine) {
  RunnerHandle handle(std::make_unique<RunnerHandle::Engine>(std::move(machine)));
  handle.start();
  return handle;
}

}  // namespace

RunnerHandle run(UpdateSupplier supplier, UpdateConsumer consumer, RunOptions options) {
  return started(app::make_direct_machine(std::move(supplier), std::move(consumer), std::move(options)));
}

RunnerHandle run(GatewayOptions options, Handler handler) {
  return started(app::make_gateway_machine(std::move(options), std::move(handler)));
}

}  // namespace tgkeep
