#include <chrono>
#include <exception>
#include <string_view>
#include <tgkeep/transformer.hpp>
#include <utility>

namespace tgkeep {

namespace {

std::string_view word_of(ApiError::Kind kind) noexcept {
  switch (kind) {
    case ApiError::Kind::not_sent:
      return "not_sent";
    case ApiError::Kind::maybe_sent:
      return "maybe_sent";
    case ApiError::Kind::refused:
      return "refused";
  }
  return "";
}

void write(const Log& log, std::string_view method, Duration took, const ApiResult& answer) {
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(took).count();
  if (answer) {
    log.info("call", {{"method", method}, {"ms", millis}, {"ended", "ok"}});
    return;
  }
  const ApiError& error = answer.error();
  log.warning("call", {{"method", method},
                       {"ms", millis},
                       {"ended", word_of(error.kind)},
                       {"code", error.code},
                       {"error", error.description}});
}

asio::awaitable<ApiResult> call_and_log(Log log, ApiNext next, ApiRequest request) {
  const std::string method = request.method;
  const MonoTime start = next.clock().mono();
  try {
    ApiResult answer = co_await next(std::move(request));
    write(log, method, next.clock().mono() - start, answer);
    co_return answer;
  } catch (const std::exception& thrown) {
    const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(next.clock().mono() - start);
    log.warning("call",
                {{"method", method}, {"ms", millis.count()}, {"ended", "thrown"}, {"error", thrown.what()}});
    throw;
  }
}

}  // namespace

ApiTransformer log_calls(Log log) {
  return [log = std::move(log)](ApiNext next, ApiRequest request) {
    return call_and_log(log, std::move(next), std::move(request));
  };
}

}  // namespace tgkeep
