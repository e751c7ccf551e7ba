#pragma once
// Accepts connections, keeps count of them and of their deadlines.

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <list>
#include <memory>

#include "http/connection.hpp"
#include "loop/event.hpp"
#include "loop/real_clock.hpp"

namespace tgkeep::http {

/// Held by a shared_ptr; its operations keep it alive until `stop` or `abandon`.
class Listener final : public std::enable_shared_from_this<Listener> {
 public:
  /// Without `tls`: plain.
  Listener(const asio::any_io_executor& loop, asio::ip::tcp::acceptor acceptor,
           std::shared_ptr<ConnectionSetting> setting, std::shared_ptr<const TlsContext> tls);

  void start();
  std::uint16_t port() const { return port_; }
  ServerStats stats() const;
  asio::awaitable<void> stop(Duration drain);
  void abandon();
  /// For connections from now on.
  Result<void> reload_tls();

 private:
  using Connections = std::list<std::shared_ptr<Connection>>;

  // Connections may leave the list while they are told something.
  Connections copy() const { return connections_; }
  void close();
  void abort();
  void accept();
  void accepted(const boost::system::error_code& error, asio::ip::tcp::socket socket);
  void wait_for_newcomer();
  bool make_room();
  void accept_later();
  void ended(Connections::iterator place);
  void sweep();
  void end_sweeps();

  asio::ip::tcp::acceptor acceptor_;
  std::shared_ptr<ConnectionSetting> setting_;
  std::shared_ptr<const TlsContext> tls_;
  std::uint16_t port_;
  bool accepting_ = false;
  bool failing_ = false;
  asio::steady_timer pause_;
  asio::steady_timer sweep_;
  bool swept_ = false;
  loop::RealClock clock_;
  loop::Event changed_;
  Connections connections_;
};

}  // namespace tgkeep::http
