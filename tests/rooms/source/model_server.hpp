#pragma once
// Telegram's queue behind getUpdates as a model: offsets and their window, long polls, lifetimes, failures at
// random points. It checks the promise at the one moment that counts: when an update is deleted because it
// was confirmed.

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <boost/json.hpp>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <tgkeep/api.hpp>
#include <tgkeep/clock.hpp>

#include "loop/event.hpp"
#include "rooms/source/fake_api.hpp"

namespace tgkeep::test {

class ModelServer final : public Api {
 public:
  ModelServer(Clock& clock, Journal&) : clock_(clock) {}

  /// Asked at each confirmation.
  std::function<bool(std::int64_t id)> is_stored;
  std::set<std::int64_t> lost;  ///< confirmed, but not stored
  std::set<std::int64_t> pushed;
  std::size_t confirmed = 0;
  std::size_t expired = 0;
  double failure_rate = 0;
  std::mt19937_64 random;

  void push(std::size_t count) {
    for (; count > 0; --count) {
      queue_.emplace(tail_, clock_.mono() + std::chrono::hours(24));
      pushed.insert(tail_++);
    }
    if (pushed_) pushed_->notify();
  }
  /// After a week without updates: ids start anew `step` from where they were.
  void restart_ids(std::int64_t step) {
    drop_expired();
    tail_ = std::max<std::int64_t>(1, tail_ + step);
  }
  bool empty() {
    drop_expired();
    return queue_.empty();
  }
  std::int64_t tail() const { return tail_; }

  asio::awaitable<ApiResult> call(ApiRequest request) override {
    ApiResult result = ApiError(ApiError::Kind::not_sent, "connection refused");
    if (request.method != "getUpdates" || happens(failure_rate)) co_return result;
    const auto params = boost::json::parse(request.params).as_object();
    std::int64_t offset = 0;
    if (params.contains("offset")) offset = params.at("offset").as_int64();
    const auto limit = static_cast<std::size_t>(params.at("limit").as_int64());
    const MonoTime end = clock_.mono() + std::chrono::seconds(params.at("timeout").as_int64());
    offset = resolve(offset);
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    if (!pushed_) pushed_ = std::make_unique<loop::Event>(executor);
    bool cancelled = false;
    while (!cancelled && empty() && clock_.mono() < end) {
      try {
        co_await pushed_->wait_until(clock_, end);
      } catch (const boost::system::system_error&) {
        cancelled = true;
      }
      if (!cancelled && !empty()) offset = resolve(offset);  // looked up again, as the real server does
    }
    if (cancelled) {
      result = ApiError(ApiError::Kind::maybe_sent, "cancelled");
      co_return result;
    }
    result = spoil(answer(offset, limit));
    co_return result;
  }

 private:
  bool happens(double rate) { return std::uniform_real_distribution<double>(0, 1)(random) < rate; }

  void drop_expired() {
    expired += std::erase_if(queue_, [&](const auto& item) { return item.second <= clock_.mono(); });
  }

  // The window rule: an offset outside of it means the head, one inside confirms everything below it.
  std::int64_t resolve(std::int64_t offset) {
    drop_expired();
    const std::int64_t head = queue_.empty() ? tail_ : queue_.begin()->first;
    if (offset <= 0 || offset > tail_ + 10 || offset < head - 100'000) return head;
    while (!queue_.empty() && queue_.begin()->first < offset) {
      const std::int64_t id = queue_.begin()->first;
      ++confirmed;
      if (!is_stored(id)) lost.insert(id);
      queue_.erase(queue_.begin());
    }
    return offset;
  }

  std::string answer(std::int64_t offset, std::size_t limit) {
    std::string text;
    for (auto item = queue_.lower_bound(offset); item != queue_.end() && limit > 0; ++item, --limit) {
      text += (text.empty() ? "" : ",") + ("{\"update_id\":" + std::to_string(item->first)) +
              ",\n\"message\":{\"chat\":{\"id\":1},\"text\":\"" + (happens(0.02) ? "\xff" : "x") + "\"}}";
    }
    return "[" + text + "]";
  }

  // What can happen to a good answer on its way.
  ApiResult spoil(std::string text) {
    if (!happens(failure_rate)) return text;
    ApiError error(ApiError::Kind::maybe_sent, "connection reset");
    switch (random() % 5) {
      case 0:
        break;
      case 1:
        error.code = 502;
        break;
      case 2:
        return text.substr(0, random() % text.size());
      case 3:
        return std::string("<html>");
      default:
        error = refused(429, "Too Many Requests");
        error.retry_after = std::chrono::seconds(1 + random() % 5);
        break;
    }
    return error;
  }

  Clock& clock_;
  std::unique_ptr<loop::Event> pushed_;
  std::map<std::int64_t, MonoTime> queue_;
  std::int64_t tail_ = 500'000;
};

}  // namespace tgkeep::test
