#pragma once
// Accepts connections, keeps count of them and of their deadlines.

#include <boost/asio/steady_timer.hpp>
#include <list>
#include <memory>

#include "http/connection.hpp"
#include "http/listening_place.hpp"
#include "loop/event.hpp"
#include "loop/real_clock.hpp"

namespace tgkeep::http {

/// Held by a shared_ptr; its operations keep it alive until `stop` or `abandon`.
class Listener final : public std::enable_shared_from_this<Listener> {
 public:
  Listener(const asio::any_io_executor& loop, ListeningPlace place,
           std::shared_ptr<ConnectionSetting> setting, std::shared_ptr<const TlsContext> tls);

  void start();
  std::uint16_t port() const { return place_.port; }
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
  void break_off();
  void abort();
  void accept();
  void accepted(const boost::system::error_code& error, StreamSocket socket);
  void wait_for_newcomer();
  bool make_room();
  void accept_later();
  void ended(Connections::iterator place);
  void sweep();
  void end_sweeps();

  ListeningPlace place_;
  std::shared_ptr<ConnectionSetting> setting_;
  std::shared_ptr<const TlsContext> tls_;
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
