#include "http/server.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "http/listener.hpp"

namespace tgkeep::http {

namespace {

using asio::ip::tcp;

class ListeningServer final : public Server {
 public:
  explicit ListeningServer(std::shared_ptr<Listener> listener) : listener_(std::move(listener)) {}
  ~ListeningServer() override { listener_->abandon(); }
  std::uint16_t port() const override { return listener_->port(); }
  asio::awaitable<void> stop(Duration drain) override { return listener_->stop(drain); }
  ServerStats stats() const override { return listener_->stats(); }
  Result<void> reload_tls() override { return listener_->reload_tls(); }

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
  std::shared_ptr<const TlsContext> tls;
  if (options.tls) {
    auto loaded = TlsContext::load(*options.tls);
    if (!loaded) return loaded.error();
    tls = std::move(*loaded);
  }
  const tcp::endpoint endpoint(address, options.port);
  tcp::acceptor acceptor(loop);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) return listen_error(options, error);
  auto setting = std::make_shared<ConnectionSetting>(std::move(options), std::move(handler), std::move(log));
  auto listener = std::make_shared<Listener>(loop, std::move(acceptor), std::move(setting), std::move(tls));
  listener->start();
  return std::unique_ptr<Server>(std::make_unique<ListeningServer>(std::move(listener)));
}

}  // namespace tgkeep::http
