#pragma once
// A request's body on its way to the handler, read from the connection as fast as the handler takes it.

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>

#include "http/request_reader.hpp"
#include "http/server.hpp"
#include "http/wire.hpp"
#include "loop/event.hpp"

namespace tgkeep::http {

class RequestBody final : public RequestStream {
 public:
  /// `reader` has accepted a streamed body, and must live until `close`.
  RequestBody(std::shared_ptr<Wire> wire, RequestReader& reader, const ServerOptions& options);

  asio::awaitable<std::string> read() override;
  std::optional<std::uint64_t> length() const override { return length_; }

  /// More has come, or nothing will.
  void wake() { changed_.notify(); }
  /// The handler has ended: a read that it left behind fails.
  void close();
  /// The status to answer with, whatever the handler says; 0 when the body is as it should be.
  int refusal() const noexcept { return refusal_; }
  // Once closed, and while the reader lives:
  bool complete() const;
  /// It is complete, or what is left is worth reading for the sake of the connection.
  bool may_be_drained() const;
  /// Reads the rest and forgets it; false when the connection can't be used any more.
  asio::awaitable<bool> drain();

 private:
  class Waiting;
  asio::awaitable<void> more();
  void swallow();
  std::optional<std::string> next();
  [[noreturn]] void refuse(int status);
  bool must_invite() const;

  std::shared_ptr<Wire> wire_;
  RequestReader* reader_;
  std::optional<std::uint64_t> length_;
  Duration request_timeout_;
  Duration left_;  ///< for the body to arrive
  bool invited_ = false;
  bool closed_ = false;
  int refusal_ = 0;
  loop::Event changed_;
};

}  // namespace tgkeep::http
