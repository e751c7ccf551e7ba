#pragma once
// What a runner without a limit must be doing, worked out the slow and obvious way.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tgkeep/runner.hpp>
#include <utility>
#include <vector>

namespace tgkeep::test {

class NaiveRunner {
 public:
  explicit NaiveRunner(const RunnerOptions& options) : options_(options) {}

  void put(std::int64_t id, std::vector<std::string> keys) { rows_[id].keys = std::move(keys); }

  /// A handler was called: it will take so long and say so. Empty, or why that was wrong.
  std::string started(std::int64_t id, std::uint32_t attempt, MonoTime now, Duration takes, Outcome outcome) {
    advance(now);
    Row& row = rows_.at(id);
    if (!runs_) return "it is stopped";
    if (suspended_since_) return "it is paused";
    if (!may_start(id, now)) return "it is not its turn";
    if (attempt != row.attempts + 1) return "attempt " + std::to_string(attempt);
    row.ends = now + takes;
    row.outcome = std::move(outcome);
    return "";
  }

  void pause(MonoTime now) {
    advance(now);
    if (!suspended_since_) suspended_since_ = now;
  }
  void resume(MonoTime now) {
    advance(now);
    if (suspended_since_) pauses_.emplace_back(*suspended_since_, now);
    suspended_since_.reset();
  }
  void start(MonoTime now) {
    runs_ = true;
    for (auto& [id, row] : rows_) {
      if (row.failing_since) row.failing_since = now;
    }
  }
  /// Stopped; what had not ended was cut off.
  void stop(MonoTime now) {
    advance(now);
    runs_ = false;
    for (auto& [id, row] : rows_) row.ends.reset();
  }

  /// At rest, everything that may start has been started: else the first that has not.
  std::optional<std::int64_t> overdue(MonoTime now) {
    advance(now);
    if (!runs_ || suspended_since_) return std::nullopt;
    for (const auto& [id, row] : rows_) {
      if (may_start(id, now)) return id;
    }
    return std::nullopt;
  }
  bool is_suspended() const { return suspended_since_.has_value(); }
  std::size_t running(MonoTime now) {
    advance(now);
    return static_cast<std::size_t>(
        std::ranges::count_if(rows_, [](const auto& row) { return row.second.ends.has_value(); }));
  }
  std::size_t flooded(MonoTime now) {
    advance(now);
    return static_cast<std::size_t>(std::ranges::count_if(
        rows_, [&](const auto& row) { return row.second.flooded && row.second.due > now; }));
  }
  /// By what became of them: `done`, reasons, and `open`.
  std::map<std::string, std::int64_t> ends() const {
    std::map<std::string, std::int64_t> counts;
    for (const auto& [id, row] : rows_) ++counts[row.end.empty() ? "open" : row.end];
    return counts;
  }

 private:
  struct Row {
    std::vector<std::string> keys;
    std::optional<MonoTime> ends;  // of the delivery that runs
    Outcome outcome;
    MonoTime due = MonoTime::min();
    bool flooded = false;
    std::uint32_t attempts = 0;
    std::optional<MonoTime> failing_since;
    std::string end;
  };

  bool may_start(std::int64_t id, MonoTime now) const {
    const Row& row = rows_.at(id);
    if (!row.end.empty() || row.ends || row.due > now) return false;
    for (const auto& [earlier, other] : rows_) {
      if (earlier >= id) break;
      if (!other.end.empty()) continue;
      for (const std::string& key : other.keys) {
        if (std::ranges::find(row.keys, key) != row.keys.end()) return false;
      }
    }
    return true;
  }

  void advance(MonoTime now) {
    for (auto& [id, row] : rows_) {
      if (row.ends && *row.ends <= now) conclude(row);
    }
  }

  void conclude(Row& row) {
    const MonoTime at = *row.ends;
    row.ends.reset();
    row.flooded = false;
    if (row.outcome.kind == Outcome::Kind::done) {
      row.end = "done";
    } else if (row.outcome.kind == Outcome::Kind::dead) {
      row.end = row.outcome.reason;
    } else if (row.outcome.kind == Outcome::Kind::postpone) {
      wait(row, at);
    } else if (++row.attempts >= options_.max_attempts) {
      row.end = "attempts";
    } else if (row.attempts >= 2 && own_time(*row.failing_since, at) >= options_.max_block) {
      row.end = "max_block";
    } else {
      if (!row.failing_since) row.failing_since = at;
      wait(row, at);
    }
  }

  static void wait(Row& row, MonoTime at) {
    row.due = at + *row.outcome.after;
    row.flooded = true;
  }

  Duration own_time(MonoTime from, MonoTime to) const {
    Duration own = to - from;
    for (const auto& [began, ended] : pauses_)
      own -= std::max(std::min(ended, to) - std::max(began, from), Duration::zero());
    if (suspended_since_) own -= std::max(to - std::max(*suspended_since_, from), Duration::zero());
    return own;
  }

  const RunnerOptions options_;
  std::map<std::int64_t, Row> rows_;
  bool runs_ = false;
  std::optional<MonoTime> suspended_since_;
  std::vector<std::pair<MonoTime, MonoTime>> pauses_;
};

}  // namespace tgkeep::test
