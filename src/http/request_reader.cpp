#include "http/request_reader.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <optional>
#include <utility>

#include "http/request_parser.hpp"
#include "http/unpacker.hpp"

namespace tgkeep::http {

namespace {

namespace beast_http = boost::beast::http;

bool is_digit(char letter) noexcept {
  return letter >= '0' && letter <= '9';
}

// Beast says "bad version" to other versions and to garbage in their place.
bool names_a_version(std::string_view bytes) noexcept {
  const std::string_view line = bytes.substr(0, bytes.find('\r'));
  if (line.size() < 9) return false;
  const std::string_view end = line.substr(line.size() - 9);
  return end.starts_with(" HTTP/") && is_digit(end[6]) && end[7] == '.' && is_digit(end[8]);
}

int status_of(const boost::system::error_code& error, std::string_view bytes) noexcept {
  if (error == beast_http::error::header_limit) return 431;
  if (error == beast_http::error::body_limit) return 413;
  if (error == beast_http::error::bad_version && names_a_version(bytes)) return 505;
  return 400;
}

// A header line that goes on in the next one is obsolete, and read differently by different servers.
bool has_folded_line(std::string_view head) noexcept {
  for (std::size_t at = head.find('\n'); at < head.size() - 1; at = head.find('\n', at + 1)) {
    if (head[at + 1] == ' ' || head[at + 1] == '\t') return true;
  }
  return false;
}

/// Cuts "http://host" off an absolute target; false when what is left is no path.
bool make_path(const std::string& method, std::string& target, bool& absolute) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!target.starts_with(scheme)) continue;
    absolute = true;
    target.erase(0, std::min(target.find_first_of("/?", scheme.size()), target.size()));
    if (!target.starts_with('/')) target.insert(0, 1, '/');
  }
  return target.starts_with('/') || (method == "OPTIONS" && target == "*");
}

// What can't be packed grows a little when it is.
std::uint64_t packed_limit(std::uint64_t limit) noexcept {
  return limit + limit / 1024 + 64;
}

void remove(Headers& headers, std::string_view name) {
  const auto is_it = [name](const auto& header) { return boost::beast::iequals(header.first, name); };
  headers.erase(std::remove_if(headers.begin(), headers.end(), is_it), headers.end());
}

}  // namespace

class RequestReader::Parser {
 public:
  std::optional<RequestParser> parser;
  std::optional<Unpacker> unpacker;
};

RequestReader::RequestReader(const ReaderLimits& limits)
    : limits_(limits), parser_(std::make_unique<Parser>()) {
  next();
}

RequestReader::~RequestReader() = default;

void RequestReader::next() {
  parser_->unpacker.reset();
  auto& parser = parser_->parser.emplace();
  parser.header_limit(static_cast<std::uint32_t>(limits_.max_header));
  const std::uint64_t limit = std::max<std::uint64_t>(limits_.max_body, limits_.max_stream);
  parser.body_limit(limits_.decodes ? packed_limit(limit) : limit);
  state_ = State::head;
  body_ = Body::gathered;
  head_size_ = 0;
  unpacked_ = 0;
  begun_ = false;
}

void RequestReader::refuse(int status) noexcept {
  state_ = State::bad;
  refusal_ = status;
}

std::size_t RequestReader::take(std::string_view bytes) {
  std::size_t taken = 0;
  if (state_ == State::head) take_head(bytes, taken);
  if (state_ == State::body) take_body(bytes, taken);
  return taken;
}

void RequestReader::take_head(std::string_view bytes, std::size_t& taken) {
  // Some clients end a body with a line break that belongs to nothing.
  while (!begun_ && bytes.substr(taken).starts_with("\r\n")) taken += 2;
  bytes.remove_prefix(taken);
  if (bytes.empty() || (!begun_ && bytes == "\r")) return;
  begun_ = true;
  boost::system::error_code error;
  const std::size_t size = parser_->parser->put(boost::asio::buffer(bytes), error);
  if (error && error != beast_http::error::need_more) return refuse(status_of(error, bytes));
  taken += size;
  head_size_ += size;
  if (has_folded_line(bytes.substr(0, size))) return refuse(400);
  const bool done = parser_->parser->is_header_done();
  // Beast's limit is for what it has not taken yet: whole lines could come for ever.
  if (head_size_ + (done ? 0 : bytes.size() - size) > limits_.max_header) return refuse(431);
  if (done) end_head();
}

// What the grammar allows and we do not: whatever leaves in doubt where the request ends or whom it is for.
void RequestReader::end_head() {
  RequestParser& parser = *parser_->parser;
  const bool old = parser.version == 10;
  if (parser.hosts > 1 || (parser.hosts == 0 && !old)) return refuse(400);
  if (parser.lengths > 1 || parser.listed_length) return refuse(400);
  if (parser.encodings > 0 && (old || parser.lengths > 0 || parser.encodings > 1)) return refuse(400);
  if (parser.encodings > 0 && !parser.plain_chunked) return refuse(501);
  if (!make_path(parser.request.method, parser.request.target, parser.request.absolute)) return refuse(400);
  if (parser.wants_other) return refuse(417);
  state_ = State::check;
}

ServerRequest& RequestReader::request() noexcept {
  return parser_->parser->request;
}

