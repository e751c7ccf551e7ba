#include "app/rooms.hpp"

#include <tgkeep/api_sink.hpp>
#include <tgkeep/handler_sink.hpp>
#include <tgkeep/long_poll.hpp>
#include <tgkeep/memory_store.hpp>
#include <tgkeep/sqlite_store.hpp>
#include <tgkeep/transformer.hpp>

#include "app/face_options.hpp"
#include "app/wiring.hpp"
#include "telegram/api_client.hpp"

namespace tgkeep::app {

namespace {

std::unique_ptr<Api> make_api(http::Client& client, const BotOptions& options) {
  telegram::ApiClientOptions client_options(telegram::Token::parse(options.token).value());
  client_options.root = options.api_root;
  client_options.test_environment = options.test_environment;
  return telegram::make_api_client(client, client_options);
}

/// What handlers and the outbox call through; none when nothing is to be put around the calls.
std::unique_ptr<Api> make_line(Api& api, Clock& clock, const BotOptions& options) {
  if (options.transformers.empty()) return nullptr;
  return make_transformed_api(api, clock, options.transformers);
}

RunnerOptions outbox_options(const SharedRooms& shared, const BotOptions& options) {
  RunnerOptions outbox = options.outbox;
  outbox.log_deliveries = outbox.log_deliveries || options.log_updates;
  outbox.limit = shared.calls_at_once(options);
  return outbox;
}

std::shared_ptr<Store> open_store(SharedRooms& shared, const BotOptions& options, const Log& log) {
  if (options.in_memory) return store::make_memory_store(shared.loop(), shared.clock());
  return store::open_sqlite_store(shared.loop(), shared.clock(), sqlite_options(options), log).value();
}

}  // namespace

std::unique_ptr<Sink> Rooms::make_handler_sink(SharedRooms& shared, const BotOptions& options,
                                               const Log& log) {
  if (options.pull) return nullptr;
  if (!options.push) {
    sink::HandlerServices services;
    services.clock = &shared.clock();
    services.api = &calls();
    services.store = store_.get();
    return sink::make_handler_sink(shared.loop(), shared.pool(), options.handler, services);
  }
  auto push = sink::make_push_sink(shared.clock(), shared.push_client(), push_options(bot_, options), log);
  push_ = push.get();
  return push;
}

std::unique_ptr<face::Face> Rooms::make_face(SharedRooms& shared, const BotOptions& options, const Log& log) {
  if (!shared.face()) return nullptr;
  face::FaceServices services;
  services.clock = &shared.clock();
  services.store = store_.get();
  services.api_client = &shared.face_client();
  services.push_client = &shared.push_client();
  services.push_allowed = shared.push_allowed();
  services.is_own_place = [&shared](std::string_view address, std::uint16_t port) {
    return is_place_of(*shared.face(), address, port);
  };
  services.allow = [this](std::vector<std::string> kinds) { source_->allow(std::move(kinds)); };
  // With a webhook that is not ours to set nothing waits at Telegram but what it is about to deliver.
  const bool asks = !options.webhook || options.webhook->own;
  if (asks) services.drop_upstream = [this] { return source_->drop_pending(); };
  return face::make_face(shared.loop(), std::move(services), face_settings(*shared.face(), options), log)
      .value();
}

Sink& Rooms::inbox_sink(const BotOptions& options) {
  if (!options.pull) return *handler_sink_;
  if (face_ == nullptr) throw Failure(Error(Errc::bad_config, "a bot that pulls needs the face"));
  return face_->sink();
}

std::unique_ptr<Source> Rooms::make_source(SharedRooms& shared, const BotOptions& options, const Log& log) {
  if (!options.webhook) {
    return source::make_long_poll(shared.clock(), *api_, *store_, poll_options(bot_, options), log);
  }
  source::WebhookOptions checked = webhook_options(bot_, options);
  source::check_options(checked).value();
  auto webhook = source::make_webhook(shared.clock(), *api_, *store_, std::move(checked), log);
  webhook_ = webhook.get();
  return webhook;
}

Rooms::Rooms(SharedRooms& shared, const BotOptions& options, std::shared_ptr<Store> store, const Log& log)
    : bot_(bot_of(options).value()),
      api_(make_api(shared.api_client(), options)),
      line_(make_line(*api_, shared.clock(), options)),
      store_(store ? std::move(store) : open_store(shared, options, log)),
      source_(make_source(shared, options, log)),
      face_(make_face(shared, options, log)),
      handler_sink_(make_handler_sink(shared, options, log)),
      api_sink_(sink::make_api_sink(
          [api = &calls(), bot = bot_](BotId of) { return of == bot ? api : nullptr; }, log)),
      inbox_(make_runner(shared.loop(), shared.clock(), *store_, Queue::inbox, inbox_sink(options),
                         inbox_options(options), log)),
      outbox_(make_runner(shared.loop(), shared.clock(), *store_, Queue::outbox, *api_sink_,
                          outbox_options(shared, options), log)) {}

}  // namespace tgkeep::app
