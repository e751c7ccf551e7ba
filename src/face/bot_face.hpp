#pragma once
// What one bot sees at its face, out of its parts.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>
#include <tgkeep/log.hpp>

#include "face/bot_sink.hpp"
#include "face/conflicts.hpp"
#include "face/event_stream.hpp"
#include "face/face.hpp"
#include "face/get_updates.hpp"
#include "face/own_webhook.hpp"
#include "face/webhook_methods.hpp"
#include "face/wishes.hpp"

namespace tgkeep::face {

/// Everything on the loop's thread.
class BotFace final : public Face {
 public:
  BotFace(const asio::any_io_executor& loop, FaceServices services, FaceSettings settings,
          OwnSettings remembered, std::unique_ptr<sink::PullSink> pull, std::unique_ptr<Outgoing> outgoing,
          const Log& log);

  asio::awaitable<http::ServerReply> answer(FacePath path, http::ServerRequest request) override;
  Sink& sink() override { return sink_; }
  void wind_down() override;
  FaceStats stats() const override;

 private:
  asio::awaitable<http::ServerReply> own(FacePath path, http::ServerRequest request);
  asio::awaitable<http::ServerReply> settle(http::ServerRequest request);
  asio::awaitable<http::ServerReply> method(FacePath path, http::ServerRequest request);
  std::string elsewhere() const;

  FaceServices services_;
  FaceSettings settings_;
  OwnSettings remembered_;
  BotSink sink_;
  std::unique_ptr<Outgoing> outgoing_;
  Conflicts conflicts_;
  Wishes wishes_;
  GetUpdates get_updates_;
  WebhookMethods webhook_;
  EventStreams streams_;
};

}  // namespace tgkeep::face