void RequestReader::accept(Body body) {
  RequestParser& parser = *parser_->parser;
  body_ = body;
  keep_alive_ = parser.keep_alive();
  old_ = parser.version == 10;
  limit_ = body == Body::streamed ? limits_.max_stream : limits_.max_body;
  if (limits_.decodes && !prepare_unpacking()) return refuse(415);
  const std::uint64_t limit = parser.unpacks ? packed_limit(limit_) : limit_;
  if (parser.content_length().value_or(0) > limit) return refuse(413);
  parser.body_limit(limit);
  state_ = State::body;
  parser.eager(true);
  if (parser.is_done()) end_body();
}

// False when it is packed in a way that is not known.
bool RequestReader::prepare_unpacking() {
  RequestParser& parser = *parser_->parser;
  const std::string* coding = nullptr;
  for (const auto& [name, value] : parser.request.headers) {
    if (!boost::beast::iequals(name, "Content-Encoding") || boost::beast::iequals(value, "identity"))
      continue;
    if (coding != nullptr || !Unpacker::knows(value)) return false;
    coding = &value;
  }
  if (coding != nullptr) {
    parser_->unpacker.emplace(*coding);
    parser.unpacks = true;
    remove(parser.request.headers, "Content-Length");
  }
  remove(parser.request.headers, "Content-Encoding");
  return true;
}

void RequestReader::take_body(std::string_view bytes, std::size_t& taken) {
  bytes.remove_prefix(taken);
  if (bytes.empty() || (body_ == Body::streamed && has_piece())) return;
  RequestParser& parser = *parser_->parser;
  if (parser.is_done()) return;
  // Offered the start of an empty chunked body and then one byte more, Beast of Boost 1.81 fails an
  // assertion.
  const bool short_start = parser.plain_chunked && !parser.has_chunk && bytes.size() < 5;
  if (short_start && bytes[0] == '0') return;
  boost::system::error_code error;
  const std::size_t size = parser.put(boost::asio::buffer(bytes), error);
  if (error && error != beast_http::error::need_more) return refuse(status_of(error, bytes));
  taken += size;
  // Only the lines around chunks are left; they could come for ever.
  if (!parser.is_done() && bytes.size() - size > limits_.max_header) return refuse(431);
  if (body_ == Body::gathered && parser.unpacks) unpack(parser.request.body, limits_.max_body + 1);
  if (state_ == State::body && parser.is_done()) end_body();
}

void RequestReader::unpack(std::string& out, std::size_t room) {
  RequestParser& parser = *parser_->parser;
  const std::size_t before = out.size();
  std::string_view packed = parser.packed;
  const bool good = parser_->unpacker->unpack(packed, out, room - std::min(room, before));
  parser.packed.erase(0, parser.packed.size() - packed.size());
  unpacked_ += out.size() - before;
  if (!good) return refuse(400);
  if (unpacked_ > limit_) refuse(413);
}

bool RequestReader::has_piece() const noexcept {
  const RequestParser& parser = *parser_->parser;
  if (parser.unpacks) return !parser.packed.empty() || parser_->unpacker->has_more();
  return !parser.request.body.empty();
}

std::string RequestReader::take_piece(std::size_t size) {
  RequestParser& parser = *parser_->parser;
  std::string piece;
  if (state_ != State::body) return piece;
  if (parser.unpacks) {
    unpack(piece, size);
    if (state_ == State::bad) piece.clear();
  } else {
    piece = std::exchange(parser.request.body, std::string());
  }
  if (state_ == State::body && parser.is_done()) end_body();
  return piece;
}

void RequestReader::forget_body() noexcept {
  RequestParser& parser = *parser_->parser;
  parser.unpacks = false;
  parser.packed.clear();
  parser.request.body.clear();
  parser_->unpacker.reset();
  if (state_ == State::body && parser.is_done()) end_body();
}

void RequestReader::end_body() {
  if (body_ == Body::streamed && has_piece()) return;
  if (parser_->unpacker && !parser_->unpacker->ended()) return refuse(400);
  state_ = State::complete;
}

bool RequestReader::expects_continue() const noexcept {
  return state_ == State::body && parser_->parser->wants_continue && parser_->parser->version == 11;
}

ServerRequest RequestReader::release() {
  ServerRequest& held = parser_->parser->request;
  if (body_ == Body::gathered) {
    ServerRequest request = std::move(held);
    next();
    return request;
  }
  ServerRequest request;
  request.method = held.method;
  request.target = std::exchange(held.target, std::string());
  request.headers = std::exchange(held.headers, Headers());
  request.peer = held.peer;
  request.absolute = held.absolute;
  return request;
}

std::optional<std::uint64_t> RequestReader::length() const {
  const auto length = parser_->parser->content_length();
  if (parser_->parser->unpacks || !length) return std::nullopt;
  return *length;
}

std::optional<std::uint64_t> RequestReader::rest() const {
  const RequestParser& parser = *parser_->parser;
  if (state_ == State::complete) return 0;
  const auto rest = parser.content_length_remaining();
  if (!rest) return std::nullopt;
  return *rest + parser.request.body.size();
}

std::size_t RequestReader::held() const noexcept {
  const ServerRequest& request = parser_->parser->request;
  std::size_t size = request.method.capacity() + request.target.capacity() + request.body.capacity();
  size += parser_->parser->packed.capacity();
  size += request.headers.capacity() * sizeof(Headers::value_type);
  for (const auto& [name, value] : request.headers) size += name.capacity() + value.capacity();
  return size;
}

}  // namespace tgkeep::http
