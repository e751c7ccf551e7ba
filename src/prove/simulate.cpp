#include "prove/simulate.hpp"

#include <atomic>
#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "prove/sim_world.hpp"

namespace tgkeep::prove {

namespace {

constexpr std::int64_t kSeedsForCoverage = 100;
constexpr std::int64_t kFewestSteps = 1000;
constexpr std::size_t kFailuresShown = 10;
constexpr std::int64_t kSeedsBetweenLines = 1000;

/// What all simulations together came to. Any thread.
class Tally {
 public:
  void add(std::uint64_t seed, const SimWorld& world) {
    const std::lock_guard lock(mutex_);
    const SimChecker& checker = world.checker();
    if (++done_ % kSeedsBetweenLines == 0)
      std::fprintf(stderr, "%lld seeds ...\n", static_cast<long long>(done_));
    steps_ += checker.steps();
    fewest_steps_ = std::min(fewest_steps_, checker.steps());
    updates_ += static_cast<std::int64_t>(checker.sent());
    coverage_.add(world.coverage());
    for (std::size_t i = 0; i < kInvariants; ++i) violations_[i] += checker.violations()[i];
    if (!checker.problems().empty()) fail(seed, checker.problems());
  }
  void fail(std::uint64_t seed, const std::string& problem) {
    const std::lock_guard lock(mutex_);
    fail(seed, std::vector<std::string>{problem});
  }
  bool is_enough() {
    const std::lock_guard lock(mutex_);
    return failed_ >= static_cast<std::int64_t>(kFailuresShown);
  }

  std::int64_t done_ = 0;
  std::int64_t failed_ = 0;
  std::int64_t steps_ = 0;
  std::int64_t fewest_steps_ = std::int64_t{1} << 60;
  std::int64_t updates_ = 0;
  SimCoverage coverage_;
  std::array<std::int64_t, kInvariants> violations_{};

 private:
  void fail(std::uint64_t seed, const std::vector<std::string>& problems) {
    ++failed_;
    std::fprintf(stderr, "seed %llu FAILED; repeat it with: tgkeep prove --sim --seeds 1 --seed %llu\n",
                 static_cast<unsigned long long>(seed), static_cast<unsigned long long>(seed));
    for (const std::string& problem : problems) std::fprintf(stderr, "  - %s\n", problem.c_str());
  }

  std::mutex mutex_;
};

Log trace_log() {
  return Log([](LogLevel, std::string_view event, std::span<const LogField> fields) {
    std::string line(event);
    for (const LogField& field : fields) line += " " + std::string(field.name()) + "=" + field.value();
    std::fprintf(stderr, "%s\n", line.c_str());
  });
}

void simulate(const SimulateOptions& options, std::atomic<std::int64_t>& next, Tally& tally) {
  for (std::int64_t i = next++; i < options.seeds && !tally.is_enough(); i = next++) {
    const std::uint64_t seed = options.first + static_cast<std::uint64_t>(i);
    try {
      SimWorld world(seed, options.trace ? std::optional(trace_log()) : std::nullopt);
      world.run();
      tally.add(seed, world);
    } catch (const std::exception& error) {
      tally.fail(seed, std::string("an exception came through: ") + error.what());
    }
  }
}

boost::json::object to_json(const SimulateOptions& options, const Tally& tally, double seconds) {
  boost::json::object faults;
  for (std::size_t i = 0; i < kSimFaults; ++i) {
    const auto fault = static_cast<SimFault>(i);
    faults[to_string(fault)] = tally.coverage_.of(fault);
  }
  boost::json::object invariants;
  for (std::size_t i = 0; i < kInvariants; ++i)
    invariants[to_string(static_cast<Invariant>(i))] = tally.violations_[i];
  boost::json::object line;
  line["seeds"] = tally.done_;
  line["first_seed"] = options.first;
  line["failed"] = tally.failed_;
  line["updates"] = tally.updates_;
  line["steps"] = tally.steps_;
  line["fewest_steps"] = tally.done_ > 0 ? tally.fewest_steps_ : 0;
  line["seconds"] = seconds;
  line["faults"] = std::move(faults);
  line["violations"] = std::move(invariants);
  return line;
}

}  // namespace

int run_simulations(const SimulateOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  Tally tally;
  std::atomic<std::int64_t> next = 0;
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < options.threads; ++i)
    others.emplace_back([&] { simulate(options, next, tally); });
  simulate(options, next, tally);
  for (std::thread& other : others) other.join();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;

  bool passed = tally.failed_ == 0 && tally.done_ == options.seeds;
  for (std::size_t i = 0; i < kSimFaults; ++i) {
    const auto fault = static_cast<SimFault>(i);
    std::printf("%-24s %lld\n", std::string(to_string(fault)).c_str(),
                static_cast<long long>(tally.coverage_.of(fault)));
  }
  if (options.seeds >= kSeedsForCoverage) {
    for (const SimFault fault : tally.coverage_.missing()) {
      std::fprintf(stderr, "%s never struck: nothing is proved about it\n",
                   std::string(to_string(fault)).c_str());
      passed = false;
    }
  }
  if (passed && tally.fewest_steps_ < kFewestSteps) {
    std::fprintf(stderr, "a simulation had only %lld steps\n", static_cast<long long>(tally.fewest_steps_));
    passed = false;
  }
  std::printf("%s\n", boost::json::serialize(to_json(options, tally, took.count())).c_str());
  std::fflush(stdout);
  std::fprintf(stderr, "%lld seeds, %lld steps in %.1f s: %s\n", static_cast<long long>(tally.done_),
               static_cast<long long>(tally.steps_), took.count(),
               passed ? "every invariant held" : "FAILED");
  return passed ? 0 : 1;
}

}  // namespace tgkeep::prove
