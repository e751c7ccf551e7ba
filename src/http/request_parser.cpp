#include "http/request_parser.hpp"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>

namespace tgkeep::http {

namespace {

using boost::beast::iequals;

// A short header is 4 bytes on the wire and 64 and more in memory.
constexpr std::size_t kMaxFields = 256;
constexpr std::uint64_t kReserve = 4U << 10;

}  // namespace

void RequestParser::on_request_impl(boost::beast::http::verb, Text method, Text target, int number, Code&) {
  request.method.assign(method.data(), method.size());
  request.target.assign(target.data(), target.size());
  version = number;
}

// What comes behind a chunked body is no header: it could undo what was checked.
void RequestParser::on_field_impl(Field field, Text name, Text value, Code& error) {
  if (head_done_) return;
  switch (field) {
    case Field::host:
      ++hosts;
      break;
    case Field::content_length:
      ++lengths;
      listed_length = listed_length || value.find(',') != Text::npos;
      break;
    case Field::transfer_encoding:
      ++encodings;
      plain_chunked = iequals(value, "chunked");
      break;
    case Field::expect:
      wants_continue = iequals(value, "100-continue");
      wants_other = !wants_continue;
      break;
    default:
      break;
  }
  if (request.headers.size() >= kMaxFields) {
    error = boost::beast::http::error::header_limit;
    return;
  }
  request.headers.emplace_back(std::string(name.data(), name.size()),
                               std::string(value.data(), value.size()));
}

void RequestParser::on_body_init_impl(const boost::optional<std::uint64_t>& length, Code&) {
  if (length && !unpacks) request.body.reserve(static_cast<std::size_t>(std::min(*length, kReserve)));
}

std::size_t RequestParser::on_body_impl(Text bytes, Code&) {
  std::string& body = unpacks ? packed : request.body;
  body.append(bytes.data(), bytes.size());
  return bytes.size();
}

}  // namespace tgkeep::http
