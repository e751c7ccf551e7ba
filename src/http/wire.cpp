#include "http/wire.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <cstring>
#include <utility>

namespace tgkeep::http {

namespace {

using asio::ip::tcp;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kReadAhead = 64U << 10;
// Who takes an answer more slowly than this a second holds a connection for nothing.
constexpr std::size_t kSlowest = 16U << 10;

// An IPv4 client of an IPv6 socket is still an IPv4 client.
std::string address_of(const asio::generic::stream_protocol::endpoint& peer) {
  const int family = peer.protocol().family();
  tcp::endpoint end;
  if ((family != AF_INET && family != AF_INET6) || peer.size() > end.capacity()) return {};
  std::memcpy(end.data(), peer.data(), peer.size());
  end.resize(peer.size());
  const auto address = end.address();
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address.to_string();
  return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
}

}  // namespace

Wire::Wire(StreamSocket socket, const TlsContext* tls) : socket_(std::move(socket)) {
  boost::system::error_code ignored;
  socket_.non_blocking(true, ignored);
  socket_.set_option(tcp::no_delay(true), ignored);
  const auto end = socket_.remote_endpoint(ignored);
  if (!ignored) peer_ = address_of(end);
  if (tls != nullptr) tls_ = std::make_unique<TlsSession>(*tls, socket_.native_handle());
}

asio::awaitable<bool> Wire::wait_for(TlsSession::Step step) {
  if (gone_) co_return false;
  Wait what = StreamSocket::wait_read;
  if (step == TlsSession::Step::wants_write) what = StreamSocket::wait_write;
  const auto [error] = co_await socket_.async_wait(what, kTuple);
  co_return !error && !gone_;
}

asio::awaitable<bool> Wire::greet() {
  greeting_ = true;
  TlsSession::Step step = TlsSession::Step::failed;
  while (!gone_) {
    step = tls_->handshake();
    if (step != TlsSession::Step::wants_read && step != TlsSession::Step::wants_write) break;
    const bool ready = co_await wait_for(step);
    if (!ready) break;
  }
  greeting_ = false;
  co_return step == TlsSession::Step::done && !gone_;
}

void Wire::start_read() {
  if (reading_ || gone_) return;
  reading_ = true;
  if (!tls_) {
    socket_.async_read_some(asio::buffer(chunk_),
                            [self = shared_from_this()](const boost::system::error_code& error,
                                                        std::size_t size) { self->on_read(error, size); });
  } else if (tls_->has_more()) {
    asio::post(socket_.get_executor(), [self = shared_from_this()] { self->on_readable({}); });
  } else {
    socket_.async_wait(
        StreamSocket::wait_read,
        [self = shared_from_this()](const boost::system::error_code& error) { self->on_readable(error); });
  }
}

void Wire::on_read(const boost::system::error_code& error, std::size_t size) {
  reading_ = false;
  if (!error) {
    input_.append(chunk_.data(), size);
    if (size == chunk_.size()) read_more();
  } else if (!(error == asio::error::operation_aborted && expired_)) {
    lose();
  }
  wake();
}

// What follows is there already, most likely. Its end or failure shows at the next read.
void Wire::read_more() {
  std::array<char, 16U << 10> more;
  boost::system::error_code error;
  while (!error && input_.size() < kReadAhead) {
    const std::size_t size = socket_.read_some(asio::buffer(more), error);
    input_.append(more.data(), size);
    if (size < more.size()) break;
  }
}

void Wire::on_readable(const boost::system::error_code& error) {
  reading_ = false;
  const bool cancelled = error == asio::error::operation_aborted && expired_;
  if (!cancelled && (error || !read_secure())) lose();
  wake();
}

// False when nothing more will come.
bool Wire::read_secure() {
  std::array<char, 16U << 10> more;
  while (!gone_ && input_.size() < kReadAhead) {
    std::size_t size = 0;
    const TlsSession::Step step = tls_->read(more, size);
    input_.append(more.data(), size);
    if (step == TlsSession::Step::wants_read) return true;
    if (step != TlsSession::Step::done) return false;
  }
  return !gone_;
}

void Wire::lose() {
  gone_ = true;
  const auto hung_up = std::exchange(hung_up_, nullptr);
  if (hung_up) hung_up();
}

void Wire::wake() {
  read_on();
  if (changed_) changed_();
  if (!waiting_) return;
  auto waiting = std::exchange(waiting_, std::nullopt);
  (*waiting)();
}

// Beyond the limit a hang-up is noticed only when the answer is written.
void Wire::read_on() {
  if (hung_up_ && input_.size() < kReadAhead) start_read();
}

// The read is no operation of the coroutine: it goes on while a handler runs, and tells of a hang-up.
asio::awaitable<void> Wire::read_ended() {
  auto keep = [this](auto handler) { waiting_.emplace(std::move(handler)); };
  return asio::async_initiate<const asio::use_awaitable_t<>, void()>(keep, asio::use_awaitable);
}

void Wire::read_ahead(std::function<void()> hung_up, std::function<void()> changed) {
  hung_up_ = std::move(hung_up);
  changed_ = std::move(changed);
  start_read();
}

void Wire::end_read_ahead() {
  hung_up_ = nullptr;
  changed_ = nullptr;
}

TlsSession::Step Wire::put(std::string_view& head, std::string_view& body) {
  if (tls_) {
    std::string_view& part = head.empty() ? body : head;
    std::size_t size = 0;
    const TlsSession::Step step = tls_->write(part, size);
    part.remove_prefix(size);
    return step;
  }
  const std::array<asio::const_buffer, 2> parts{asio::buffer(head), asio::buffer(body)};
  boost::system::error_code error;
  const std::size_t size = socket_.write_some(parts, error);
  const std::size_t of_head = std::min(size, head.size());
  head.remove_prefix(of_head);
  body.remove_prefix(size - of_head);
  if (!error) return TlsSession::Step::done;
  return error == asio::error::would_block ? TlsSession::Step::wants_write : TlsSession::Step::failed;
}

// Most answers fit into the socket's buffer: no operation is started for those.
asio::awaitable<bool> Wire::write(std::string_view head, std::string_view body, Duration patience) {
  const MonoTime before = deadline_;
  const Duration more = std::chrono::seconds((head.size() + body.size()) / kSlowest);
  bool waited = false;
  writing_ = true;
  while (!gone_ && (!head.empty() || !body.empty())) {
    const TlsSession::Step step = put(head, body);
    if (step == TlsSession::Step::done) continue;
    if (step != TlsSession::Step::wants_read && step != TlsSession::Step::wants_write) break;
    if (!waited) set_deadline(patience + more);
    waited = true;
    const bool ready = co_await wait_for(step);
    if (!ready) break;
  }
  writing_ = false;
  deadline_ = before;
  co_return head.empty() && body.empty();
}

void Wire::reset_when_closed() {
  boost::system::error_code ignored;
  socket_.set_option(asio::socket_base::linger(true, 0), ignored);
}

void Wire::end_sending() {
  if (gone_) return;
  if (tls_) tls_->end();
  boost::system::error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
}

void Wire::set_deadline(Duration timeout) {
  deadline_ = std::chrono::steady_clock::now() + timeout;
}

void Wire::check_deadline(MonoTime now) {
  if (now < deadline_) return;
  deadline_ = MonoTime::max();
  expired_ = true;
  boost::system::error_code ignored;
  if (writing_ || greeting_) {
    close();
  } else {
    socket_.cancel(ignored);
  }
}

void Wire::close() {
  gone_ = true;
  boost::system::error_code ignored;
  socket_.close(ignored);
}

void Wire::abandon() {
  end_read_ahead();
  const auto waiting = std::exchange(waiting_, std::nullopt);
  close();
}

}  // namespace tgkeep::http
