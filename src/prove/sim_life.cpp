#include "prove/sim_life.hpp"

#include <tgkeep/api_sink.hpp>
#include <tgkeep/long_poll.hpp>
#include <utility>

#include "prove/sim_handler.hpp"

namespace tgkeep::prove {

SimLife::SimLife(SimScene& scene, SimTelegram& telegram, std::shared_ptr<SimLifeFlag> flag, bool by_webhook,
                 loop::Event& changed)
    : telegram_(telegram),
      flag_(std::move(flag)),
      changed_(changed),
      store_(scene, flag_),
      api_(scene, telegram, flag_),
      pool_(scene.io),
      handler_sink_(sink::make_handler_sink(scene.loop(), pool_, make_sim_handler(scene, flag_))),
      api_sink_(sink::make_api_sink([this](BotId) { return &api_; }, scene.log)),
      inbox_(make_runner(scene.loop(), scene.clock, store_, Queue::inbox, *handler_sink_, scene.options,
                         scene.log)),
      outbox_(make_runner(scene.loop(), scene.clock, store_, Queue::outbox, *api_sink_, scene.options,
                          scene.log)),
      source_(make_source(scene, by_webhook)),
      receiving_(scene.loop(), scene.log),
      watching_(scene.loop(), scene.log) {}

std::unique_ptr<Source> SimLife::make_source(SimScene& scene, bool by_webhook) {
  const BotId bot(42);
  if (!by_webhook) {
    source::LongPollOptions options(bot);
    options.timeout = std::chrono::seconds(scene.dice.between(1, 50));
    options.limit = static_cast<int>(scene.dice.between(1, 100));
    options.take_over = true;
    return source::make_long_poll(scene.clock, api_, store_, options, scene.log);
  }
  source::WebhookOptions options(bot);
  options.path = "/hook";
  options.secrets = {"s3cret"};
  options.registration.emplace("https://bot.example.org/hook");
  auto webhook = source::make_webhook(scene.clock, api_, store_, std::move(options), scene.log);
  webhook_ = webhook.get();
  return webhook;
}

void SimLife::start() {
  outbox_->start();
  inbox_->start();
  watching_.spawn("outbox", watch(*outbox_));
  watching_.spawn("inbox", watch(*inbox_));
  receiving_.spawn("source", receive());
  if (webhook_ == nullptr) return;
  http::ServerHandler handler = [webhook = webhook_](http::ServerRequest request) {
    return webhook->receive(std::move(request));
  };
  telegram_.open_door(SimDoor(flag_, std::move(handler)));
}

asio::awaitable<void> SimLife::receive() {
  const Result<void> ended = co_await source_->run();
  if (!ended) fail();
}

asio::awaitable<void> SimLife::watch(Runner& runner) {
  const Result<void> ended = co_await runner.wait();
  if (!ended) fail();
}

void SimLife::fail() {
  failed_ = true;
  changed_.notify();
}

asio::awaitable<std::size_t> SimLife::wind_down(Duration drain) {
  receiving_.cancel();
  co_await receiving_.join();
  co_await telegram_.close_door();
  const StopReport inbox = co_await inbox_->stop(drain);
  const StopReport outbox = co_await outbox_->stop(Duration::zero());
  co_await watching_.join();
  co_return inbox.cut_off + outbox.cut_off;
}

// Watched runners end their watch at a stop: there is a new one afterwards.
asio::awaitable<std::size_t> SimLife::restart_runner(Duration drain) {
  const StopReport report = co_await inbox_->stop(drain);
  ++flag_->session;
  inbox_->start();
  watching_.spawn("inbox", watch(*inbox_));
  co_return report.cut_off;
}

}  // namespace tgkeep::prove
