#pragma once
// Faults by rule: which, to whom, how often. Seeded; no I/O.

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tgkeep/id.hpp>
#include <vector>

#include "emulator/fault.hpp"

namespace tgkeep::emulator {

/// One rule: of the requests that fit it skips `after`, then strikes each with the probability `share`,
/// `times` at most, with one of its faults.
class FaultRule {
 public:
  FaultRule() = default;
  std::vector<Fault> faults;
  std::vector<WebhookFault> webhook_faults;  ///< of a rule for webhook requests; then `faults` is empty
  std::vector<std::string> methods;          ///< none: all but getWebhookInfo, setWebhook, deleteWebhook
  std::int64_t bot = 0;                      ///< 0: all
  std::int64_t chat = 0;                     ///< 0: all
  std::int64_t after = 0;
  std::optional<std::int64_t> times;  ///< nothing: for ever
  double share = 1;
  std::int64_t struck = 0;
};

/// The first rule that strikes decides.
class FaultPlan {
 public:
  FaultPlan() = default;
  /// The same seed and the same requests give the same faults.
  void seed(std::uint64_t seed) { random_.seed(seed); }
  void add(FaultRule rule) { rules_.push_back(std::move(rule)); }
  void clear() { rules_.clear(); }

  Fault decide(const CallRecord& call);
  WebhookFault decide(const WebhookRecord& record);
  /// By the head alone: only rules with `reset_early` strike here, and they never strike later.
  bool decide_early(std::string_view method);

  const std::vector<FaultRule>& rules() const noexcept { return rules_; }
  /// How often each kind has struck since the plan was made.
  const std::map<std::string, std::int64_t>& counts() const noexcept { return counts_; }

 private:
  bool strikes(FaultRule& rule);
  std::size_t choose(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

  std::mt19937_64 random_{1};
  std::vector<FaultRule> rules_;
  std::map<std::string, std::int64_t> counts_;
};

static_assert(!std::is_aggregate_v<FaultRule>);

}  // namespace tgkeep::emulator
