#pragma once
// A pull sink in virtual time, with deliveries and pulls started by hand, over a book of handouts in memory.

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/system/system_error.hpp>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "loop/event.hpp"
#include "loop/virtual_clock.hpp"
#include "sink/pull_sink.hpp"

namespace tgkeep::test {

/// What a book holds, over any number of lives.
class BookShelf {
 public:
  std::map<PullId, Handout> handouts;
  std::set<Seq> settled;  ///< their handouts are not open any more
};

class FakeHandouts final : public Handouts {
 public:
  FakeHandouts(const asio::any_io_executor& loop, BookShelf& shelf) : shelf_(shelf), free(loop) {}

  asio::awaitable<Result<void>> note(std::vector<Handout> handouts) override {
    ++notes;
    const bool refuse = fail;
    while (hold) co_await free.wait();
    if (refuse) co_return Error(Errc::store_full, "no room");
    for (const Handout& handout : handouts) {
      EXPECT_TRUE(shelf_.handouts.empty() || handout.id > shelf_.handouts.rbegin()->first) << "ids must grow";
      shelf_.handouts.emplace(handout.id, handout);
    }
    co_return Result<void>();
  }
  asio::awaitable<Result<PullId>> last() override {
    if (fail) co_return Error(Errc::store_full, "no room");
    if (shelf_.handouts.empty()) co_return PullId();
    co_return shelf_.handouts.rbegin()->first;
  }
  asio::awaitable<Result<std::vector<Handout>>> open() override {
    std::map<Seq, Handout> last;
    for (const auto& [id, handout] : shelf_.handouts) {
      if (!shelf_.settled.contains(handout.seq)) last.insert_or_assign(handout.seq, handout);
    }
    std::map<PullId, Handout> by_id;
    for (const auto& [seq, handout] : last) by_id.emplace(handout.id, handout);
    std::vector<Handout> open;
    for (const auto& [id, handout] : by_id) open.push_back(handout);
    co_return open;
  }
  asio::awaitable<Result<std::vector<Handout>>> done_since(WallTime, std::size_t) override {
    co_return std::vector<Handout>();
  }
  asio::awaitable<Result<std::optional<Handout>>> find(PullId id) override {
    const auto found = shelf_.handouts.find(id);
    std::optional<Handout> handout;
    if (found != shelf_.handouts.end()) handout = found->second;
    co_return handout;
  }
  asio::awaitable<Result<std::vector<Handout>>> of(Seq) override { co_return std::vector<Handout>(); }

 private:
  BookShelf& shelf_;

 public:
  int notes = 0;
  bool hold = false;  ///< notes wait for `free`
  bool fail = false;
  loop::Event free;
};

/// One coroutine under way, with its result or what it threw.
template <class T>
class Started {
 public:
  asio::cancellation_signal cancel;
  std::optional<T> result;
  std::exception_ptr failure;
  bool ended() const { return result || failure; }
  bool aborted() const {
    try {
      if (failure) std::rethrow_exception(failure);
    } catch (const boost::system::system_error& error) {
      return error.code() == asio::error::operation_aborted;
    }
    return false;
  }
};
using Fetch = Started<sink::PullAnswer>;
using Handing = Started<Outcome>;
class Asking : public Started<http::ServerReply> {
 public:
  explicit Asking(sink::SettleReply taken) : taken(std::move(taken)) {}
  sink::SettleReply taken;
};

class PullBench : public testing::Test {
 protected:
  void TearDown() override {
    for (Fetch& fetch : fetches) fetch.cancel.emit(asio::cancellation_type::terminal);
    for (Asking& asking : askings) asking.cancel.emit(asio::cancellation_type::terminal);
    for (auto& handing : handings) handing.cancel.emit(asio::cancellation_type::terminal);
    pass(Duration::zero());
    EXPECT_EQ(running, 0);
  }

  void restart_tgkeep() {
    for (auto& handing : handings) {
      if (!handing.ended()) handing.cancel.emit(asio::cancellation_type::terminal);
    }
    pass(Duration::zero());
    sink = sink::make_pull_sink(io.get_executor(), clock, &book, options, Log(note));
  }

  static Item item(std::int64_t seq, std::size_t size = 20) {
    Item item;
    item.seq = Seq(seq);
    item.update_id = UpdateId(1000 + seq);
    item.kind = "message";
    item.lifetime = std::chrono::hours(24);
    item.body = std::string(size, '.');
    return item;
  }
  Handing& come(Item item) {
    Handing& handing = handings.emplace_back();
    start(handing, sink->deliver(std::make_shared<const Delivery>(std::move(item), false)));
    return handing;
  }
  Handing& come(std::int64_t seq) { return come(item(seq)); }
  void come(std::int64_t from, std::int64_t to) {
    for (std::int64_t seq = from; seq <= to; ++seq) come(seq);
  }

