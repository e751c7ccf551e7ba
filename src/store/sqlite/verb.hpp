#pragma once
// One verb of the store as a request to its thread: the work there, the result, and what it changed for those
// who lease.

#include <functional>
#include <memory>
#include <optional>

#include "store/sqlite/store_thread.hpp"

namespace tgkeep::store {

template <class T>
class Verb final : public Request {
 public:
  using Work = std::function<T(Ledger&, Changes&)>;
  Verb(const asio::any_io_executor& loop, Effect effect, bool takes_room, Work work)
      : Request(loop, effect, takes_room), work_(std::move(work)) {}

  void run(Ledger& ledger) override {
    changes_ = Changes();
    result_ = Result<T>(boost::system::in_place_value, work_(ledger, changes_));
  }
  void fail(const Error& error) override {
    changes_ = Changes();
    result_ = Result<T>(boost::system::in_place_error, error);
  }
  void publish(Arrivals& arrivals) override { arrivals.apply(std::move(changes_)); }
  Result<T> take() { return std::move(*result_); }

 private:
  Work work_;
  Changes changes_;
  std::optional<Result<T>> result_;
};

}  // namespace tgkeep::store
