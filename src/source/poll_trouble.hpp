#pragma once
// What a failed poll means: what to tell people and how long to wait. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/api.hpp>

namespace tgkeep::source {

/// Something that stops polling for a while. It is logged when its name changes, not each time.
class PollTrouble {
 public:
  PollTrouble(std::string_view name, std::string text) : name(name), text(std::move(text)) {}
  PollTrouble(std::string_view name, std::string text, Duration wait)
      : name(name), text(std::move(text)), wait(wait) {}
  std::string_view name;         ///< a literal
  std::string text;              ///< what is wrong and what to do
  std::optional<Duration> wait;  ///< exactly this long; absent: the growing backoff
};

/// `suspended_retry` is the wait after an answer that says the token is no good (401, and 404 in the cloud).
PollTrouble read_trouble(const ApiError& error, Duration suspended_retry);

static_assert(!std::is_aggregate_v<PollTrouble>);

}  // namespace tgkeep::source
