#include "app/gateway_machine.hpp"

#include <mutex>
#include <utility>

namespace tgkeep::app {

namespace {

class GatewayMachine final : public Machine {
 public:
  GatewayMachine(GatewayOptions options, Handler handler) : options_(std::move(options)) {
    options_.signals = false;
    if (!handler) return;
    // The same one in every life: what it captured is not to start anew.
    auto shared = std::make_shared<const Handler>(std::move(handler));
    handler_ = [shared = std::move(shared)](const Context& context) { return (*shared)(context); };
  }

  void prepare() override {
    auto fresh = std::make_shared<Gateway>(options_, handler_);
    const std::lock_guard lock(mutex_);
    gateway_ = std::move(fresh);
  }

  LifeEnd live() override {
    const std::shared_ptr<Gateway> gateway = current();
    LifeEnd end;
    end.code = static_cast<ExitCode>(gateway->run());
    end.report.cut_off = gateway->cut_off();
    end.failure = gateway->failure();
    return end;
  }

  void stop(Duration drain) override {
    if (const auto gateway = current()) gateway->stop(drain);
  }
  std::vector<InFlight> snapshot() const override {
    const auto gateway = current();
    return gateway ? gateway->snapshot() : std::vector<InFlight>();
  }
  RunnerStats stats() const override {
    const auto gateway = current();
    return gateway ? gateway->stats().inbox : RunnerStats();
  }

 private:
  std::shared_ptr<Gateway> current() const {
    const std::lock_guard lock(mutex_);
    return gateway_;
  }

  GatewayOptions options_;
  Handler handler_;
  mutable std::mutex mutex_;
  std::shared_ptr<Gateway> gateway_;  // the last one
};

}  // namespace

std::unique_ptr<Machine> make_gateway_machine(GatewayOptions options, Handler handler) {
  return std::make_unique<GatewayMachine>(std::move(options), std::move(handler));
}

}  // namespace tgkeep::app
