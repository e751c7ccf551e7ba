#pragma once
// A scripted Bot API: answers given beforehand, in virtual time; what was asked goes to a journal.

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <deque>
#include <string>
#include <tgkeep/api.hpp>
#include <tgkeep/clock.hpp>
#include <vector>

#include "loop/event.hpp"

namespace tgkeep::test {

/// What happened, in order, over all the fakes of a test.
using Journal = std::vector<std::string>;

inline ApiError refused(int code, std::string description) {
  ApiError error(ApiError::Kind::refused, std::move(description));
  error.code = code;
  return error;
}

class FakeApi final : public Api {
 public:
  FakeApi(Clock& clock, Journal& journal) : clock_(clock), journal_(journal) {}

  /// The next getUpdates gets this, `after` it was asked. With nothing left, calls wait until cancelled.
  void updates(ApiResult answer, Duration after = {}) { updates_.emplace_back(std::move(answer), after); }
  /// All other methods: one answer each, "true" when nothing is left.
  void other(ApiResult answer) { others_.push_back(std::move(answer)); }

  asio::awaitable<ApiResult> call(ApiRequest request) override {
    journal_.push_back(request.method + " " + request.params);
    requests.push_back(request);
    times.push_back(clock_.mono());
    ApiResult answer = std::string("true");
    Duration after{};
    if (request.method != "getUpdates") {
      if (!others_.empty()) {
        answer = std::move(others_.front());
        others_.pop_front();
      }
      co_return answer;
    }
    after = std::chrono::hours(24 * 365);
    if (!updates_.empty()) {
      answer = std::move(updates_.front().first);
      after = updates_.front().second;
      updates_.pop_front();
    }
    bool cancelled = false;
    try {
      co_await loop::sleep_for(clock_, after);
    } catch (const boost::system::system_error&) {
      cancelled = true;
    }
    if (cancelled) answer = ApiError(ApiError::Kind::maybe_sent, "cancelled");
    co_return answer;
  }

  std::vector<ApiRequest> requests;
  std::vector<MonoTime> times;

 private:
  Clock& clock_;
  Journal& journal_;
  std::deque<std::pair<ApiResult, Duration>> updates_;
  std::deque<ApiResult> others_;
};

}  // namespace tgkeep::test
