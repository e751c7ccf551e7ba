#pragma once
// Behaviours of the API client that are put around each call: retries, logging, a recorder for tests, your
// own.

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <string>
#include <tgkeep/api.hpp>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/time.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep {

/// The rest of the way of a call: the transformers further in, then Telegram. Copyable; valid while the
/// transformer it was given to runs.
class ApiNext {
 public:
  /// One step of the way.
  using Function = std::function<asio::awaitable<ApiResult>(ApiRequest)>;
  ApiNext(Function function, Clock& clock) : function_(std::move(function)), clock_(&clock) {}
  /// May be called any number of times, or not at all.
  asio::awaitable<ApiResult> operator()(ApiRequest request) const;
  /// What a transformer waits by.
  Clock& clock() const noexcept { return *clock_; }

 private:
  Function function_;
  Clock* clock_;
};

/// Gets a call and the rest of its way, and answers it. Called and resumed on the loop's thread: it must not
/// block. The last of a list is the outermost: it sees the call first and the answer last. May be a lambda
/// with captures: it lives as long as the calls that go through it; a coroutine takes both arguments by
/// value. What it throws reaches the caller.
using ApiTransformer = std::function<asio::awaitable<ApiResult>(ApiNext next, ApiRequest request)>;

/// An Api whose calls go through `transformers` to `api`. Both references must outlive it, and it its calls.
/// Throws Failure (misuse) when one of them is empty.
std::unique_ptr<Api> make_transformed_api(Api& api, Clock& clock, std::vector<ApiTransformer> transformers);

/// Limits of `auto_retry`.
class AutoRetryOptions {
 public:
  AutoRetryOptions() = default;
  int max_retries = 3;                                 ///< of one call, of all kinds together
  Duration max_retry_after = std::chrono::minutes(1);  ///< a longer 429 is given back to the caller
  Duration first_delay = std::chrono::seconds(3);      ///< after 5xx and network failures, doubling
  Duration max_delay = std::chrono::seconds(30);       ///< cap of that delay
  /// Also repeats what may have been sent (5xx, a lost answer) although the call has an effect: it may then
  /// happen twice. False: only calls that surely did not arrive, and those marked `repeatable`.
  bool resend_doubtful = false;
};

/// Retries calls by class: what was refused for a time (429) after exactly `retry_after`; what was not sent,
/// and for repeatable calls what may have been sent, after a growing delay. Everything else is given back.
/// Calls of the outbox pass: the outbox retries durably. A wait ends at once when the call is cancelled, with
/// the last error. It holds the handler, so its slot, while it waits: leave calls whose answer is not needed
/// to the outbox.
ApiTransformer auto_retry(AutoRetryOptions options = AutoRetryOptions());

/// One log line a call: method, milliseconds, and how it ended. Never parameters.
ApiTransformer log_calls(Log log);

/// Keeps every call, for tests. Copies share what is kept. Any thread.
class CallRecorder {
 public:
  CallRecorder();
  /// Records the call and lets it through.
  ApiTransformer recording() const;
  /// Records the call and answers it itself: with what `answer_with` gave for its method, else `true`.
  ApiTransformer answering() const;
  /// The JSON text of `result`, or the ApiError, for each later call of the method.
  void answer_with(std::string method, ApiResult answer);
  /// In order of their start.
  std::vector<ApiRequest> calls() const;

 private:
  class Book;
  std::shared_ptr<Book> book_;
};

static_assert(!std::is_aggregate_v<ApiNext> && !std::is_aggregate_v<AutoRetryOptions>);

}  // namespace tgkeep
