#include "face/reply.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>

namespace tgkeep::face {

namespace {

std::string quoted(std::string_view text) {
  return boost::json::serialize(boost::json::string_view(text.data(), text.size()));
}

}  // namespace

http::ServerReply ok(std::string_view result, std::string_view description) {
  std::string body = R"({"ok":true,"result":)";
  body += result;
  if (!description.empty()) body += R"(,"description":)" + quoted(description);
  body += '}';
  return http::ServerReply(200, std::move(body));
}

http::ServerReply refusal(int code, std::string_view description,
                          std::optional<std::chrono::seconds> retry_after) {
  std::string body = R"({"ok":false,"error_code":)" + std::to_string(code);
  body += R"(,"description":)" + quoted(description);
  http::ServerReply reply(code);
  if (retry_after) {
    const std::string seconds = std::to_string(retry_after->count());
    body += R"(,"parameters":{"retry_after":)" + seconds + '}';
    reply.headers.emplace_back("Retry-After", seconds);
  }
  reply.body = std::move(body) + '}';
  return reply;
}

http::ServerReply put_off() {
  const std::string seconds = std::to_string(kPutOff.count());
  http::ServerReply reply = refusal(429, "Too Many Requests: retry after " + seconds, kPutOff);
  reply.headers.emplace_back(kOutcomeHeader, "not_sent");
  return reply;
}

}  // namespace tgkeep::face
