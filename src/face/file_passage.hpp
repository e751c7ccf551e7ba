#pragma once
// Files on their way from Telegram to the bot, never held.

#include <boost/asio/awaitable.hpp>
#include <string>
#include <tgkeep/clock.hpp>

#include "face/face_path.hpp"
#include "http/client.hpp"
#include "http/server.hpp"

namespace tgkeep::face {

namespace asio = boost::asio;

/// Everything on the loop's thread.
class FilePassage {
 public:
  FilePassage(Clock& clock, http::Client& client) : clock_(clock), client_(client) {}
  /// `root` is the URL of the bot's files, with a slash at its end. Ranges and conditions are passed on.
  asio::awaitable<http::ServerReply> pass(std::string root, FacePath path, http::ServerRequest request);

 private:
  Clock& clock_;
  http::Client& client_;
};

}  // namespace tgkeep::face
