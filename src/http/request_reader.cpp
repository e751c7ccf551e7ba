// The only file that includes Beast (beside beast_src.cpp).
#include "http/request_reader.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>

namespace tgkeep::http {

namespace {

namespace beast_http = boost::beast::http;

int status_of(const boost::system::error_code& error) noexcept {
  if (error == beast_http::error::header_limit) return 431;
  if (error == beast_http::error::body_limit) return 413;
  if (error == beast_http::error::bad_version) return 505;
  return 400;
}

}  // namespace

class RequestReader::Parser {
 public:
  std::optional<beast_http::request_parser<beast_http::string_body>> request;
};

RequestReader::RequestReader(std::size_t max_header, std::size_t max_body)
    : max_header_(max_header), max_body_(max_body), parser_(std::make_unique<Parser>()) {
  start();
}

RequestReader::~RequestReader() = default;

void RequestReader::start() {
  auto& request = parser_->request.emplace();
  request.header_limit(static_cast<std::uint32_t>(max_header_));
  request.body_limit(max_body_);
  request.eager(true);
  state_ = State::head;
}

void RequestReader::refuse(int status) noexcept {
  state_ = State::bad;
  refusal_ = status;
}

// What the grammar allows and we do not: other versions, encodings we can't find the end of, a missing host.
void RequestReader::check_head() {
  const auto& head = parser_->request->get();
  const unsigned version = head.version();
  if (version != 10 && version != 11) return refuse(505);
  if (head.count(beast_http::field::transfer_encoding) > 0 && !parser_->request->chunked())
    return refuse(501);
  if (version == 11 && head.count(beast_http::field::host) == 0) return refuse(400);
  state_ = State::body;
}

std::size_t RequestReader::take(std::string_view bytes) {
  if (state_ == State::bad || state_ == State::complete) return 0;
  std::size_t taken = 0;
  // Some clients end a body with a line break that belongs to nothing.
  if (state_ == State::head) {
    while (bytes.substr(taken).starts_with("\r\n")) taken += 2;
  }
  if (taken == bytes.size()) return taken;
  boost::system::error_code error;
  auto& request = *parser_->request;
  taken += request.put(boost::asio::buffer(bytes.substr(taken)), error);
  if (error && error != beast_http::error::need_more) {
    refuse(status_of(error));
    return taken;
  }
  if (state_ == State::head && request.is_header_done()) check_head();
  if (state_ == State::body && request.is_done()) {
    state_ = State::complete;
    keep_alive_ = request.keep_alive();
  }
  return taken;
}

bool RequestReader::expects_continue() const {
  if (state_ != State::body) return false;
  const auto& head = parser_->request->get();
  return head.version() == 11 && boost::beast::iequals(head[beast_http::field::expect], "100-continue");
}

ServerRequest RequestReader::release() {
  auto message = parser_->request->release();
  ServerRequest request;
  const auto method = message.method_string();
  const auto target = message.target();
  request.method.assign(method.data(), method.size());
  request.target.assign(target.data(), target.size());
  for (const auto& field : message) {
    const auto name = field.name_string();
    const auto value = field.value();
    request.headers.emplace_back(std::string(name.data(), name.size()),
                                 std::string(value.data(), value.size()));
  }
  request.body = std::move(message.body());
  start();
  return request;
}

}  // namespace tgkeep::http
