#pragma once
// The part of a request's body that is not held: read from the bot while it is sent to Telegram.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <memory>
#include <string>
#include <utility>

#include "http/client.hpp"
#include "http/server.hpp"

namespace tgkeep::face {

namespace asio = boost::asio;

class Upload {
 public:
  explicit Upload(std::shared_ptr<http::RequestStream> stream) : stream_(std::move(stream)) {}
  asio::awaitable<std::string> next() {
    begun_ = true;
    try {
      std::string piece = co_await stream_->read();
      co_return piece;
    } catch (const boost::system::system_error& failure) {
      // Aborted by us, when Telegram's side broke off: the bot did nothing wrong.
      broken_ = failure.code() != asio::error::operation_aborted;
      throw;
    } catch (...) {
      broken_ = true;
      throw;
    }
  }
  /// Something of it was read, so that it can't be sent once more.
  bool begun() const noexcept { return begun_; }
  /// The bot did not send the whole of it.
  bool broken() const noexcept { return broken_; }

 private:
  std::shared_ptr<http::RequestStream> stream_;
  bool begun_ = false;
  bool broken_ = false;
};

/// For a request that sends it; the upload may be looked at afterwards.
inline http::BodySource source_of(std::shared_ptr<Upload> upload) {
  return [upload = std::move(upload)] { return upload->next(); };
}

}  // namespace tgkeep::face
