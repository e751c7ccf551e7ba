#pragma once
// Makes calls through a face, each once, and writes down what was told of them.

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "http/client.hpp"
#include "prove/call_log.hpp"
#include "prove/face_place.hpp"
#include "prove/witness.hpp"

namespace tgkeep::prove {

/// Everything on the loop's thread. What it is given must outlive it.
class FaceCaller {
 public:
  /// `life`: no two have the same number.
  FaceCaller(http::Client& client, const FacePlace& place, const std::string& token,
             std::shared_ptr<const Witness> log, std::int64_t life);
  FaceCaller(const FaceCaller&) = delete;
  FaceCaller& operator=(const FaceCaller&) = delete;

  /// Sends a message to the chat; returns when it is known what became of it.
  asio::awaitable<void> send(std::int64_t chat);

 private:
  asio::awaitable<Told> outcome_of(http::ClientResult result, std::int64_t life);

  http::Client& client_;
  const FacePlace& place_;
  const std::string url_;
  std::shared_ptr<const Witness> log_;
  std::int64_t last_;
};

}  // namespace tgkeep::prove
