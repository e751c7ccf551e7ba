#pragma once
// Builds the rooms of one bot and owns them.

#include <memory>
#include <tgkeep/api.hpp>
#include <tgkeep/bot_options.hpp>
#include <tgkeep/id.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/runner.hpp>
#include <tgkeep/sink.hpp>
#include <tgkeep/source.hpp>
#include <tgkeep/store.hpp>

#include "app/shared_rooms.hpp"
#include "face/face.hpp"
#include "sink/push_sink.hpp"
#include "source/webhook.hpp"

namespace tgkeep::app {

/// Everything on the loop's thread. Destroy it only when source and runners have ended.
class Rooms {
 public:
  /// In a store that is open already, or in the one of `options` when it is null. Throws Failure when an
  /// option is wrong or the store can't be opened.
  Rooms(SharedRooms& shared, const BotOptions& options, std::shared_ptr<Store> store, const Log& log);
  Store& store() { return *store_; }
  /// For the rooms that come after these.
  const std::shared_ptr<Store>& shared_store() const { return store_; }
  Source& source() { return *source_; }
  Runner& inbox() { return *inbox_; }
  Runner& outbox() { return *outbox_; }
  Runner& runner(Queue queue) { return queue == Queue::inbox ? *inbox_ : *outbox_; }
  BotId bot() const { return bot_; }
  /// Null when the bot polls.
  source::Webhook* webhook() { return webhook_; }
  /// Null when the bot's handler is in this process, or the bot pulls.
  sink::PushSink* push() { return push_; }
  /// Null when the process has none.
  face::Face* face() { return face_.get(); }

 private:
  std::unique_ptr<Sink> make_handler_sink(SharedRooms& shared, const BotOptions& options, const Log& log);
  std::unique_ptr<face::Face> make_face(SharedRooms& shared, const BotOptions& options, const Log& log);
  Sink& inbox_sink(const BotOptions& options);
  std::unique_ptr<Source> make_source(SharedRooms& shared, const BotOptions& options, const Log& log);

  /// The API with the bot's transformers around it.
  Api& calls() { return line_ ? *line_ : *api_; }

  // In build order: each uses only those above it.
  BotId bot_;
  std::unique_ptr<Api> api_;
  std::unique_ptr<Api> line_;
  std::shared_ptr<Store> store_;
  source::Webhook* webhook_ = nullptr;
  std::unique_ptr<Source> source_;
  std::unique_ptr<face::Face> face_;
  sink::PushSink* push_ = nullptr;
  std::unique_ptr<Sink> handler_sink_;
  std::unique_ptr<Sink> api_sink_;
  std::unique_ptr<Runner> inbox_;
  std::unique_ptr<Runner> outbox_;
};

}  // namespace tgkeep::app
