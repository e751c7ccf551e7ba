#include "http/request_body.hpp"

#include <boost/asio/error.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

namespace tgkeep::http {

namespace {

constexpr std::size_t kPiece = 64U << 10;
// Worth more than a new connection costs, up to here.
constexpr std::uint64_t kDrained = 64U << 10;

}  // namespace

/// Only the time that somebody waits for the client counts against it.
class RequestBody::Waiting {
 public:
  explicit Waiting(RequestBody& body) : body_(body), began_(std::chrono::steady_clock::now()) {
    body_.wire_->set_deadline(body_.left_);
  }
  ~Waiting() {
    // After `leave` the deadline is that of the connection.
    if (!body_.closed_) body_.wire_->clear_deadline();
    body_.left_ -= std::chrono::steady_clock::now() - began_;
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  RequestBody& body_;
  MonoTime began_;
};

RequestBody::RequestBody(std::shared_ptr<Wire> wire, RequestReader& reader, const ServerOptions& options)
    : wire_(std::move(wire)),
      reader_(&reader),
      length_(reader.length()),
      request_timeout_(options.request_timeout),
      left_(options.stream_timeout),
      changed_(wire_->executor()) {}

asio::awaitable<std::string> RequestBody::read() {
  for (;;) {
    std::optional<std::string> piece = next();
    if (piece) co_return *std::move(piece);
    if (must_invite()) {
      invited_ = true;
      co_await wire_->write("HTTP/1.1 100 Continue\r\n\r\n", "", request_timeout_);
      continue;
    }
    co_await more();
    if (wire_->take_expired()) refuse(408);
  }
}

asio::awaitable<void> RequestBody::more() {
  const Waiting waiting(*this);
  co_await changed_.wait();
}

// Nothing when it has to be waited for.
std::optional<std::string> RequestBody::next() {
  if (closed_) throw boost::system::system_error(asio::error::operation_aborted);
  std::string& input = wire_->input();
  for (;;) {
    const std::size_t taken = reader_->take(input);
    input.erase(0, taken);
    std::string piece = reader_->take_piece(kPiece);
    if (!piece.empty() || reader_->state() == RequestReader::State::complete) {
      wire_->read_on();
      return piece;
    }
    if (reader_->state() == RequestReader::State::bad) refuse(reader_->refusal());
    if (taken == 0) break;
  }
  if (wire_->gone()) throw boost::system::system_error(asio::error::eof);
  wire_->start_read();
  return std::nullopt;
}

void RequestBody::refuse(int status) {
  refusal_ = status;
  namespace beast_http = boost::beast::http;
  if (status == 408) throw boost::system::system_error(asio::error::timed_out);
  if (status == 413) throw boost::system::system_error(make_error_code(beast_http::error::body_limit));
  throw boost::system::system_error(make_error_code(beast_http::error::bad_chunk));
}

bool RequestBody::must_invite() const {
  return !invited_ && wire_->input().empty() && reader_->expects_continue();
}

void RequestBody::close() {
  if (closed_) return;
  closed_ = true;
  reader_->forget_body();
  swallow();
  wake();
}

// What is here already costs nothing, and may be all of it.
void RequestBody::swallow() {
  std::string& input = wire_->input();
  for (;;) {
    const std::size_t taken = reader_->take(input);
    input.erase(0, taken);
    const std::string piece = reader_->take_piece(kPiece);
    if (taken == 0 && piece.empty()) break;
  }
}

bool RequestBody::complete() const {
  return reader_->state() == RequestReader::State::complete;
}

bool RequestBody::may_be_drained() const {
  if (complete()) return true;
  if (reader_->state() != RequestReader::State::body || wire_->gone() || must_invite()) return false;
  const std::optional<std::uint64_t> rest = reader_->rest();
  return rest && *rest <= kDrained;
}

asio::awaitable<bool> RequestBody::drain() {
  wire_->set_deadline(request_timeout_);
  for (;;) {
    swallow();
    if (complete() || reader_->state() != RequestReader::State::body || wire_->gone()) break;
    wire_->start_read();
    co_await wire_->read_ended();
    if (wire_->take_expired()) break;
  }
  co_return complete();
}

}  // namespace tgkeep::http
