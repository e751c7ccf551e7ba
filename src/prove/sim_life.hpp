#pragma once
// One life of the simulated process: the production source, runners and sinks between the simulated Telegram
// and store.

#include <memory>
#include <tgkeep/handler_sink.hpp>
#include <tgkeep/runner.hpp>
#include <tgkeep/source.hpp>

#include "loop/task_group.hpp"
#include "prove/sim_api.hpp"
#include "prove/sim_store.hpp"
#include "prove/sim_telegram.hpp"
#include "source/webhook.hpp"

namespace tgkeep::prove {

class SimLife {
 public:
  SimLife(SimScene& scene, SimTelegram& telegram, std::shared_ptr<SimLifeFlag> flag, bool by_webhook,
          loop::Event& changed);
  SimLife(const SimLife&) = delete;
  SimLife& operator=(const SimLife&) = delete;

  void start();
  /// The store or the source can't go on.
  bool has_failed() const noexcept { return failed_; }
  SimStore& store() noexcept { return store_; }
  Runner& runner(Queue queue) noexcept { return queue == Queue::inbox ? *inbox_ : *outbox_; }
  /// Stops and joins everything; returns how many deliveries were cut off.
  asio::awaitable<std::size_t> wind_down(Duration drain);
  /// Stops the runner of updates and starts it again.
  asio::awaitable<std::size_t> restart_runner(Duration drain);

 private:
  std::unique_ptr<Source> make_source(SimScene& scene, bool by_webhook);
  asio::awaitable<void> receive();
  asio::awaitable<void> watch(Runner& runner);
  void fail();

  SimTelegram& telegram_;
  std::shared_ptr<SimLifeFlag> flag_;
  loop::Event& changed_;
  bool failed_ = false;
  SimStore store_;
  SimApi api_;
  sink::HandlerPool pool_;
  std::unique_ptr<Sink> handler_sink_;
  std::unique_ptr<Sink> api_sink_;
  std::unique_ptr<Runner> inbox_;
  std::unique_ptr<Runner> outbox_;
  source::Webhook* webhook_ = nullptr;
  std::unique_ptr<Source> source_;
  loop::TaskGroup receiving_;
  loop::TaskGroup watching_;
};

}  // namespace tgkeep::prove
