#include "http/connection.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

#include "http/reply_text.hpp"

namespace tgkeep::http {

namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr Duration kLinger = std::chrono::seconds(2);
constexpr std::size_t kLingerSize = 32U << 20;
constexpr std::size_t kReadAhead = 64U << 10;
constexpr std::size_t kJoin = 16U << 10;

std::string text_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "not a std::exception";
  }
}

// An IPv4 client of an IPv6 socket is still an IPv4 client.
std::string address_of(const asio::ip::tcp::endpoint& end) {
  const auto address = end.address();
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address.to_string();
  return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
}

}  // namespace

Connection::Connection(asio::ip::tcp::socket socket, std::shared_ptr<const ConnectionSetting> setting)
    : socket_(std::move(socket)),
      setting_(std::move(setting)),
      reader_(setting_->options.max_header, setting_->options.max_body) {
  boost::system::error_code ignored;
  socket_.non_blocking(true, ignored);
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  const auto end = socket_.remote_endpoint(ignored);
  if (!ignored) peer_ = address_of(end);
}

void Connection::start(std::function<void()> ended) {
  auto done = [self = shared_from_this(), ended = std::move(ended)](const std::exception_ptr& failure) {
    if (failure && !self->aborted_ && !self->gone_) {
      self->setting_->log.error("http_connection_failed", {{"error", text_of(failure)}});
    }
    self->close();
    ended();
  };
  asio::co_spawn(socket_.get_executor(), run(shared_from_this()),
                 asio::bind_cancellation_slot(cancel_.slot(), std::move(done)));
}

void Connection::set_deadline(Duration timeout) {
  deadline_ = std::chrono::steady_clock::now() + timeout;
}

void Connection::check_deadline(MonoTime now) {
  if (now < deadline_) return;
  deadline_ = MonoTime::max();
  expired_ = true;
  boost::system::error_code ignored;
  if (writing_) {
    close();
  } else {
    socket_.cancel(ignored);
  }
}

void Connection::finish() {
  if (!handling_ && !writing_) close();
}

void Connection::abort() {
  aborted_ = true;
  if (handling_) cancel_.emit(asio::cancellation_type::terminal);
  close();
}

void Connection::abandon() {
  const auto waiting = std::exchange(waiting_, std::nullopt);
  close();
}

void Connection::close() {
  gone_ = true;
  boost::system::error_code ignored;
  socket_.close(ignored);
}

void Connection::start_read() {
  if (reading_ || gone_) return;
  reading_ = true;
  socket_.async_read_some(asio::buffer(chunk_),
                          [self = shared_from_this()](const boost::system::error_code& error,
                                                      std::size_t size) { self->on_read(error, size); });
}

void Connection::on_read(const boost::system::error_code& error, std::size_t size) {
  reading_ = false;
  if (!error) {
    input_.append(chunk_.data(), size);
    // Beyond this a hang-up is noticed only when the answer is written.
    if (handling_ && input_.size() < kReadAhead) start_read();
  } else if (!(error == asio::error::operation_aborted && expired_)) {
    gone_ = true;
    if (handling_) {
      aborted_ = true;
      cancel_.emit(asio::cancellation_type::terminal);
    }
  }
  if (waiting_) {
    auto waiting = std::exchange(waiting_, std::nullopt);
    (*waiting)();
  }
}

// The read is no operation of the coroutine: it goes on while a handler runs, and tells of a hang-up.
asio::awaitable<void> Connection::read_ended() {
  auto keep = [this](auto handler) { waiting_.emplace(std::move(handler)); };
  return asio::async_initiate<const asio::use_awaitable_t<>, void()>(keep, asio::use_awaitable);
}

asio::awaitable<void> Connection::run(std::shared_ptr<Connection>) {
  for (;;) {
    const bool complete = co_await read_request();
    if (!complete) break;
    served_ = true;
    ServerRequest request = reader_.release();
    start_read();
    const bool more = co_await answer(std::move(request));
    if (!more) break;
  }
}

