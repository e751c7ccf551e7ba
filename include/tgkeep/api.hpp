#pragma once
// The Bot API as a port: any method by name and JSON. Implementations never put the token in a text.

#include <boost/asio/awaitable.hpp>
#include <boost/system/result.hpp>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <tgkeep/error.hpp>
#include <tgkeep/time.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tgkeep {

namespace asio = boost::asio;

/// Why a call gave no result. The class decides whether it may be repeated.
class ApiError {
 public:
  /// Whether it may have taken effect.
  enum class Kind : std::uint8_t {
    not_sent,    ///< surely did not reach Telegram: may be repeated
    maybe_sent,  ///< bytes left, no valid answer came (or a 5xx): it may have taken effect
    refused,     ///< Telegram answered ok:false (or the call can't be sent as it is): it took no effect
  };
  ApiError() = default;  // asked for by ApiResult::error() of Boost 1.81
  ApiError(Kind kind, std::string description) : kind(kind), description(std::move(description)) {}

  Kind kind = Kind::not_sent;  ///< whether it may have taken effect
  int code = 0;  ///< error_code of a refusal, HTTP status of an answer that is not the API's, else 0
  std::string description;                          ///< Telegram's words, or ours
  std::optional<std::chrono::seconds> retry_after;  ///< parameters.retry_after (429), or a Retry-After header
  std::optional<std::int64_t> migrate_to_chat_id;   ///< parameters.migrate_to_chat_id
  std::string method;                               ///< of the call
  std::string params;  ///< the call's parameters as JSON: may hold what users wrote, so not for logs

  /// One line: the method, what happened to it, why, and whether it may be repeated. For logs.
  std::string text() const;
};

/// `ApiError` as an exception.
class ApiFailure : public std::runtime_error {
 public:
  explicit ApiFailure(ApiError error) : std::runtime_error(error.text()), error_(std::move(error)) {}
  /// What Telegram or the way to it said.
  const ApiError& error() const noexcept { return error_; }

 private:
  ApiError error_;
};

/// Called by `ApiResult::value()` when there is none: throws `ApiFailure`.
[[noreturn]] void throw_exception_from_error(const ApiError& error, const boost::source_location& where);

/// The raw JSON text of `result`, or why there is none.
using ApiResult = boost::system::result<std::string, ApiError>;

/// A file to upload with a call, as the parameter `name`: out of memory, or from the disk.
class ApiFile {
 public:
  ApiFile(std::string name, std::string file_name, std::string content)
      : name(std::move(name)), file_name(std::move(file_name)), content(std::move(content)) {}
  /// The file at `path`, read piece by piece while it is sent; it must not change meanwhile. Told to Telegram
  /// by the last part of its path.
  static ApiFile from_disk(std::string name, std::string path);
  std::string name;       ///< of the parameter
  std::string file_name;  ///< as Telegram is told
  std::string content;    ///< the bytes, if `path` is empty
  std::string path;       ///< where they are on the disk
};

/// A call to make. `params` is a JSON object.
class ApiRequest {
 public:
  ApiRequest(std::string method, std::string params, Duration timeout)
      : method(std::move(method)), params(std::move(params)), timeout(timeout) {}
  /// With the timeout that the client has for the method.
  explicit ApiRequest(std::string method, std::string params = "{}")
      : method(std::move(method)), params(std::move(params)) {}
  std::string method;          ///< `sendMessage`
  std::string params;          ///< a JSON object
  std::vector<ApiFile> files;  ///< with any, the call is sent as multipart/form-data
  Duration timeout{};  ///< for the whole exchange, connecting included; 0: the client's for the method
  bool repeatable =
      false;  ///< true only for calls without effect (getUpdates, get…): the client may resend them
  bool from_outbox = false;  ///< retried durably by the outbox: nothing on the way should
};

/// One bot's Bot API. Called and resumed on the loop's thread; cancellable (ends as maybe_sent or not_sent).
class Api {
 public:
  virtual ~Api() = default;
  /// Makes the call and waits for its answer, at most `request.timeout`.
  virtual asio::awaitable<ApiResult> call(ApiRequest request) = 0;

 protected:
  Api() = default;
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;
};

static_assert(!std::is_aggregate_v<ApiError> && !std::is_aggregate_v<ApiRequest> &&
              !std::is_aggregate_v<ApiFile>);

}  // namespace tgkeep
