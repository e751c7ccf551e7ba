#include "http/connection.hpp"

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

#include "http/reply_text.hpp"
#include "words/exception_text.hpp"

namespace tgkeep::http {

namespace {

constexpr Duration kLinger = std::chrono::seconds(2);
constexpr std::size_t kLingerSize = 32U << 20;
constexpr std::size_t kJoin = 16U << 10;
constexpr std::size_t kKept = 8U << 10;
constexpr std::size_t kPieces = 20;

ReaderLimits limits_of(const ServerOptions& options) {
  ReaderLimits limits(options.max_header, options.max_body);
  if (options.streams) limits.max_stream = options.max_stream;
  limits.decodes = options.decodes;
  return limits;
}

}  // namespace

Connection::Connection(std::shared_ptr<Wire> wire, std::shared_ptr<ConnectionSetting> setting)
    : wire_(std::move(wire)), setting_(std::move(setting)), reader_(limits_of(setting_->options)) {}

void Connection::start(std::function<void()> ended) {
  auto done = [self = shared_from_this(), ended = std::move(ended)](const std::exception_ptr& failure) {
    if (failure && !self->aborted_ && !self->wire_->gone()) {
      self->setting_->log.error("http_connection_failed", {{"error", words::text_of(failure)}});
    }
    self->wire_->close();
    ended();
  };
  asio::co_spawn(wire_->executor(), run(shared_from_this()),
                 asio::bind_cancellation_slot(cancel_.slot(), std::move(done)));
}

Connection::Use Connection::use() const noexcept {
  if (handling_ || streaming_ || wire_->writing()) return Use::busy;
  if (!served_) return Use::unproven;
  return reader_.begun() ? Use::busy : Use::idle;
}

std::size_t Connection::held() const noexcept {
  return wire_->input().capacity() + reader_.held();
}

void Connection::finish() {
  if (streaming_) return abort();
  if (!handling_ && !wire_->writing()) wire_->close();
}

void Connection::abort() {
  aborted_ = true;
  if (handling_) cancel_.emit(asio::cancellation_type::terminal);
  wire_->close();
}

void Connection::hung_up() {
  aborted_ = true;
  cancel_.emit(asio::cancellation_type::terminal);
}

asio::awaitable<void> Connection::run(std::shared_ptr<Connection>) {
  if (wire_->secure()) {
    const bool greeted = co_await greet();
    if (!greeted) co_return;
  }
  for (;;) {
    const bool complete = co_await read_request();
    if (!complete) break;
    served_ = true;
    ++setting_->stats.requests;
    ServerRequest request = take_request();
    const bool more = co_await answer(std::move(request));
    if (!more) break;
    const bool ready = co_await end_body();
    if (!ready) break;
  }
}

ServerRequest Connection::take_request() {
  if (reader_.streamed()) body_ = std::make_shared<RequestBody>(wire_, reader_, setting_->options);
  ServerRequest request = reader_.release();
  request.stream = body_;
  request.open = weak_from_this();
  return request;
}

// What the handler has not read of the body stands before the next request.
asio::awaitable<bool> Connection::end_body() {
  if (!body_) co_return true;
  const bool drained = co_await body_->drain();
  body_.reset();
  reader_.next();
  co_return drained;
}

bool Connection::may_go_on() const {
  return reader_.keep_alive() && !setting_->stopping && (!body_ || body_->may_be_drained());
}

asio::awaitable<bool> Connection::greet() {
  wire_->set_deadline(setting_->options.request_timeout);
  const bool greeted = co_await wire_->greet();
  if (!greeted) {
    ++setting_->stats.failed_handshakes;
    setting_->log.debug("http_tls_failed", {{"peer", wire_->peer()}, {"error", wire_->failure()}});
  }
  co_return greeted;
}

asio::awaitable<bool> Connection::read_request() {
  bool begun = false;
  bool invited = false;
  const ServerOptions& options = setting_->options;
  // A newcomer has asked for nothing yet that it could be kept for.
  wire_->set_deadline(served_ ? options.idle_timeout
                              : std::min(options.idle_timeout, options.request_timeout));
  std::string& input = wire_->input();
  if (input.empty() && input.capacity() > kKept) std::string().swap(input);
  for (;;) {
    input.erase(0, reader_.take(input));
    if (!begun && reader_.begun()) wire_->set_deadline(options.request_timeout);
    begun = reader_.begun();
    if (reader_.state() == RequestReader::State::check) {
      std::optional<ServerReply> refusal = check_head();
      if (refusal) {
        co_await refuse(std::move(*refusal));
        co_return false;
      }
      reader_.accept(wanted_body());
      if (!reader_.streamed()) continue;
    }
    const bool open = reader_.state() == RequestReader::State::body && reader_.streamed();
    if (open || reader_.state() == RequestReader::State::complete) {
      wire_->clear_deadline();
      co_return true;
    }
    if (reader_.state() == RequestReader::State::bad) {
      ServerReply reply(reader_.refusal());
      co_await refuse(std::move(reply));
      co_return false;
    }
    if (!invited && input.empty() && reader_.expects_continue()) {
      invited = true;
      const bool written =
          co_await wire_->write("HTTP/1.1 100 Continue\r\n\r\n", "", options.request_timeout);
      if (!written) co_return false;
    }
    if (wire_->gone() || setting_->stopping) co_return false;
    wire_->start_read();
    co_await wire_->read_ended();
    if (wire_->take_expired()) {
      ServerReply late(408);
      if (begun) co_await refuse(std::move(late));
      co_return false;
    }
    if (wire_->gone() && input.empty()) co_return false;
  }
}

void Connection::tell_refusal(int status) {
  if (!setting_->options.on_refused) return;
  ServerRequest& request = reader_.request();
  request.peer = wire_->peer();
  try {
    setting_->options.on_refused(request, status);
  } catch (...) {
    setting_->log.error("http_refusal_untold", {{"error", words::text_of(std::current_exception())}});
  }
}

std::optional<ServerReply> Connection::check_head() {
  ServerRequest& request = reader_.request();
  request.peer = wire_->peer();
  if (!setting_->options.check_head) return std::nullopt;
  try {
    return setting_->options.check_head(request);
  } catch (...) {
    setting_->log.error("http_check_failed", {{"error", words::text_of(std::current_exception())}});
    return ServerReply(500);
  }
}

RequestReader::Body Connection::wanted_body() {
  if (!setting_->options.streams) return RequestReader::Body::gathered;
  bool streamed = false;
  try {
    streamed = setting_->options.streams(reader_.request());
  } catch (...) {
    setting_->log.error("http_check_failed", {{"error", words::text_of(std::current_exception())}});
  }
  return streamed ? RequestReader::Body::streamed : RequestReader::Body::gathered;
}

asio::awaitable<std::optional<ServerReply>> Connection::handle(ServerRequest request) {
  std::optional<ServerReply> reply;
  // The handler of the request before may have ended uncancellable: that is not for this one.
  co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
  handling_ = true;
  std::function<void()> changed;
  if (body_) changed = [this] { body_->wake(); };
  wire_->read_ahead([this] { hung_up(); }, std::move(changed));
  try {
    asio::awaitable<ServerReply> work = setting_->handler(std::move(request));
    ServerReply answer = co_await std::move(work);
    reply.emplace(std::move(answer));
  } catch (...) {
    // The target is not logged: it may hold a secret.
    const bool refused = body_ && body_->refusal() != 0;
    if (!aborted_ && !refused) {
      setting_->log.error("http_handler_failed", {{"error", words::text_of(std::current_exception())}});
      reply.emplace(500);
    }
  }
  wire_->end_read_ahead();
  if (body_) body_->close();
  handling_ = false;
  co_return reply;
}

void Connection::make_well_formed(ServerReply& reply) const {
  if (is_well_formed(reply)) return;
  setting_->log.error("http_bad_reply", {{"status", reply.status}});
  reply = ServerReply(500);
}

asio::awaitable<bool> Connection::answer(ServerRequest request) {
  const bool bodiless = request.method == "HEAD";
  std::optional<ServerReply> reply = co_await handle(std::move(request));
  if (body_ && body_->refusal() != 0 && !aborted_) {
    ++setting_->stats.refused;
    ServerReply refusal(body_->refusal());
    co_await send_refusal(std::move(refusal));
    co_return false;
  }
  if (reply && reply->reset) wire_->reset_when_closed();
  if (aborted_ || !reply || reply->hang_up) co_return false;
  make_well_formed(*reply);
  if (reply->stream) {
    const bool streamed = co_await answer_stream(std::move(*reply), bodiless);
    co_return streamed;
  }
  const bool more = may_go_on();
  std::string head = reply_head(*reply, more);
  std::string body = bodiless || reply->status == 204 ? std::string() : std::move(reply->body);
  if (reply->cut_at || reply->drip > Duration::zero() || reply->reset) {
    head += body;
    co_await write_faulty(*reply, std::move(head));
    co_return false;
  }
  if (body.size() <= kJoin) {
    head += body;
    body.clear();
  }
  const bool written = co_await wire_->write(head, body, setting_->options.request_timeout);
  if (written && !more) co_await end_gently();
  co_return written&& more;
}

asio::awaitable<bool> Connection::answer_stream(ServerReply reply, bool bodiless) {
  std::optional<std::uint64_t> left = announced_length(reply);
  const bool chunked = !reader_.is_old() && !left;
  const bool more = (chunked || left) && may_go_on();
  const Duration patience = setting_->options.request_timeout;
  const std::string head = stream_head(reply, more, chunked);
  streaming_ = true;
  bool whole = co_await wire_->write(head, "", patience);
  bool ended = bodiless;
  while (whole && !ended && !setting_->stopping) {
    std::optional<std::string> piece = co_await next_piece(reply.stream);
    whole = piece.has_value() && !aborted_;
    if (!whole) break;
    ended = piece->empty();
    // Not a byte more than announced, and what is less can only be said by closing.
    if (left) piece->resize(static_cast<std::size_t>(std::min<std::uint64_t>(piece->size(), *left)));
    if (left) *left -= piece->size();
    const std::string bytes = chunked ? chunk(*piece) : std::move(*piece);
    whole = co_await wire_->write(bytes, "", patience);
  }
  whole = whole && (bodiless || left.value_or(0) == 0);
  streaming_ = false;
  if (whole && ended && !more) co_await end_gently();
  co_return whole&& ended&& more;
}

// The next piece is asked for when this one is with the system: who reads slowly slows down who writes.
asio::awaitable<std::optional<std::string>> Connection::next_piece(const ReplyStream& stream) {
  std::optional<std::string> piece;
  handling_ = true;
  wire_->read_ahead([this] { hung_up(); });
  try {
    asio::awaitable<std::string> work = stream();
    std::string next = co_await std::move(work);
    piece.emplace(std::move(next));
  } catch (...) {
    if (!aborted_) {
      setting_->log.error("http_stream_failed", {{"error", words::text_of(std::current_exception())}});
    }
  }
  wire_->end_read_ahead();
  handling_ = false;
  co_return piece;
}

asio::awaitable<void> Connection::write_faulty(const ServerReply& reply, std::string bytes) {
  if (reply.cut_at) bytes.resize(std::min(bytes.size(), *reply.cut_at));
  std::size_t piece = bytes.size();
  if (reply.drip > Duration::zero()) piece = bytes.size() / kPieces + 1;
  asio::steady_timer pause(wire_->executor());
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const std::string_view next = std::string_view(bytes).substr(at, piece);
    const bool written = co_await wire_->write(next, "", setting_->options.request_timeout);
    if (!written || aborted_) co_return;
    if (at + piece >= bytes.size()) break;
    pause.expires_after(reply.drip);
    co_await pause.async_wait(asio::use_awaitable);
  }
}

