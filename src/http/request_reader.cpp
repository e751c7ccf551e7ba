#include "http/request_reader.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <optional>

#include "http/request_parser.hpp"

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

}  // namespace

class RequestReader::Parser {
 public:
  std::optional<RequestParser> parser;
};

RequestReader::RequestReader(std::size_t max_header, std::size_t max_body)
    : max_header_(max_header), max_body_(max_body), parser_(std::make_unique<Parser>()) {
  start();
}

RequestReader::~RequestReader() = default;

void RequestReader::start() {
  auto& parser = parser_->parser.emplace();
  parser.header_limit(static_cast<std::uint32_t>(max_header_));
  parser.body_limit(max_body_);
  state_ = State::head;
  head_size_ = 0;
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
  if (head_size_ + (done ? 0 : bytes.size() - size) > max_header_) return refuse(431);
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

void RequestReader::accept() {
  state_ = State::body;
  parser_->parser->eager(true);
  if (parser_->parser->is_done()) end_body();
}

void RequestReader::take_body(std::string_view bytes, std::size_t& taken) {
  bytes.remove_prefix(taken);
  if (bytes.empty()) return;
  // Offered the start of an empty chunked body and then one byte more, Beast of Boost 1.81 fails an
  // assertion.
  const bool short_start = parser_->parser->plain_chunked && !parser_->parser->has_chunk && bytes.size() < 5;
  if (short_start && bytes[0] == '0') return;
  boost::system::error_code error;
  const std::size_t size = parser_->parser->put(boost::asio::buffer(bytes), error);
  if (error && error != beast_http::error::need_more) return refuse(status_of(error, bytes));
  taken += size;
  if (parser_->parser->is_done()) return end_body();
  // Only the lines around chunks are left; they could come for ever.
  if (bytes.size() - size > max_header_) refuse(431);
}

void RequestReader::end_body() {
  state_ = State::complete;
  keep_alive_ = parser_->parser->keep_alive();
  old_ = parser_->parser->version == 10;
}

bool RequestReader::expects_continue() const noexcept {
  return state_ == State::body && parser_->parser->wants_continue && parser_->parser->version == 11;
}

ServerRequest RequestReader::release() {
  ServerRequest request = std::move(parser_->parser->request);
  start();
  return request;
}

std::size_t RequestReader::held() const noexcept {
  const ServerRequest& request = parser_->parser->request;
  std::size_t size = request.method.capacity() + request.target.capacity() + request.body.capacity();
  size += request.headers.capacity() * sizeof(Headers::value_type);
  for (const auto& [name, value] : request.headers) size += name.capacity() + value.capacity();
  return size;
}

}  // namespace tgkeep::http
