#include "http/server.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <list>

#include "http/connection.hpp"
#include "loop/event.hpp"
#include "loop/real_clock.hpp"

namespace tgkeep::http {

namespace {

using asio::ip::tcp;

constexpr Duration kAcceptPause = std::chrono::milliseconds(100);

// Timeouts are kept to within a quarter, by one timer for all connections.
Duration sweep_step(const ServerOptions& options) {
  const Duration shortest = std::min(options.request_timeout, options.idle_timeout);
  return std::clamp<Duration>(shortest / 4, std::chrono::milliseconds(5), std::chrono::seconds(1));
}

class Listener final : public std::enable_shared_from_this<Listener> {
 public:
  Listener(const asio::any_io_executor& loop, tcp::acceptor acceptor,
           std::shared_ptr<ConnectionSetting> setting)
      : acceptor_(std::move(acceptor)),
        setting_(std::move(setting)),
        port_(acceptor_.local_endpoint().port()),
        pause_(loop),
        sweep_(loop),
        clock_(loop),
        changed_(loop) {}

  void start() {
    accept();
    sweep();
  }

  std::uint16_t port() const { return port_; }

  asio::awaitable<void> stop(Duration drain) {
    close();
    for (const auto& connection : copy()) connection->finish();
    const MonoTime until = clock_.mono() + drain;
    try {
      while (!connections_.empty() && clock_.mono() < until) co_await changed_.wait_until(clock_, until);
      abort();
      while (!connections_.empty()) co_await changed_.wait();
    } catch (...) {
      abort();
      throw;
    }
    sweep_.cancel();
  }

  void abandon() {
    close();
    sweep_.cancel();
    for (const auto& connection : copy()) connection->abandon();
  }

 private:
  using Connections = std::list<std::shared_ptr<Connection>>;

  // Connections may leave the list while they are told something.
  Connections copy() const { return connections_; }

  void close() {
    setting_->stopping = true;
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
  }

  void abort() {
    for (const auto& connection : copy()) connection->abort();
  }

  void accept() {
    if (setting_->stopping || accepting_ || connections_.size() >= setting_->options.max_connections) return;
    accepting_ = true;
    acceptor_.async_accept(
        [self = shared_from_this()](const boost::system::error_code& error, tcp::socket socket) {
          self->accepting_ = false;
          self->accepted(error, std::move(socket));
        });
  }

  void accepted(const boost::system::error_code& error, tcp::socket socket) {
    if (setting_->stopping) return;
    if (error) {
      // Out of descriptors, mostly: waiting lets connections end.
      setting_->log.warning("http_accept_failed", {{"port", port_}, {"error", error.message()}});
      pause_.expires_after(kAcceptPause);
      pause_.async_wait([self = shared_from_this()](const boost::system::error_code&) { self->accept(); });
      return;
    }
    const auto place =
        connections_.insert(connections_.end(), std::make_shared<Connection>(std::move(socket), setting_));
    (*place)->start([self = shared_from_this(), place] { self->ended(place); });
    accept();
  }

  void ended(Connections::iterator place) {
    connections_.erase(place);
    changed_.notify();
    accept();
  }

  void sweep() {
    sweep_.expires_after(sweep_step(setting_->options));
    sweep_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
      const auto self = weak.lock();
      if (error || !self) return;
      const MonoTime now = self->clock_.mono();
      for (const auto& connection : self->connections_) connection->check_deadline(now);
      self->sweep();
    });
  }

  tcp::acceptor acceptor_;
  std::shared_ptr<ConnectionSetting> setting_;
  std::uint16_t port_;
  bool accepting_ = false;
  asio::steady_timer pause_;
  asio::steady_timer sweep_;
  loop::RealClock clock_;
  loop::Event changed_;
  Connections connections_;
};

class ListeningServer final : public Server {
 public:
  explicit ListeningServer(std::shared_ptr<Listener> listener) : listener_(std::move(listener)) {}
  ~ListeningServer() override { listener_->abandon(); }
  std::uint16_t port() const override { return listener_->port(); }
  asio::awaitable<void> stop(Duration drain) override { return listener_->stop(drain); }
  Result<void> reload_tls() override { return Result<void>(); }

 private:
  std::shared_ptr<Listener> listener_;
};

Error listen_error(const ServerOptions& options, const boost::system::error_code& error) {
  return Error(Errc::network, "can't listen on " + options.address + " port " + std::to_string(options.port) +
                                  ": " + error.message() +
                                  "; choose another address or port, or end what uses it");
}

}  // namespace

Result<std::unique_ptr<Server>> listen(const asio::any_io_executor& loop, ServerOptions options,
                                       ServerHandler handler, Log log) {
  boost::system::error_code error;
  const auto address = asio::ip::make_address(options.address, error);
  if (error) {
    return Error(Errc::bad_config, "can't listen on \"" + options.address +
                                       "\": not an IP address; use one like 127.0.0.1, 0.0.0.0 or ::");
  }
  const tcp::endpoint endpoint(address, options.port);
  tcp::acceptor acceptor(loop);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) return listen_error(options, error);
  auto setting = std::make_shared<ConnectionSetting>(std::move(options), std::move(handler), std::move(log));
  auto listener = std::make_shared<Listener>(loop, std::move(acceptor), std::move(setting));
  listener->start();
  return std::unique_ptr<Server>(std::make_unique<ListeningServer>(std::move(listener)));
}

}  // namespace tgkeep::http
