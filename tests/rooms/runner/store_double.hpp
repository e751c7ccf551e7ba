#pragma once
// A store before a store: lets a test hold, fail or change what passes through.

#include <functional>
#include <map>
#include <optional>
#include <tgkeep/store.hpp>
#include <tgkeep/store_browser.hpp>
#include <utility>

#include "loop/event.hpp"

namespace tgkeep::test {

class StoreDouble final : public Store {
 public:
  StoreDouble(const asio::any_io_executor& loop, Store& real) : real_(real), released_(loop) {}

  std::optional<Error> fail_begin;       ///< returned while set
  std::optional<Error> fail_lease;       ///< returned while set
  std::optional<Error> fail_renew;       ///< returned while set
  std::optional<Error> fail_settle;      ///< returned while set
  std::map<Seq, std::uint32_t> crashes;  ///< reported for these heads and items
  std::vector<std::pair<Seq, Mark>> begun;
  std::vector<Seq> renewed;
  std::vector<Settlement> settled;
  std::size_t commits = 0;  ///< of settlements

  /// Begun items reach the runner only after `release_begin`.
  void hold_begin() { holding_begin_ = true; }
  void release_begin() {
    holding_begin_ = false;
    released_.notify();
  }

  /// Settlements reach the real store, but do not return before `release`.
  void hold_settle() { holding_ = true; }
  void release() {
    holding_ = false;
    released_.notify();
  }

  asio::awaitable<Result<std::vector<PutResult>>> put(std::vector<Update> updates) override {
    return real_.put(std::move(updates));
  }

  asio::awaitable<Result<std::vector<Head>>> lease(LeaseRequest request) override {
    if (fail_lease) co_return Result<std::vector<Head>>(*fail_lease);
    auto heads = co_await real_.lease(request);
    if (heads) {
      for (Head& head : *heads) head.crashes = crashes_of(head.seq);
    }
    co_return heads;
  }

  asio::awaitable<Result<std::vector<Item>>> begin(Queue queue, std::vector<Seq> seqs, Mark mark) override {
    if (fail_begin) co_return Result<std::vector<Item>>(*fail_begin);
    for (const Seq seq : seqs) begun.emplace_back(seq, mark);
    auto items = co_await real_.begin(queue, std::move(seqs), mark);
    if (items) {
      for (Item& item : *items) item.crashes = crashes_of(item.seq);
    }
    while (holding_begin_) co_await released_.wait();
    co_return items;
  }

  asio::awaitable<Result<void>> renew(Queue queue, std::vector<Seq> seqs) override {
    if (fail_renew) co_return Result<void>(*fail_renew);
    renewed.insert(renewed.end(), seqs.begin(), seqs.end());
    Result<void> result = co_await real_.renew(queue, std::move(seqs));
    co_return result;
  }

  asio::awaitable<Result<std::vector<bool>>> settle(std::vector<Settlement> settlements) override {
    if (fail_settle) co_return Result<std::vector<bool>>(*fail_settle);
    ++commits;
    for (const Settlement& settlement : settlements) {
      settled.push_back(settlement);
      if (settlement.survived) crashes.erase(settlement.seq);
    }
    auto written = co_await real_.settle(std::move(settlements));
    while (holding_) co_await released_.wait();
    co_return written;
  }

  asio::awaitable<Result<StoreCounts>> counts() override { return real_.counts(); }
  Epoch epoch() const noexcept override { return real_.epoch(); }
  StoreBrowser* browser() noexcept override { return real_.browser(); }

 private:
  std::uint32_t crashes_of(Seq seq) const {
    const auto found = crashes.find(seq);
    return found == crashes.end() ? 0U : found->second;
  }
  Store& real_;
  bool holding_ = false;
  bool holding_begin_ = false;
  loop::Event released_;
};

}  // namespace tgkeep::test
