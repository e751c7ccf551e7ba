#include "http/reply_text.hpp"

#include <array>
#include <charconv>

namespace tgkeep::http {

namespace {

bool is_one_line(std::string_view text) noexcept {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

void add(std::string& head, std::string_view name, std::string_view value) {
  head.append(name).append(": ").append(value).append("\r\n");
}

std::string beginning(const ServerReply& reply, bool keep_alive, bool with_type) {
  std::string head;
  head.reserve(192);
  head.append("HTTP/1.1 ").append(std::to_string(reply.status)).append(" ");
  head.append(reason_phrase(reply.status)).append("\r\n");
  add(head, "Connection", keep_alive ? "keep-alive" : "close");
  if (!reply.content_type.empty() && with_type) add(head, "Content-Type", reply.content_type);
  for (const auto& [name, value] : reply.headers) add(head, name, value);
  return head;
}

}  // namespace

std::string_view reason_phrase(int status) noexcept {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 411:
      return "Length Required";
    case 413:
      return "Payload Too Large";
    case 415:
      return "Unsupported Media Type";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Entity";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Status";
  }
}

std::string reply_head(const ServerReply& reply, bool keep_alive) {
  std::string head = beginning(reply, keep_alive, !reply.body.empty());
  // A 204 has no body by definition and must not claim a length.
  if (reply.status != 204) add(head, "Content-Length", std::to_string(reply.body.size()));
  head.append("\r\n");
  return head;
}

std::string stream_head(const ServerReply& reply, bool keep_alive, bool chunked) {
  std::string head = beginning(reply, keep_alive, true);
  if (chunked) add(head, "Transfer-Encoding", "chunked");
  head.append("\r\n");
  return head;
}

std::optional<std::uint64_t> announced_length(const ServerReply& reply) {
  const std::string* const text = find_header(reply.headers, "Content-Length");
  std::uint64_t length = 0;
  if (text == nullptr) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), length);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return length;
}

std::string chunk(std::string_view piece) {
  std::array<char, 16> size{};
  const auto [end, error] = std::to_chars(size.data(), size.data() + size.size(), piece.size(), 16);
  std::string text(size.data(), end);
  text.append("\r\n").append(piece).append("\r\n");
  return text;
}

bool is_well_formed(const ServerReply& reply) noexcept {
  if (reply.status < 200 || reply.status > 999 || !is_one_line(reply.content_type)) return false;
  for (const auto& [name, value] : reply.headers) {
    if (name.empty() || name.find(':') != std::string::npos || !is_one_line(name) || !is_one_line(value))
      return false;
  }
  return true;
}

}  // namespace tgkeep::http
