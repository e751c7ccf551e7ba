#pragma once
// The one HTTP client (libcurl multi on the event loop). Its errors say whether the request may have arrived.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/system/result.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/time.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tgkeep::http {

namespace asio = boost::asio;

using Headers = std::vector<std::pair<std::string, std::string>>;

/// The first header called `name` (case-insensitive), or nullptr.
const std::string* find_header(const Headers& headers, std::string_view name) noexcept;

/// Gives the next piece of a body to send; an empty one ends it. Runs on the loop's thread, and only when the
/// piece before has been sent. Throwing breaks the request off. Cancelled (terminal) when the request ends
/// before it: what it uses must live until then. A `send` and an `open` that fails wait for that; an
/// AnswerStream that is destroyed does not, the source ends a moment later.
using BodySource = std::function<asio::awaitable<std::string>()>;

class ClientRequest {
 public:
  ClientRequest(std::string method, std::string url) : method(std::move(method)), url(std::move(url)) {}
  std::string method;  ///< GET or POST
  std::string url;     ///< may hold a secret: it appears in no error text and no log
  /// Not empty: connects to this Unix socket, whatever host the URL names; no proxy and no `allowed` then.
  std::string unix_socket;
  Headers headers;
  std::string body;
  /// Present: sent behind `body`, as it comes. With it a request is never repeatable.
  BodySource rest;
  /// Of `body` and `rest` together, which breaks the request off when it is not; absent, with `rest`: sent in
  /// chunks.
  std::optional<std::uint64_t> length;
  Duration timeout = std::chrono::seconds(60);  ///< for the whole exchange; of a stream: until its header
  Duration connect_timeout = std::chrono::seconds(10);
  /// False: never put on the wire twice. libcurl 7.88 resends a POST by itself when a reused connection
  /// closes before the response; the client prevents that and reports maybe_sent instead.
  bool repeatable = false;
  std::size_t max_answer = 64U << 20;  ///< a longer answer of `send` is an error (maybe_sent)
};

class AnswerStream;

class ClientResponse {
 public:
  ClientResponse() = default;
  int status = 0;
  Headers headers;
  std::string body;
  std::shared_ptr<AnswerStream> stream;  ///< of `open`: its body, as it comes
};

class ClientError {
 public:
  enum class Kind : std::uint8_t {
    not_sent,    ///< no byte of the request left: resolve, connect, TLS failures
    maybe_sent,  ///< bytes left and no complete answer came
  };
  ClientError() = default;  // asked for by ClientResult::error() of Boost 1.81
  ClientError(Kind kind, std::string text) : kind(kind), text(std::move(text)) {}
  Kind kind = Kind::not_sent;
  std::string text;  ///< what happened, with host and port but without path or query
};

[[noreturn]] void throw_exception_from_error(const ClientError& error, const boost::source_location& where);

using ClientResult = boost::system::result<ClientResponse, ClientError>;

using PieceResult = boost::system::result<std::string, ClientError>;

/// The body of an answer that is read while it comes. Everything on the loop's thread. Destroyed early, it
/// breaks the exchange off; not after its Client.
class AnswerStream {
 public:
  virtual ~AnswerStream() = default;
  /// The next piece (at most some 64 KiB); empty at the end. The server is slowed down to the speed of these
  /// calls. An error (maybe_sent) when the connection breaks, or nothing comes for the request's timeout.
  virtual asio::awaitable<PieceResult> read() = 0;

 protected:
  AnswerStream() = default;
  AnswerStream(const AnswerStream&) = delete;
  AnswerStream& operator=(const AnswerStream&) = delete;
};

/// Whether a connection to this IP address (text) is allowed.
using AddressFilter = std::function<bool(std::string_view address)>;

class ClientOptions {
 public:
  ClientOptions() = default;
  long max_connections = 1000;          ///< in all
  long max_connections_per_host = 100;  ///< further requests wait inside libcurl
  /// Over TLS, when the server offers it. `open` and requests with a `rest` keep to HTTP/1.1, where a slow
  /// one holds up no others.
  bool http2 = false;
  std::string proxy;  ///< as libcurl takes it; "" = none, environment variables are not read
  /// Asked with each address a name resolved to, before connecting to it; when all are refused: not_sent, and
  /// the text says so. Not asked with a proxy, which resolves and connects itself. Absent: all are allowed.
  AddressFilter allowed;
  std::string ca_file;  ///< PEM certificates to trust instead of the system's; "" = the system's
  std::string ca_pem;   ///< the same as a text; goes before ca_file
};

/// Everything on the loop's thread. A cancelled `send` ends at once with not_sent or maybe_sent. Destroy only
/// when no `send` runs.
class Client {
 public:
  explicit Client(const asio::any_io_executor& loop, ClientOptions options = ClientOptions());
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  asio::awaitable<ClientResult> send(ClientRequest request);
  /// Returns when the header of the answer is there; its body comes through `ClientResponse::stream`.
  asio::awaitable<ClientResult> open(ClientRequest request);
  /// As the options of that name, from now on; what is open stays.
  void limit_connections(long in_all, long per_host);

  class Multi;

 private:
  std::unique_ptr<Multi> multi_;
};

static_assert(!std::is_aggregate_v<ClientRequest> && !std::is_aggregate_v<ClientResponse>);
static_assert(!std::is_aggregate_v<ClientError> && !std::is_aggregate_v<ClientOptions>);

}  // namespace tgkeep::http
