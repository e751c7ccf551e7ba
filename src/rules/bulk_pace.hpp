#pragma once
// At most so many a second: a bucket of tokens. Pure, time is an argument.

#include <optional>
#include <tgkeep/time.hpp>

namespace tgkeep::rules {

/// Starts full; holds a fifth of a second's tokens, at least one.
class BulkPace {
 public:
  /// Not positive: never.
  explicit BulkPace(double per_second);

  /// Takes a token, if there is one.
  bool take(MonoTime now);
  /// When the next one is there: now or later.
  MonoTime next(MonoTime now) const;

 private:
  double tokens_at(MonoTime now) const;

  double per_second_;
  double most_;
  double tokens_;
  std::optional<MonoTime> counted_;
};

}  // namespace tgkeep::rules
