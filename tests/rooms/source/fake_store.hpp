#pragma once
// A store for sources: only `put`, with scripted delays and failures.

#include <deque>
#include <map>
#include <optional>
#include <stdexcept>
#include <tgkeep/clock.hpp>
#include <tgkeep/store.hpp>

#include "loop/event.hpp"
#include "rooms/source/fake_api.hpp"

namespace tgkeep::test {

/// How one put goes.
class PutScript {
 public:
  explicit PutScript(Duration takes) : takes(takes) {}
  PutScript(Duration takes, Error error) : takes(takes), error(std::move(error)) {}
  Duration takes;
  std::optional<Error> error;
  bool stored_all_the_same = false;  ///< with an error: it was written, but nobody knows
};

class FakeStore final : public Store {
 public:
  FakeStore(Clock& clock, Journal& journal) : clock_(clock), journal_(journal) {}

  void next_put(PutScript script) { scripts_.push_back(std::move(script)); }
  bool has(std::int64_t id) const { return stored.contains(id); }

  asio::awaitable<Result<std::vector<PutResult>>> put(std::vector<Update> updates) override {
    std::string ids;
    for (const auto& update : updates)
      ids += " " + (update.id.value() < 0 ? "?" : std::to_string(update.id.value()));
    journal_.push_back("put" + ids);
    PutScript script{Duration{}};
    if (!scripts_.empty()) {
      script = scripts_.front();
      scripts_.pop_front();
    }
    if (script.takes > Duration{}) co_await loop::sleep_for(clock_, script.takes);
    std::vector<PutResult> results;
    if (!script.error || script.stored_all_the_same) {
      for (auto& update : updates) {
        const bool duplicate = stored.contains(update.id.value());
        results.emplace_back(Seq(++seq_), duplicate);
        if (!duplicate) stored.emplace(update.id.value(), std::move(update));
      }
    }
    if (script.error) {
      journal_.push_back(std::string(to_string(script.error->code())));
      co_return *script.error;
    }
    journal_.push_back("durable");
    co_return results;
  }

  asio::awaitable<Result<std::vector<Head>>> lease(LeaseRequest) override {
    throw std::logic_error("not for sources");
  }
  asio::awaitable<Result<std::vector<Item>>> begin(Queue, std::vector<Seq>, Mark) override {
    throw std::logic_error("not for sources");
  }
  asio::awaitable<Result<void>> renew(Queue, std::vector<Seq>) override {
    throw std::logic_error("not for sources");
  }
  asio::awaitable<Result<std::vector<bool>>> settle(std::vector<Settlement>) override {
    throw std::logic_error("not for sources");
  }
  asio::awaitable<Result<StoreCounts>> counts() override { throw std::logic_error("not for sources"); }
  Epoch epoch() const noexcept override { return Epoch(1); }

  std::map<std::int64_t, Update> stored;

 private:
  Clock& clock_;
  Journal& journal_;
  std::deque<PutScript> scripts_;
  std::int64_t seq_ = 0;
};

static_assert(!std::is_aggregate_v<PutScript>);

}  // namespace tgkeep::test
