#include "http/listener.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>

namespace tgkeep::http {

namespace {

constexpr Duration kAcceptPause = std::chrono::milliseconds(100);

// Timeouts are kept to within a quarter, by one timer for all connections.
Duration sweep_step(const ServerOptions& options) {
  Duration shortest = std::min(options.request_timeout, options.idle_timeout);
  if (options.streams) shortest = std::min(shortest, options.stream_timeout);
  return std::clamp<Duration>(shortest / 4, std::chrono::milliseconds(5), std::chrono::seconds(1));
}

}  // namespace

Listener::Listener(const asio::any_io_executor& loop, ListeningPlace place,
                   std::shared_ptr<ConnectionSetting> setting, std::shared_ptr<const TlsContext> tls)
    : place_(std::move(place)),
      setting_(std::move(setting)),
      tls_(std::move(tls)),
      pause_(loop),
      sweep_(loop),
      clock_(loop),
      changed_(loop) {}

void Listener::start() {
  accept();
  sweep();
}

ServerStats Listener::stats() const {
  ServerStats stats = setting_->stats;
  stats.connections = connections_.size();
  for (const auto& connection : connections_) stats.held += connection->held();
  return stats;
}

asio::awaitable<void> Listener::stop(Duration drain) {
  close();
  for (const auto& connection : copy()) connection->finish();
  const MonoTime until = clock_.mono() + drain;
  try {
    while (!connections_.empty() && clock_.mono() < until) co_await changed_.wait_until(clock_, until);
    break_off();
    const MonoTime end = clock_.mono() + setting_->options.last_answers;
    while (!connections_.empty() && clock_.mono() < end) co_await changed_.wait_until(clock_, end);
    abort();
    while (!connections_.empty()) co_await changed_.wait();
  } catch (...) {
    abort();
    throw;
  }
  end_sweeps();
}

void Listener::abandon() {
  close();
  end_sweeps();
  for (const auto& connection : copy()) connection->abandon();
}

Result<void> Listener::reload_tls() {
  if (!setting_->options.tls) return Result<void>();
  auto fresh = TlsContext::load(*setting_->options.tls);
  if (!fresh) return fresh.error();
  tls_ = std::move(*fresh);
  return Result<void>();
}

void Listener::close() {
  setting_->stopping = true;
  boost::system::error_code ignored;
  place_.acceptor.close(ignored);
  place_.remove_socket_file();
  pause_.cancel();
}

void Listener::break_off() {
  if (setting_->options.last_answers <= Duration::zero()) return;
  for (const auto& connection : copy()) {
    if (connection->handling()) connection->break_off();
  }
}

void Listener::abort() {
  for (const auto& connection : copy()) connection->abort();
}

void Listener::accept() {
  if (setting_->stopping || accepting_) return;
  accepting_ = true;
  if (connections_.size() >= setting_->options.max_connections) return wait_for_newcomer();
  place_.acceptor.async_accept(
      [self = shared_from_this()](const boost::system::error_code& error, StreamSocket socket) {
        self->accepting_ = false;
        self->accepted(error, std::move(socket));
      });
}

void Listener::accepted(const boost::system::error_code& error, StreamSocket socket) {
  if (setting_->stopping) return;
  if (error && error != asio::error::connection_aborted) {
    ++setting_->stats.failed_accepts;
    // Out of descriptors, mostly: waiting lets connections end. Said once, not each time.
    if (!failing_) {
      setting_->log.warning("http_accept_failed", {{"where", place_.text}, {"error", error.message()}});
    }
    failing_ = true;
    return accept_later();
  }
  if (!error) {
    failing_ = false;
    ++setting_->stats.accepted;
    auto wire = std::make_shared<Wire>(std::move(socket), tls_.get());
    const auto place =
        connections_.insert(connections_.end(), std::make_shared<Connection>(std::move(wire), setting_));
    (*place)->start([self = shared_from_this(), place] { self->ended(place); });
  }
  accept();
}

// Nobody is closed before somebody wants the place.
void Listener::wait_for_newcomer() {
  place_.acceptor.async_wait(
      StreamAcceptor::wait_read, [self = shared_from_this()](const boost::system::error_code& error) {
        self->accepting_ = false;
        if (error || self->setting_->stopping) return;
        const bool full = self->connections_.size() >= self->setting_->options.max_connections;
        // Room is there when the displaced one has ended, which calls accept.
        if (!full) return self->accept();
        if (!self->make_room()) self->accept_later();
      });
}

bool Listener::make_room() {
  std::shared_ptr<Connection> longest;
  for (const auto& connection : connections_) {
    const Connection::Use use = connection->use();
    if (use == Connection::Use::busy) continue;
    const bool better = !longest || connection->deadline() < longest->deadline();
    if (use == Connection::Use::unproven || better) longest = connection;
    if (use == Connection::Use::unproven) break;
  }
  if (!longest) return false;
  ++setting_->stats.displaced;
  longest->abort();
  return true;
}

void Listener::accept_later() {
  pause_.expires_after(kAcceptPause);
  pause_.async_wait([self = shared_from_this()](const boost::system::error_code&) { self->accept(); });
}

void Listener::ended(Connections::iterator place) {
  connections_.erase(place);
  changed_.notify();
  accept();
}

// A sweep that is due already can't be cancelled.
void Listener::end_sweeps() {
  swept_ = true;
  sweep_.cancel();
}

void Listener::sweep() {
  sweep_.expires_after(sweep_step(setting_->options));
  sweep_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (error || !self || self->swept_) return;
    const MonoTime now = self->clock_.mono();
    for (const auto& connection : self->connections_) connection->check_deadline(now);
    self->sweep();
  });
}

}  // namespace tgkeep::http