  sink::PullRequest request(std::int64_t offset, Duration wait = Duration::zero(), std::size_t limit = 100) {
    sink::PullRequest request;
    request.offset = offset;
    request.wait = wait;
    request.limit = limit;
    request.settles = settles;
    return request;
  }
  Fetch& poll(sink::PullRequest request) {
    Fetch& fetch = fetches.emplace_back();
    start(fetch, sink->pull(std::move(request)));
    return fetch;
  }
  /// What a poll gets at once, as `1:11 2:12` (number : seq).
  std::string get(std::int64_t offset, std::size_t limit = 100) {
    Fetch& fetch = poll(request(offset, Duration::zero(), limit));
    return text(fetch);
  }
  static std::string text(const Fetch& fetch) {
    if (!fetch.result) return fetch.failure ? "threw" : "waits";
    switch (fetch.result->end) {
      case sink::PullAnswer::End::updates:
        break;
      case sink::PullAnswer::End::replaced:
        return "replaced";
      case sink::PullAnswer::End::closed:
        return "closed";
      case sink::PullAnswer::End::failed:
        return "failed";
    }
    std::string all;
    for (const sink::PulledUpdate& update : fetch.result->updates) {
      if (!all.empty()) all += ' ';
      all += std::to_string(update.id.value()) + ':' + std::to_string(update.delivery->item.seq.value());
    }
    return all;
  }
  /// `done`, `dead crashed`, … of a delivery, or `waits`.
  static std::string end(const Handing& handing) {
    if (!handing.ended()) return "waits";
    if (!handing.result) return handing.aborted() ? "aborted" : "threw";
    switch (handing.result->kind) {
      case Outcome::Kind::done:
        return "done";
      case Outcome::Kind::retry:
        return "retry";
      case Outcome::Kind::dead:
        return "dead " + handing.result->reason;
      case Outcome::Kind::postpone:
        return "postponed";
      case Outcome::Kind::doubt:
        break;
    }
    return "doubt";
  }

  /// Begins to settle.
  Asking& begin_to_ask(const std::string& body, const std::string& method = "POST") {
    http::ServerRequest request;
    request.method = method;
    request.target = "/bot/tgkeep/settle";
    request.body = body;
    Asking& asking = askings.emplace_back(sink->settle(request));
    start(asking, asking.taken.when_written(clock));
    return asking;
  }
  /// What is answered at once.
  http::ServerReply ask(const std::string& body, const std::string& method = "POST") {
    const Asking& asking = begin_to_ask(body, method);
    EXPECT_TRUE(asking.result) << body << " has to wait";
    return asking.result.value_or(http::ServerReply(0, "{}"));
  }
  int status(const std::string& body) { return ask(body).status; }

  /// As a runner tells it when its store has settled.
  void store_answers(bool written) {
    for (const auto& receipt : std::exchange(receipts, {})) receipt->settled(written);
  }

  void pass(Duration duration) {
    io.restart();
    loop::run_for(io, clock, duration);
  }
  template <class T>
  void start(Started<T>& started, asio::awaitable<T> work) {
    auto on_end = [this, &started](const std::exception_ptr& failure, T result) {
      started.failure = failure;
      if constexpr (std::is_same_v<T, Outcome>) {
        if (result.receipt) receipts.push_back(std::move(result.receipt));
        if (!holds_writes) store_answers(true);
      }
      if (!failure) started.result = std::move(result);
      --running;
    };
    ++running;
    asio::co_spawn(io, std::move(work),
                   asio::bind_cancellation_slot(started.cancel.slot(), std::move(on_end)));
    pass(Duration::zero());
  }

  asio::io_context io{1};
  loop::VirtualClock clock;
  BookShelf shelf;
  FakeHandouts book{io.get_executor(), shelf};
  sink::PullOptions options;
  bool settles = false;
  std::vector<std::string> logged;
  Log::Writer note = [this](LogLevel, std::string_view event, std::span<const LogField>) {
    logged.emplace_back(event);
  };
  std::unique_ptr<sink::PullSink> sink =
      sink::make_pull_sink(io.get_executor(), clock, &book, options, Log(note));
  std::deque<Fetch> fetches;
  std::deque<Handing> handings;
  std::deque<Asking> askings;
  std::vector<std::shared_ptr<Receipt>> receipts;  ///< of what has ended and is not written yet
  bool holds_writes = false;                       ///< until `store_answers`
  int running = 0;
};

}  // namespace tgkeep::test
