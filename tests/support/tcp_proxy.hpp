#pragma once
// A TCP proxy on 127.0.0.1 that breaks connections on demand: faults of the network without privileges.

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace tgkeep::test {

/// What happens to bytes on their way. Counts are per connection, from its beginning.
class TcpFaults {
 public:
  TcpFaults() = default;
  std::optional<std::size_t> cut_up;    ///< forwards so many bytes to the server, then cuts both sides
  std::optional<std::size_t> cut_down;  ///< the same for bytes to the client
  bool reset = true;                    ///< cut by reset; false: by an orderly close
  bool swallow_up = false;              ///< black hole: bytes are read and vanish, the connection stays
  bool swallow_down = false;
  std::size_t piece = 16U << 10;       ///< forwards at most so many bytes at a time …
  std::chrono::milliseconds pause{0};  ///< … and waits so long before each piece
};

/// Everything on the thread that runs `io`: the test's own loop, or one in a thread of its own (then make,
/// use and destroy it there, by posting to `io`).
class TcpProxy {
 public:
  /// Listens at once. `server` is a port on 127.0.0.1.
  TcpProxy(boost::asio::io_context& io, std::uint16_t server);
  ~TcpProxy();
  TcpProxy(const TcpProxy&) = delete;
  TcpProxy& operator=(const TcpProxy&) = delete;

  std::uint16_t port() const;
  /// For connections open now and later ones.
  void set(TcpFaults faults);
  /// Cuts every open connection now, by reset.
  void cut_all();
  /// Refuses new connections (the port stays ours), or takes them again. Open ones go on.
  void refuse(bool refuse);
  /// Where later connections go: a server that was started again.
  void set_server(std::uint16_t server);

  std::size_t accepted() const;  ///< connections taken so far
  std::size_t open() const;
  std::size_t bytes_up() const;  ///< forwarded to servers so far
  std::size_t bytes_down() const;

 private:
  class Line;
  class Desk;
  std::shared_ptr<Desk> desk_;
};

static_assert(!std::is_aggregate_v<TcpFaults>);

}  // namespace tgkeep::test
