#pragma once
// The one HTTP server (Beast). HTTP/1.1 with keep-alive, plain or with TLS.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/error.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/time.hpp>
#include <type_traits>

#include "http/client.hpp"

namespace tgkeep::http {

/// The body of a request that is read while it comes. Everything on the loop's thread, within the handler.
class RequestStream {
 public:
  virtual ~RequestStream() = default;
  /// The next piece (at most some 64 KiB); empty at the end. The client is slowed down to the speed of these
  /// calls. Throws system_error when it hung up, was too slow or sent what is no HTTP: the connection is then
  /// answered (408, 413, 400) and closed, whatever the handler returns. One at a time, none when the handler
  /// returns; later ones fail.
  virtual asio::awaitable<std::string> read() = 0;
  /// What Content-Length said; nothing for a chunked or compressed body.
  virtual std::optional<std::uint64_t> length() const = 0;

 protected:
  RequestStream() = default;
  RequestStream(const RequestStream&) = delete;
  RequestStream& operator=(const RequestStream&) = delete;
};

/// A request that is being answered. On the loop's thread.
class OpenRequest {
 public:
  virtual ~OpenRequest() = default;
  /// Ends it as if the client had hung up: its handler is cancelled, nothing more of the reply is sent. Only
  /// while the handler runs or its reply is streamed; later it would hit the connection's next request.
  virtual void break_off() = 0;

