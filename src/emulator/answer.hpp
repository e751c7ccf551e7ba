#pragma once
// The Bot API's answer envelope.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "http/server.hpp"

namespace tgkeep::emulator {

class Answer {
 public:
  /// `result` is JSON text.
  static Answer ok(std::string_view result, std::string_view description = {});
  /// The status is the error code.
  static Answer error(int code, std::string_view description);
  /// 400 with `parameters.migrate_to_chat_id`.
  static Answer migrated(std::string_view description, std::int64_t chat);
  /// 429 with `parameters.retry_after` and the header.
  static Answer flood(std::chrono::seconds retry_after);

  int status() const noexcept { return status_; }
  const std::string& body() const noexcept { return body_; }
  http::ServerReply reply() const;

 private:
  Answer(int status, std::string body) : status_(status), body_(std::move(body)) {}
  int status_;
  std::string body_;
  std::optional<std::chrono::seconds> retry_after_;
};

static_assert(!std::is_aggregate_v<Answer>);

}  // namespace tgkeep::emulator
