#pragma once
// Builds the rooms of one bot and owns them.

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <tgkeep/api.hpp>
#include <tgkeep/gateway.hpp>
#include <tgkeep/id.hpp>
#include <tgkeep/runner.hpp>
#include <tgkeep/sink.hpp>
#include <tgkeep/source.hpp>
#include <tgkeep/store.hpp>

#include "http/client.hpp"
#include "loop/real_clock.hpp"
#include "sink/handler_sink.hpp"

namespace tgkeep::app {

/// Everything on the loop's thread. Destroy it only when source and runners have ended.
class Rooms {
 public:
  /// Throws Failure when the token is malformed or the store can't be opened.
  Rooms(const boost::asio::any_io_executor& loop, const GatewayOptions& options, Handler handler);
  Clock& clock() { return clock_; }
  Store& store() { return *store_; }
  Source& source() { return *source_; }
  Runner& inbox() { return *inbox_; }
  Runner& outbox() { return *outbox_; }
  BotId bot() const { return bot_; }
  /// Joins the handlers' threads. Turn the loop once more before destroying the rooms: a handler that was cut
  /// off still reports its end there.
  void join_handlers() { pool_.reset(); }

 private:
  // In build order: each uses only those above it.
  loop::RealClock clock_;
  BotId bot_;
  http::Client client_;
  std::unique_ptr<Api> api_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<sink::HandlerPool> pool_;
  std::unique_ptr<Sink> handler_sink_;
  std::unique_ptr<Sink> api_sink_;
  std::unique_ptr<Runner> inbox_;
  std::unique_ptr<Runner> outbox_;
  std::unique_ptr<Source> source_;
};

}  // namespace tgkeep::app
