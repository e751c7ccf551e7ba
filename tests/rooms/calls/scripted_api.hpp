#pragma once
// An Api whose answers are given beforehand; it notes when each call came, in virtual time.

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <string>
#include <tgkeep/transformer.hpp>
#include <vector>

#include "loop/virtual_clock.hpp"

namespace tgkeep::test {

inline ApiError refused(int code, std::string description) {
  ApiError error(ApiError::Kind::refused, std::move(description));
  error.code = code;
  return error;
}

inline ApiError flood(std::chrono::seconds retry_after) {
  ApiError error = refused(429, "Too Many Requests: retry after " + std::to_string(retry_after.count()));
  error.retry_after = retry_after;
  return error;
}

inline ApiError maybe_sent(int code) {
  ApiError error(ApiError::Kind::maybe_sent, "Bad Gateway");
  error.code = code;
  return error;
}

inline ApiError not_sent() {
  return ApiError(ApiError::Kind::not_sent, "could not connect");
}

class ScriptedApi final : public Api {
 public:
  explicit ScriptedApi(Clock& clock) : clock_(clock), start_(clock.mono()) {}
  /// One answer for each call; the last one again and again.
  void answers(std::vector<ApiResult> answers) { answers_ = std::move(answers); }

  asio::awaitable<ApiResult> call(ApiRequest request) override {
    seconds.push_back(std::chrono::duration_cast<std::chrono::seconds>(clock_.mono() - start_).count());
    requests.push_back(std::move(request));
    ApiResult answer = answers_.at(std::min(requests.size(), answers_.size()) - 1);
    co_return answer;
  }

  std::vector<std::int64_t> seconds;  ///< when each call came
  std::vector<ApiRequest> requests;

 private:
  Clock& clock_;
  MonoTime start_;
  std::vector<ApiResult> answers_{std::string("true")};
};

/// A loop in virtual time with a scripted Api.
class CallBench {
 public:
  /// Starts the call; its answer comes when time has moved on.
  void start(Api& api, ApiRequest request) {
    auto on_end = [this](const std::exception_ptr& thrown, ApiResult result) {
      failure = thrown;
      if (!thrown) answer = std::move(result);
    };
    asio::co_spawn(io, api.call(std::move(request)),
                   asio::bind_cancellation_slot(cancel.slot(), std::move(on_end)));
  }
  ApiResult call(Api& api, ApiRequest request) {
    start(api, std::move(request));
    loop::run_for(io, clock, std::chrono::hours(24));
    if (failure) std::rethrow_exception(failure);
    return answer.value();
  }

  asio::io_context io;
  loop::VirtualClock clock;
  ScriptedApi api{clock};
  asio::cancellation_signal cancel;
  std::optional<ApiResult> answer;
  std::exception_ptr failure;
};

inline ApiRequest send_message() {
  return ApiRequest("sendMessage", R"({"chat_id":7,"text":"hi"})", std::chrono::seconds(10));
}

}  // namespace tgkeep::test
