#include "face/file_passage.hpp"

#include <array>

#include "face/attempt.hpp"
#include "face/reply.hpp"
#include "loop/event.hpp"
#include "telegram/request_params.hpp"

namespace tgkeep::face {

namespace {

constexpr int kTries = 3;
constexpr Duration kPause = std::chrono::milliseconds(200);
constexpr std::array kAsked{"Range",    "If-Range",           "If-None-Match", "If-Modified-Since",
                            "If-Match", "If-Unmodified-Since"};
constexpr std::array kTold{"Content-Length", "Content-Range",       "Accept-Ranges", "ETag",
                           "Last-Modified",  "Content-Disposition", "Cache-Control"};

/// A path that leaves the bot's folder would be another request: a server in front resolves it.
bool stays_inside(std::string_view path) {
  const std::string decoded = telegram::percent_decoded(path, false);
  std::string_view left = decoded;
  if (left.empty() || left.find_first_of(std::string_view("\\#\0", 3)) != std::string_view::npos)
    return false;
  for (;;) {
    const std::size_t end = left.find('/');
    const std::string_view segment = left.substr(0, end);
    if (segment == "." || segment == "..") return false;
    if (end == std::string_view::npos) return true;
    left.remove_prefix(end + 1);
  }
}

http::ServerReply answered(http::ClientResponse response) {
  http::ServerReply reply(response.status, {}, "application/octet-stream");
  const std::string* const type = http::find_header(response.headers, "Content-Type");
  if (type != nullptr) reply.content_type = *type;
  for (const char* const name : kTold) {
    const std::string* const value = http::find_header(response.headers, name);
    if (value != nullptr) reply.headers.emplace_back(name, *value);
  }
  if (response.status == 204 || response.status == 304) {
    reply.content_type.clear();
    std::erase_if(reply.headers, [](const auto& header) { return header.first == "Content-Length"; });
    return reply;
  }
  reply.stream = stream_of(std::move(response.body), std::move(response.stream));
  return reply;
}

}  // namespace

asio::awaitable<http::ServerReply> FilePassage::pass(std::string root, FacePath path,
                                                     http::ServerRequest request) {
  if (request.method != "GET") co_return http::ServerReply(501, "", "");
  if (request.absolute || !stays_inside(path.rest)) co_return refusal(404, "Not Found");
  std::string url = root + path.rest;
  if (!path.query.empty()) url += "?" + path.query.substr(0, path.query.find('#'));
  http::ClientRequest asked("GET", std::move(url));
  asked.repeatable = true;
  for (const char* const name : kAsked) {
    const std::string* const value = http::find_header(request.headers, name);
    if (value != nullptr) asked.headers.emplace_back(name, *value);
  }
  for (int tries = 1;; ++tries) {
    http::ClientRequest again = asked;
    http::ClientResult opened = co_await client_.open(std::move(again));
    if (opened) {
      http::ClientResponse response = *std::move(opened);
      co_return answered(std::move(response));
    }
    if (tries == kTries) co_return refusal(502, "Bad Gateway: " + opened.error().text);
    co_await loop::sleep_for(clock_, kPause);
  }
}

}  // namespace tgkeep::face
