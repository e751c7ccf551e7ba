#pragma once
// Bytes → ServerRequest (Beast's parser behind it). No socket, no time.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "http/server.hpp"

namespace tgkeep::http {

class ReaderLimits {
 public:
  ReaderLimits(std::size_t max_header, std::size_t max_body) : max_header(max_header), max_body(max_body) {}
  std::size_t max_header;
  std::size_t max_body;
  std::uint64_t max_stream = 0;  ///< 0: no body is streamed
  bool decodes = false;          ///< ServerOptions::decodes
};

/// Reads one request after another. After `bad` the connection can't be used for more.
class RequestReader {
 public:
  enum class State {
    head,      ///< its header is not whole yet
    check,     ///< look at `request` and `accept` it, or leave it: nothing of its body has been taken
    body,      ///< accepted, its body is not whole yet
    complete,  ///< to be released
    bad,
  };
  enum class Body {
    gathered,  ///< the request is released with its body, when that is complete
    streamed,  ///< the request is released without; its body is taken piece by piece
  };

  explicit RequestReader(const ReaderLimits& limits);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  /// Takes bytes from the front and says how many; what it leaves in `head` and `body` is to be offered again
  /// with more behind it, of a streamed body when the piece has been taken.
  std::size_t take(std::string_view bytes);
  State state() const noexcept { return state_; }
  /// Some bytes of the next request have been seen.
  bool begun() const noexcept { return begun_; }
  /// From `check` on; without its body until complete.
  ServerRequest& request() noexcept;
  /// Goes on from `check`, unless the body is one to refuse.
  void accept(Body body = Body::gathered);
  /// The status to refuse a `bad` request with.
  int refusal() const noexcept { return refusal_; }
  /// The client waits for "100 Continue" before it sends the body.
  bool expects_continue() const noexcept;
  /// The accepted request's body is streamed.
  bool streamed() const noexcept { return body_ == Body::streamed; }
  /// The last accepted request allows another one behind it.
  bool keep_alive() const noexcept { return keep_alive_; }
  /// The last accepted request was HTTP/1.0: no chunks.
  bool is_old() const noexcept { return old_; }
  /// Takes a complete request out and starts with the next, or a streamed one out, and goes on with its body.
  ServerRequest release();
  /// What has come of a streamed body, at most about `size` bytes; empty when it is to be offered more, or is
  /// complete.
  std::string take_piece(std::size_t size);
  /// Of a streamed body: what Content-Length said; nothing when chunked or unpacked.
  std::optional<std::uint64_t> length() const;
  /// Bytes of a streamed body that have not been taken yet; nothing when nobody knows.
  std::optional<std::uint64_t> rest() const;
  /// From now on the pieces of a streamed body are worthless: they are not unpacked.
  void forget_body() noexcept;
  /// Starts with the next request, when a streamed one is complete.
  void next();
  /// Bytes of memory held by the request in hand, about.
  std::size_t held() const noexcept;

 private:
  class Parser;
  void refuse(int status) noexcept;
  bool prepare_unpacking();
  void take_head(std::string_view bytes, std::size_t& taken);
  void take_body(std::string_view bytes, std::size_t& taken);
  void end_head();
  bool has_piece() const noexcept;
  void unpack(std::string& out, std::size_t room);
  void end_body();

  ReaderLimits limits_;
  std::unique_ptr<Parser> parser_;
  State state_ = State::head;
  std::size_t head_size_ = 0;
  std::uint64_t limit_ = 0;     ///< of the body in hand
  std::uint64_t unpacked_ = 0;  ///< bytes of it
  Body body_ = Body::gathered;
  int refusal_ = 0;
  bool begun_ = false;
  bool keep_alive_ = true;
  bool old_ = false;
};

static_assert(!std::is_aggregate_v<ReaderLimits>);

}  // namespace tgkeep::http