asio::awaitable<bool> Connection::read_request() {
  bool begun = false;
  bool invited = false;
  set_deadline(served_ ? setting_->options.idle_timeout
                       : std::min(setting_->options.idle_timeout, setting_->options.request_timeout));
  for (;;) {
    input_.erase(0, reader_.take(input_));
    if (!begun && reader_.begun()) set_deadline(setting_->options.request_timeout);
    begun = reader_.begun();
    if (reader_.state() == RequestReader::State::check) {
      std::optional<ServerReply> refusal = check_head();
      if (refusal) {
        co_await refuse(std::move(*refusal));
        co_return false;
      }
      reader_.accept();
      continue;
    }
    if (reader_.state() == RequestReader::State::complete) {
      deadline_ = MonoTime::max();
      co_return true;
    }
    if (reader_.state() == RequestReader::State::bad) {
      ServerReply reply(reader_.refusal());
      co_await refuse(std::move(reply));
      co_return false;
    }
    if (!invited && input_.empty() && reader_.expects_continue()) {
      invited = true;
      const bool written = co_await write("HTTP/1.1 100 Continue\r\n\r\n", "");
      if (!written) co_return false;
    }
    if (gone_ || setting_->stopping) co_return false;
    start_read();
    co_await read_ended();
    if (expired_) {
      expired_ = false;
      ServerReply late(408);
      if (begun) co_await refuse(std::move(late));
      co_return false;
    }
    if (gone_ && input_.empty()) co_return false;
  }
}

std::optional<ServerReply> Connection::check_head() {
  ServerRequest& request = reader_.request();
  request.peer = peer_;
  if (!setting_->options.check_head) return std::nullopt;
  try {
    return setting_->options.check_head(request);
  } catch (...) {
    setting_->log.error("http_check_failed", {{"error", text_of(std::current_exception())}});
    return ServerReply(500);
  }
}

asio::awaitable<std::optional<ServerReply>> Connection::handle(ServerRequest request) {
  std::optional<ServerReply> reply;
  handling_ = true;
  try {
    asio::awaitable<ServerReply> work = setting_->handler(std::move(request));
    ServerReply answer = co_await std::move(work);
    reply.emplace(std::move(answer));
  } catch (...) {
    // The target is not logged: it may hold a secret.
    if (!aborted_) {
      setting_->log.error("http_handler_failed", {{"error", text_of(std::current_exception())}});
      reply.emplace(500);
    }
  }
  handling_ = false;
  co_return reply;
}

asio::awaitable<bool> Connection::answer(ServerRequest request) {
  const bool bodiless = request.method == "HEAD";
  std::optional<ServerReply> reply = co_await handle(std::move(request));
  if (aborted_ || !reply || reply->hang_up) co_return false;
  if (!is_well_formed(*reply)) {
    setting_->log.error("http_bad_reply", {{"status", reply->status}});
    reply.emplace(500);
  }
  const bool more = reader_.keep_alive() && !setting_->stopping;
  std::string head = reply_head(*reply, more);
  std::string body = bodiless || reply->status == 204 ? std::string() : std::move(reply->body);
  if (body.size() <= kJoin) {
    head += body;
    body.clear();
  }
  const bool written = co_await write(head, body);
  co_return written&& more;
}

asio::awaitable<void> Connection::refuse(ServerReply reply) {
  if (reply.hang_up) co_return;
  if (!is_well_formed(reply)) {
    setting_->log.error("http_bad_reply", {{"status", reply.status}});
    reply = ServerReply(500);
  }
  std::string head = reply_head(reply, false);
  if (reply.status != 204 && reader_.request().method != "HEAD") head += reply.body;
  const bool written = co_await write(head, "");
  if (written) co_await linger();
}

// Closing at once would reset the connection under the answer while the client still sends.
asio::awaitable<void> Connection::linger() {
  boost::system::error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  std::size_t heard = 0;
  set_deadline(kLinger);
  while (!gone_ && !expired_ && !setting_->stopping && heard < kLingerSize) {
    heard += input_.size();
    input_.clear();
    start_read();
    co_await read_ended();
  }
}

// Most answers fit into the socket's buffer: no operation is started for those.
asio::awaitable<bool> Connection::write(std::string_view head, std::string_view body) {
  const MonoTime before = deadline_;
  writing_ = true;
  bool whole = false;
  for (;;) {
    const std::array<asio::const_buffer, 2> parts{asio::buffer(head), asio::buffer(body)};
    boost::system::error_code error;
    const std::size_t size = socket_.write_some(parts, error);
    const std::size_t of_head = std::min(size, head.size());
    head.remove_prefix(of_head);
    body.remove_prefix(size - of_head);
    whole = head.empty() && body.empty();
    if (whole || (error && error != asio::error::would_block)) break;
    set_deadline(setting_->options.request_timeout);
    const auto [waited] = co_await socket_.async_wait(asio::ip::tcp::socket::wait_write, kTuple);
    if (waited) break;
  }
  writing_ = false;
  deadline_ = before;
  co_return whole;
}

}  // namespace tgkeep::http
