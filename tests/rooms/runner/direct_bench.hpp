#pragma once
// A runner without a store in virtual time: its supplier hands out what a test has put, its sink is scripted.

#include <deque>
#include <optional>
#include <tgkeep/direct_runner.hpp>
#include <utility>

#include "rooms/runner/runner_bench.hpp"

namespace tgkeep::test {

/// Gives out what was put into it, never more than asked for; waits, cancellably, while it has nothing.
class Line {
 public:
  Line(asio::any_io_executor loop, Clock& clock) : clock_(clock), changed_(loop) {}

  void put(std::int64_t id, const std::vector<std::string>& keys) {
    updates_.push_back(make_update(id, keys, clock_.wall()));
    changed_.notify();
  }
  /// After what it has: nothing ever again.
  void end() {
    ended_ = true;
    changed_.notify();
  }
  UpdateSupplier supplier() {
    return [this](std::size_t limit) { return supply(limit); };
  }

  std::vector<std::size_t> limits;  ///< that it was asked for
  std::vector<MonoTime> asked;      ///< when
  int calls_at_once = 0;
  int most_calls_at_once = 0;
  std::size_t left() const { return updates_.size(); }

 private:
  asio::awaitable<std::optional<std::vector<Update>>> supply(std::size_t limit) {
    limits.push_back(limit);
    asked.push_back(clock_.mono());
    const Call call(*this);
    while (updates_.empty() && !ended_) co_await changed_.wait();
    std::optional<std::vector<Update>> batch;
    if (updates_.empty()) co_return batch;
    batch.emplace();
    while (!updates_.empty() && batch->size() < limit) {
      batch->push_back(std::move(updates_.front()));
      updates_.pop_front();
    }
    co_return batch;
  }

  class Call {
   public:
    explicit Call(Line& line) : line_(line) {
      line.most_calls_at_once = std::max(line.most_calls_at_once, ++line.calls_at_once);
    }
    ~Call() { --line_.calls_at_once; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    Line& line_;
  };

  Clock& clock_;
  loop::Event changed_;
  std::deque<Update> updates_;
  bool ended_ = false;
};

class DirectBench {
 public:
  explicit DirectBench(DirectOptions options = DirectOptions())
      : options(std::move(options)), line(io.get_executor(), clock), sink(clock), supplier(line.supplier()) {}
  ~DirectBench() {
    if (runner) stop(Duration::zero());
  }
  DirectBench(const DirectBench&) = delete;
  DirectBench& operator=(const DirectBench&) = delete;

  void put(std::int64_t id, const std::vector<std::string>& keys) { line.put(id, keys); }
  void start() {
    if (!runner) {
      runner = make_direct_runner(io.get_executor(), clock, supplier, sink, options, log());
    }
    runner->start();
    pass(Duration::zero());
  }
  void pass(Duration duration) { loop::run_for(io, clock, duration); }
  StopReport stop(Duration drain) { return test::stop(*runner, io, clock, drain); }
  int times(const std::string& line) const {
    return static_cast<int>(std::count(sink.trace.begin(), sink.trace.end(), line));
  }
  std::size_t logged(const std::string& event) const {
    return static_cast<std::size_t>(std::count(events.begin(), events.end(), event));
  }

  asio::io_context io;
  loop::VirtualClock clock;
  DirectOptions options;
  Line line;
  ScriptedSink sink;
  UpdateSupplier supplier;
  std::vector<std::string> events;  ///< of the log
  std::unique_ptr<Runner> runner;

 private:
  Log log() {
    return Log(
        [this](LogLevel, std::string_view event, std::span<const LogField>) { events.emplace_back(event); });
  }
};

}  // namespace tgkeep::test
