#include "emulator/answer.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>

namespace tgkeep::emulator {

namespace {

std::string quoted(std::string_view text) {
  return boost::json::serialize(boost::json::string_view(text.data(), text.size()));
}

std::string failure(int code, std::string_view description) {
  return "{\"ok\":false,\"error_code\":" + std::to_string(code) + ",\"description\":" + quoted(description);
}

}  // namespace

Answer Answer::ok(std::string_view result, std::string_view description) {
  std::string body = "{\"ok\":true,\"result\":";
  body.append(result);
  if (!description.empty()) body += ",\"description\":" + quoted(description);
  return Answer(200, body + '}');
}

Answer Answer::error(int code, std::string_view description) {
  return Answer(code, failure(code, description) + '}');
}

Answer Answer::migrated(std::string_view description, std::int64_t chat) {
  return Answer(400, failure(400, description) +
                         ",\"parameters\":{\"migrate_to_chat_id\":" + std::to_string(chat) + "}}");
}

Answer Answer::flood(std::chrono::seconds retry_after) {
  const std::string seconds = std::to_string(retry_after.count());
  Answer answer(429, failure(429, "Too Many Requests: retry after " + seconds) +
                         ",\"parameters\":{\"retry_after\":" + seconds + "}}");
  answer.retry_after_ = retry_after;
  return answer;
}

http::ServerReply Answer::reply() const {
  http::ServerReply reply(status_, body_);
  if (retry_after_) reply.headers.emplace_back("Retry-After", std::to_string(retry_after_->count()));
  return reply;
}

}  // namespace tgkeep::emulator