asio::awaitable<void> Connection::refuse(ServerReply reply) {
  ++setting_->stats.refused;
  tell_refusal(reply.status);
  if (reply.reset) wire_->reset_when_closed();
  if (reply.hang_up) co_return;
  make_well_formed(reply);
  co_await send_refusal(std::move(reply));
}

asio::awaitable<void> Connection::send_refusal(ServerReply reply) {
  std::string head = reply_head(reply, false);
  if (reply.status != 204 && reader_.request().method != "HEAD") head += reply.body;
  const bool written = co_await wire_->write(head, "", setting_->options.request_timeout);
  if (written) co_await linger();
}

asio::awaitable<void> Connection::end_gently() {
  const bool more_comes = body_ && !body_->complete();
  if (more_comes || !wire_->input().empty()) co_await linger();
}

// Closing at once would reset the connection under the answer while the client still sends.
asio::awaitable<void> Connection::linger() {
  wire_->end_sending();
  wire_->set_deadline(kLinger);
  std::size_t heard = 0;
  while (!wire_->gone() && !setting_->stopping && heard < kLingerSize) {
    heard += wire_->input().size();
    wire_->input().clear();
    wire_->start_read();
    co_await wire_->read_ended();
    if (wire_->take_expired()) break;
  }
}

}  // namespace tgkeep::http