 protected:
  OpenRequest() = default;
  OpenRequest(const OpenRequest&) = delete;
  OpenRequest& operator=(const OpenRequest&) = delete;
};

class ServerRequest {
 public:
  ServerRequest() = default;
  std::string method;
  std::string target;  ///< path and query as sent; of an absolute URI only those
  Headers headers;
  std::string body;
  /// Present: the body comes through it, and `body` is empty (ServerOptions::streams).
  std::shared_ptr<RequestStream> stream;
  std::string peer;                 ///< IP address of the other end of the connection; "" on a Unix socket
  bool absolute = false;            ///< the target came as an absolute URI
  std::weak_ptr<OpenRequest> open;  ///< to break it off; given to the handler only
};

/// Gives the next piece of a streamed reply; an empty one ends it. Runs on the loop's thread, and only when
/// the piece before has been taken by the client's system. Cancelled (terminal) when the client has hung up
/// or the server stops. Throwing breaks the reply off.
using ReplyStream = std::function<asio::awaitable<std::string>()>;

class ServerReply {
 public:
  ServerReply() = default;
  explicit ServerReply(int status, std::string body = {}, std::string content_type = "application/json")
      : status(status), body(std::move(body)), content_type(std::move(content_type)) {}
  int status = 200;
  Headers headers;
  std::string body;
  std::string content_type;
  /// Present: `body` is not sent, but what this gives, as it comes (chunked; to HTTP/1.0 until the connection
  /// closes). With a header Content-Length: so many bytes of it, and less closes the connection.
  ReplyStream stream;
  // Fault injection, for emulated servers.
  bool hang_up = false;               ///< close the connection instead of answering
  bool reset = false;                 ///< close it with a reset, now (hang_up) or after the answer
  std::optional<std::size_t> cut_at;  ///< send so many bytes of the answer, head included, then close
  Duration drip{};                    ///< send the answer in twenty pieces with such pauses between them
};

/// Answers one request; runs on the loop's thread, one at a time per connection. Cancelled (terminal) when
/// the client has hung up or the server stops. Throwing answers 500.
using ServerHandler = std::function<asio::awaitable<ServerReply>(ServerRequest)>;

/// Looks at a request whose header is complete, before any of its body is read (`body` is empty). A reply
/// refuses it: it is sent and the connection closed, the body never read.
using HeadCheck = std::function<std::optional<ServerReply>(const ServerRequest& head)>;

/// Whether the body of this request is to be streamed to the handler instead of gathered; then the handler
/// runs as soon as the header is there. Rests of up to 64 KiB that it does not read are read for it; behind
/// larger ones the connection is closed.
using StreamCheck = std::function<bool(const ServerRequest& head)>;

/// Told of each request that was refused before a handler saw it: by the head check, or for being wrong, too
/// large or too slow. `head` is as far as it was read. Must not block.
using RefusalTold = std::function<void(const ServerRequest& head, int status)>;

/// A certificate of one's own, as PEM files.
class TlsFiles {
 public:
  TlsFiles(std::string certificate, std::string key)
      : certificate(std::move(certificate)), key(std::move(key)) {}
  std::string certificate;  ///< with its chain
  std::string key;
};

/// A connection holds at most max_header + max_body and some 100 KiB (TLS: 20 KiB more); an idle one 5 KiB.
class ServerOptions {
 public:
  ServerOptions() = default;
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: any free port
  /// Not empty: listens on a Unix socket there instead, that only this user may open (mode 0600). At most 107
  /// bytes. A stale one is replaced, a file that is no socket never; it is removed when the server stops.
  std::string unix_path;
  std::size_t max_body = 1U << 20;     ///< larger: 413
  std::size_t max_header = 64U << 10;  ///< larger: 431
  /// For a complete request to arrive, however it drips (else 408), for a TLS handshake, and for the client
  /// to take the answer (large ones: longer).
  Duration request_timeout = std::chrono::seconds(30);
  Duration idle_timeout =
      std::chrono::seconds(60);  ///< between requests; before the first the shorter of both
  /// When so many are open, a new one closes the oldest that has not brought a whole request yet, or the one
  /// that has been idle longest. When all of them are at work, new ones wait in the system's queue.
  std::size_t max_connections = 10'000;
  std::optional<TlsFiles> tls;            ///< absent: plain HTTP
  StreamCheck streams;                    ///< absent: none
  std::uint64_t max_stream = 4ULL << 30;  ///< a streamed body that is larger: 413
  /// For a streamed body to arrive, however it drips (else 408); only the time in which the handler waits for
  /// it counts.
  Duration stream_timeout = std::chrono::seconds(500);
  /// Bodies that come with Content-Encoding gzip or deflate are unpacked (limits count what they unpack to),
  /// and handlers see neither that header nor Content-Length; other codings are refused with 415. False:
  /// nothing is looked at.
  bool decodes = false;
  HeadCheck check_head;    ///< absent: nothing is refused
  RefusalTold on_refused;  ///< absent: nobody is told
};

/// What a server holds now and has done since its start.
class ServerStats {
 public:
  ServerStats() = default;
  std::size_t connections = 0;  ///< open now
  std::size_t held = 0;         ///< bytes of requests in memory now that no handler has got yet, about
  std::uint64_t accepted = 0;   ///< connections
  std::uint64_t displaced = 0;  ///< connections closed for newer ones at max_connections
  std::uint64_t requests = 0;   ///< handed to the handler
  std::uint64_t refused = 0;    ///< by check_head, or for being wrong, too large or too slow
  std::uint64_t failed_handshakes = 0;
  std::uint64_t failed_accepts = 0;  ///< out of descriptors, mostly; tried again every 100 ms
};

/// Everything on the loop's thread.
class Server {
 public:
  virtual ~Server() = default;
  /// 0 on a Unix socket.
  virtual std::uint16_t port() const = 0;
  virtual ServerStats stats() const = 0;
  /// Stops accepting, lets requests being answered finish for at most `drain`, then closes everything.
  /// Streamed replies end at once.
  virtual asio::awaitable<void> stop(Duration drain) = 0;
  /// Reads the certificate and key again; connections made from now on use them. An error names the file and
  /// changes nothing. Without TLS it does nothing.
  virtual Result<void> reload_tls() = 0;

 protected:
  Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
};

/// Listens at once; the error names address and port or the socket, or the file of the certificate or key.
/// `stop` it before destroying it.
Result<std::unique_ptr<Server>> listen(const asio::any_io_executor& loop, ServerOptions options,
                                       ServerHandler handler, Log log);

static_assert(!std::is_aggregate_v<ServerRequest> && !std::is_aggregate_v<ServerReply>);
static_assert(!std::is_aggregate_v<ServerOptions> && !std::is_aggregate_v<TlsFiles>);
static_assert(!std::is_aggregate_v<ServerStats>);

}  // namespace tgkeep::http
