#pragma once
// GET …/tgkeep/updates: updates as Server-Sent Events, for bots that want neither to poll nor to be pushed
// to.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <tgkeep/clock.hpp>

#include "face/bot_sink.hpp"
#include "face/face_path.hpp"
#include "http/server.hpp"
#include "loop/event.hpp"

namespace tgkeep::face {

/// One update as an event; its JSON stands in one line.
std::string update_event(const sink::PulledUpdate& update);

/// One connection. Its start counts as a start of the bot: what is handed out and not settled comes again.
class EventStream {
 public:
  /// At most `limit` updates are sent and not settled at the same time. What it gets must outlive it.
  EventStream(const asio::any_io_executor& loop, Clock& clock, BotSink& sink, std::size_t limit);
  /// Events, or a comment when nothing has come for 15 s; empty at the end.
  asio::awaitable<std::string> next();
  /// Another poller or stream came: it ends soon.
  void replace();
  /// Something was settled, or nothing is to be handed out any more.
  void wake() { changed_.notify(); }

 private:
  std::size_t room() const;
  std::string end_with(std::string event);
  std::string take(const sink::PullAnswer& answer);

  Clock& clock_;
  BotSink& sink_;
  std::size_t limit_;
  loop::Event changed_;
  bool begun_ = false;
  bool replaced_ = false;
  bool ended_ = false;
  std::int64_t offset_ = 0;  ///< one above the last number sent
};

/// Of one bot: its stream, of which there is at most one. Everything on the loop's thread.
class EventStreams {
 public:
  EventStreams(const asio::any_io_executor& loop, Clock& clock, BotSink& sink)
      : loop_(loop), clock_(clock), sink_(sink) {}
  /// Ends the one before. Query: `limit`, 1 to 1000, by default 100.
  http::ServerReply open(const FacePath& path, const http::ServerRequest& request);
  /// A poller came that waits.
  void replace();
  void wake();

 private:
  asio::any_io_executor loop_;
  Clock& clock_;
  BotSink& sink_;
  std::weak_ptr<EventStream> current_;
};

}  // namespace tgkeep::face
