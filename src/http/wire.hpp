#pragma once
// The bytes of one accepted connection, plain or TLS, with its deadline and the other side's hang-up.

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/time.hpp>

#include "http/tls_session.hpp"

namespace tgkeep::http {

/// TCP or a Unix socket.
using StreamSocket = asio::generic::stream_protocol::socket;

/// Held by a shared_ptr; its operations keep it alive.
class Wire final : public std::enable_shared_from_this<Wire> {
 public:
  /// Without `tls`: plain.
  Wire(StreamSocket socket, const TlsContext* tls);

  auto executor() { return socket_.get_executor(); }
  /// IP address of the other end; "" of a Unix socket.
  const std::string& peer() const noexcept { return peer_; }
  bool secure() const noexcept { return tls_ != nullptr; }

  /// The TLS handshake; false when it failed. Ends at the deadline.
  asio::awaitable<bool> greet();
  /// Why `greet` failed.
  const char* failure() const noexcept { return tls_ ? tls_->failure() : ""; }

  /// Received and not yet used; take from its front.
  std::string& input() noexcept { return input_; }
  /// Reads in the background, unless it does already.
  void start_read();
  /// Waits for that read: more input, `gone` or `expired`.
  asio::awaitable<void> read_ended();
  /// Reads on by itself, up to a limit, and calls `hung_up` if the other side goes; until `end_read_ahead`.
  /// Calls `changed` after each read.
  void read_ahead(std::function<void()> hung_up, std::function<void()> changed = {});
  /// Some of the input has been taken: it may be below the limit again.
  void read_on();
  void end_read_ahead();

  /// False when the other side is gone or takes less than it should: `patience` is for the whole of a small
  /// answer, a large one gets more.
  asio::awaitable<bool> write(std::string_view head, std::string_view body, Duration patience);
  bool writing() const noexcept { return writing_; }
  /// From now on `close` resets the connection.
  void reset_when_closed();
  /// Tells the other side that nothing more comes; reading goes on.
  void end_sending();

  void set_deadline(Duration timeout);
  void clear_deadline() noexcept { deadline_ = MonoTime::max(); }
  MonoTime deadline() const noexcept { return deadline_; }
  /// At the deadline a read ends with `expired`, a handshake and a write with the connection.
  void check_deadline(MonoTime now);
  bool take_expired() noexcept { return std::exchange(expired_, false); }

  /// The other side has hung up, or we have closed.
  bool gone() const noexcept { return gone_; }
  void close();
  /// Lets go of a coroutine that nothing will resume any more: the loop is going away.
  void abandon();

 private:
  using Wait = StreamSocket::wait_type;

  void on_read(const boost::system::error_code& error, std::size_t size);
  void on_readable(const boost::system::error_code& error);
  void read_more();
  bool read_secure();
  void lose();
  void wake();
  asio::awaitable<bool> wait_for(TlsSession::Step step);
  TlsSession::Step put(std::string_view& head, std::string_view& body);

  StreamSocket socket_;
  std::string peer_;
  std::unique_ptr<TlsSession> tls_;
  std::array<char, 2048> chunk_;  ///< most requests fit; 10,000 idle connections hold it
  std::string input_;
  MonoTime deadline_ = MonoTime::max();
  std::function<void()> hung_up_;
  std::function<void()> changed_;
  bool reading_ = false;
  bool greeting_ = false;
  bool writing_ = false;
  bool gone_ = false;
  bool expired_ = false;
  // any_completion_handler of Boost 1.81 moves itself without end.
  using Waiting = asio::async_result<asio::use_awaitable_t<>, void()>::handler_type;
  std::optional<Waiting> waiting_;  ///< the coroutine that waits for the read
};

}  // namespace tgkeep::http
