#include "http/server.hpp"

#include "http/listener.hpp"

namespace tgkeep::http {

namespace {

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

}  // namespace

Result<std::unique_ptr<Server>> listen(const asio::any_io_executor& loop, ServerOptions options,
                                       ServerHandler handler, Log log) {
  std::shared_ptr<const TlsContext> tls;
  if (options.tls) {
    auto loaded = TlsContext::load(*options.tls);
    if (!loaded) return loaded.error();
    tls = std::move(*loaded);
  }
  Result<ListeningPlace> place = options.unix_path.empty()
                                     ? listen_on_tcp(loop, options.address, options.port)
                                     : listen_on_unix(loop, options.unix_path);
  if (place.has_error()) return place.error();
  auto setting = std::make_shared<ConnectionSetting>(std::move(options), std::move(handler), std::move(log));
  auto listener = std::make_shared<Listener>(loop, *std::move(place), std::move(setting), std::move(tls));
  listener->start();
  return std::unique_ptr<Server>(std::make_unique<ListeningServer>(std::move(listener)));
}

}  // namespace tgkeep::http
