#pragma once
// What all parts of one simulation share.

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <tgkeep/runner.hpp>

#include "loop/virtual_clock.hpp"
#include "prove/dice.hpp"
#include "prove/sim_checker.hpp"
#include "prove/sim_fault.hpp"
#include "store/memory/memory_shelf.hpp"

namespace tgkeep::prove {

namespace asio = boost::asio;

/// One life of the simulated process. Killed: nothing it still does may be seen from outside.
class SimLifeFlag {
 public:
  explicit SimLifeFlag(std::int64_t session) : session(session) {}
  bool killed = false;
  std::int64_t session;
};

class SimScene {
 public:
  SimScene(std::uint64_t seed, RunnerOptions options, std::optional<Log> log)
      : io(std::make_shared<asio::io_context>(1)),
        dice(seed),
        options(options),
        log(log.value_or(Log())),
        checker(clock, this->options, std::move(log)),
        shelf(std::make_shared<store::MemoryShelf>()) {}
  SimScene(const SimScene&) = delete;
  SimScene& operator=(const SimScene&) = delete;

  /// Whether this fault strikes now; counts it. Never in the calm at the end.
  bool strikes(SimFault fault, double probability) {
    if (calm || !dice.chance(probability * storm)) return false;
    coverage.struck(fault);
    return true;
  }
  asio::any_io_executor loop() const { return io->get_executor(); }

  std::shared_ptr<asio::io_context> io;
  loop::VirtualClock clock;
  Dice dice;
  const RunnerOptions options;
  Log log;
  SimCoverage coverage;
  SimChecker checker;
  std::shared_ptr<store::MemoryShelf> shelf;
  double storm = 1;   ///< of this seed: how much more, or less, goes wrong
  bool calm = false;  ///< nothing goes wrong any more
  /// Ends the process at once, from wherever it is called; `culprit`: by the handler of this seq.
  std::function<void(Seq culprit)> kill;
};

static_assert(!std::is_aggregate_v<SimScene> && !std::is_aggregate_v<SimLifeFlag>);

}  // namespace tgkeep::prove
