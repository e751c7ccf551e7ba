#pragma once
// A runner on a memory store in virtual time, with handlers scripted by update_id and a trace of what they
// did.

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tgkeep/memory_store.hpp>
#include <tgkeep/runner.hpp>
#include <vector>

#include "loop/virtual_clock.hpp"
#include "rooms/runner/store_double.hpp"
#include "support/run.hpp"

namespace tgkeep::test {

/// What a scripted handler does: takes this long, then ends so. `deaf`: ignores its first cancellation and
/// goes on for `deaf_for`.
class Script {
 public:
  Script() : outcome(Outcome::done()) {}
  Script(Duration takes, Outcome outcome) : takes(takes), outcome(std::move(outcome)) {}
  Duration takes{};
  Outcome outcome;
  bool throws = false;
  bool deaf = false;
  Duration deaf_for = std::chrono::hours(10'000);
};

class ScriptedSink final : public Sink {
 public:
  explicit ScriptedSink(Clock& clock) : clock_(clock) {}
  std::function<Script(const Item&)> script = [](const Item&) { return Script(); };
  std::vector<std::string> trace;
  std::vector<std::shared_ptr<const Delivery>> deliveries;
  std::size_t running = 0;
  std::size_t most_running = 0;

  asio::awaitable<Outcome> deliver(std::shared_ptr<const Delivery> delivery) override {
    const Item& item = delivery->item;
    const std::string name = std::to_string(item.update_id.value());
    deliveries.push_back(delivery);
    trace.push_back("start " + name);
    most_running = std::max(most_running, ++running);
    const Script script = this->script(item);
    const Counted counted(running);
    bool aborted = false;
    try {
      co_await loop::sleep_for(clock_, script.takes);
    } catch (const boost::system::system_error&) {
      aborted = true;
    }
    if (aborted && script.deaf) {
      // Only a further cancellation ends it, as with a sink that waits for a handler of its own.
      co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
      co_await loop::sleep_for(clock_, script.deaf_for);
      aborted = false;
    }
    if (aborted) {
      trace.push_back("abort " + name);
      throw boost::system::system_error(asio::error::operation_aborted);
    }
    trace.push_back("end " + name);
    if (script.throws) throw std::runtime_error("boom");
    co_return script.outcome;
  }

 private:
  class Counted {
   public:
    explicit Counted(std::size_t& count) : count_(count) {}
    ~Counted() { --count_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

   private:
    std::size_t& count_;
  };
  Clock& clock_;
};

/// An update `id` of the chats in `keys`.
inline Update make_update(std::int64_t id, const std::vector<std::string>& keys, WallTime received) {
  Update update;
  update.bot = BotId(42);
  update.id = UpdateId(id);
  update.kind = "message";
  for (const std::string& key : keys) update.keys.emplace_back(update.bot, "chat:" + key);
  update.received = received;
  update.raw = R"({"update_id":)" + std::to_string(id) + R"(,"message":{}})";
  return update;
}

/// Stops a runner in virtual time.
inline StopReport stop(Runner& runner, asio::io_context& io, loop::VirtualClock& clock, Duration drain) {
  std::optional<StopReport> report;
  asio::co_spawn(io, runner.stop(drain), [&](std::exception_ptr, StopReport value) { report = value; });
  loop::run_for(io, clock, Duration::zero());
  for (int step = 0; !report && step < 100; ++step)
    loop::run_for(io, clock, drain / 10 + std::chrono::seconds(1));
  if (!report) throw std::logic_error("stop did not end");
  return *report;
}

class RunnerBench {
 public:
  explicit RunnerBench(RunnerOptions options = RunnerOptions())
      : options(options),
        real_(store::make_memory_store(io.get_executor(), clock)),
        store(io.get_executor(), *real_),
        sink(clock) {
    this->options.seed = 1;
  }
  ~RunnerBench() {
    if (runner) stop(Duration::zero());
  }
  RunnerBench(const RunnerBench&) = delete;
  RunnerBench& operator=(const RunnerBench&) = delete;

  void put(std::int64_t id, const std::vector<std::string>& keys) {
    std::vector<Update> one;
    one.push_back(make_update(id, keys, clock.wall()));
    put(std::move(one));
  }
  void put(std::vector<Update> updates) {
    const auto result = run(io, store.put(std::move(updates)));
    if (!result) throw std::logic_error(result.error().text());
  }
  void start() {
    if (!runner) {
      runner = make_runner(io.get_executor(), clock, store, Queue::inbox, sink, options, Log());
    }
    runner->start();
    pass(Duration::zero());
  }
  void pass(Duration duration) { loop::run_for(io, clock, duration); }
  StopReport stop(Duration drain) { return test::stop(*runner, io, clock, drain); }
  StoreCounts counts() { return *run(io, store.counts()); }
  int times(const std::string& line) const {
    return static_cast<int>(std::count(sink.trace.begin(), sink.trace.end(), line));
  }

  asio::io_context io;
  loop::VirtualClock clock;
  RunnerOptions options;

 private:
  std::unique_ptr<Store> real_;

 public:
  StoreDouble store;
  ScriptedSink sink;
  std::unique_ptr<Runner> runner;
};

}  // namespace tgkeep::test
