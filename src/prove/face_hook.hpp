#pragma once
// A bot behind a face that sets a webhook at itself, as it would at Telegram.

#include <boost/asio/awaitable.hpp>
#include <string>
#include <tgkeep/clock.hpp>

#include "http/client.hpp"
#include "http/server.hpp"
#include "prove/face_place.hpp"
#include "prove/face_worker.hpp"

namespace tgkeep::prove {

/// Everything on the loop's thread. What it is given must outlive it.
class FaceHook {
 public:
  FaceHook(Clock& clock, http::Client& client, const FacePlace& place, std::string token, FaceWorker& worker);
  FaceHook(const FaceHook&) = delete;
  FaceHook& operator=(const FaceHook&) = delete;

  /// Sets the webhook, to this port of this machine; returns when that was taken.
  asio::awaitable<void> set(std::uint16_t port);
  /// Answers one request of the face.
  asio::awaitable<http::ServerReply> serve(http::ServerRequest request);

 private:
  Clock& clock_;
  http::Client& client_;
  const FacePlace& place_;
  const std::string token_;
  FaceWorker& worker_;
};

}  // namespace tgkeep::prove
