#include "support/tcp_proxy.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <unordered_set>

namespace tgkeep::test {

namespace {
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
}  // namespace

class TcpProxy::Desk : public std::enable_shared_from_this<Desk> {
 public:
  Desk(asio::io_context& io, std::uint16_t server)
      : io(io), acceptor(io), endpoint(asio::ip::address_v4::loopback(), 0), server(server) {
    listen();
    endpoint = acceptor.local_endpoint();
  }

  void listen() {
    acceptor.open(tcp::v4());
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    acceptor.bind(endpoint);
    acceptor.listen();
  }
  void accept();

  asio::io_context& io;
  tcp::acceptor acceptor;
  tcp::endpoint endpoint;
  std::uint16_t server;
  TcpFaults faults;
  std::unordered_set<std::shared_ptr<Line>> lines;
  std::size_t accepted = 0;
  std::size_t up = 0;
  std::size_t down = 0;
};

/// One connection through the proxy.
class TcpProxy::Line : public std::enable_shared_from_this<Line> {
 public:
  Line(std::shared_ptr<Desk> desk, tcp::socket client)
      : desk_(std::move(desk)), up_(std::move(client), desk_->io), down_(tcp::socket(desk_->io), desk_->io) {}

  void start() {
    const tcp::endpoint server(asio::ip::address_v4::loopback(), desk_->server);
    down_.from.async_connect(server, [self = shared_from_this()](const error_code& error) {
      if (error) return self->cut(true);
      self->read(self->up_, self->down_);
      self->read(self->down_, self->up_);
    });
  }

  void cut(bool reset) {
    if (desk_->lines.erase(shared_from_this()) == 0) return;
    for (Way* way : {&up_, &down_}) {
      error_code ignored;
      if (reset) way->from.set_option(asio::socket_base::linger(true, 0), ignored);
      way->from.close(ignored);
      way->pause.cancel();
    }
  }

 private:
  /// What one side says.
  struct Way {
    Way(tcp::socket from, asio::io_context& io) : from(std::move(from)), pause(io) {}
    tcp::socket from;
    asio::steady_timer pause;
    std::array<char, 16U << 10> bytes;
    std::size_t passed = 0;
  };

  bool is_up(const Way& way) const { return &way == &up_; }

  void read(Way& way, Way& other) {
    const std::size_t most = std::clamp<std::size_t>(desk_->faults.piece, 1, way.bytes.size());
    way.from.async_read_some(asio::buffer(way.bytes, most), [self = shared_from_this(), &way, &other](
                                                                const error_code& error, std::size_t size) {
      self->on_read(way, other, error, size);
    });
  }

  void on_read(Way& way, Way& other, const error_code& error, std::size_t size) {
    if (error == asio::error::eof) {
      // Half closed: the other direction may go on; when both are, the line ends.
      error_code ignored;
      other.from.shutdown(tcp::socket::shutdown_send, ignored);
      if (++ended_ == 2) cut(false);
      return;
    }
    if (error) return cut(true);
    const TcpFaults& faults = desk_->faults;
    if (is_up(way) ? faults.swallow_up : faults.swallow_down) return read(way, other);
    if (faults.pause.count() == 0) return write(way, other, size);
    way.pause.expires_after(faults.pause);
    way.pause.async_wait([self = shared_from_this(), &way, &other, size](const error_code& cancelled) {
      if (!cancelled) self->write(way, other, size);
    });
  }

  void write(Way& way, Way& other, std::size_t size) {
    const auto limit = is_up(way) ? desk_->faults.cut_up : desk_->faults.cut_down;
    const std::size_t left = limit ? *limit - std::min(*limit, way.passed) : size;
    const bool cuts = limit && left <= size;
    size = std::min(size, left);
    if (size == 0 && cuts) return cut(desk_->faults.reset);
    asio::async_write(
        other.from, asio::buffer(way.bytes, size),
        [self = shared_from_this(), &way, &other, cuts](const error_code& error, std::size_t written) {
          way.passed += written;
          (self->is_up(way) ? self->desk_->up : self->desk_->down) += written;
          if (error || cuts) return self->cut(error ? true : self->desk_->faults.reset);
          self->read(way, other);
        });
  }

  std::shared_ptr<Desk> desk_;
  Way up_;
  Way down_;
  int ended_ = 0;
};

void TcpProxy::Desk::accept() {
  acceptor.async_accept([self = shared_from_this()](const error_code& error, tcp::socket client) {
    if (error) return;
    ++self->accepted;
    const auto line = std::make_shared<Line>(self, std::move(client));
    self->lines.insert(line);
    line->start();
    self->accept();
  });
}

TcpProxy::TcpProxy(asio::io_context& io, std::uint16_t server) : desk_(std::make_shared<Desk>(io, server)) {
  desk_->accept();
}

TcpProxy::~TcpProxy() {
  desk_->acceptor.close();
  cut_all();
}

std::uint16_t TcpProxy::port() const {
  return desk_->endpoint.port();
}
void TcpProxy::set(TcpFaults faults) {
  desk_->faults = faults;
}
void TcpProxy::set_server(std::uint16_t server) {
  desk_->server = server;
}
std::size_t TcpProxy::accepted() const {
  return desk_->accepted;
}
std::size_t TcpProxy::open() const {
  return desk_->lines.size();
}
std::size_t TcpProxy::bytes_up() const {
  return desk_->up;
}
std::size_t TcpProxy::bytes_down() const {
  return desk_->down;
}

void TcpProxy::cut_all() {
  const auto lines = desk_->lines;
  for (const auto& line : lines) line->cut(true);
}

// A socket that is bound but does not listen refuses, and nobody else can take the port.
void TcpProxy::refuse(bool refuse) {
  desk_->acceptor.close();
  desk_->acceptor.open(tcp::v4());
  desk_->acceptor.set_option(tcp::acceptor::reuse_address(true));
  desk_->acceptor.bind(desk_->endpoint);
  if (refuse) return;
  desk_->acceptor.listen();
  desk_->accept();
}

}  // namespace tgkeep::test
