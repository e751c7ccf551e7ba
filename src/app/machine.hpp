#pragma once
// What a RunnerHandle runs.

#include <optional>
#include <tgkeep/error.hpp>
#include <tgkeep/gateway.hpp>
#include <tgkeep/runner.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep::app {

/// How one life ended.
class LifeEnd {
 public:
  LifeEnd() = default;
  explicit LifeEnd(Error failure) : code(ExitCode::failed), failure(std::move(failure)) {}
  ExitCode code = ExitCode::stopped;
  StopReport report;
  std::optional<Error> failure;
};

/// Has one life after another. All but `prepare` and `live` may be called from any thread, at any time.
class Machine {
 public:
  virtual ~Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// Before each life: from here on `stop` is for that one.
  virtual void prepare() = 0;
  /// One life; returns at its end. It is given a thread.
  virtual LifeEnd live() = 0;
  /// Begins its end, and returns at once.
  virtual void stop(Duration drain) = 0;
  virtual std::vector<InFlight> snapshot() const = 0;
  virtual RunnerStats stats() const = 0;

 protected:
  Machine() = default;
};

static_assert(!std::is_aggregate_v<LifeEnd>);

}  // namespace tgkeep::app
