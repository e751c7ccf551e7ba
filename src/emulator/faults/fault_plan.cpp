#include "emulator/faults/fault_plan.hpp"

#include <algorithm>

#include "telegram/request_params.hpp"

namespace tgkeep::emulator {

namespace {

bool names(const FaultRule& rule, std::string_view method) {
  const auto same = [method](const std::string& name) { return telegram::same_ignoring_case(name, method); };
  if (!rule.methods.empty()) return std::ranges::any_of(rule.methods, same);
  return method != "getWebhookInfo" && method != "setWebhook" && method != "deleteWebhook";
}

bool is_early(const FaultRule& rule) {
  return rule.faults.size() == 1 && rule.faults.front().kind == Fault::Kind::reset_early;
}

}  // namespace

bool FaultPlan::strikes(FaultRule& rule) {
  if (rule.after > 0) {
    --rule.after;
    return false;
  }
  if (rule.times && rule.struck >= *rule.times) return false;
  if (rule.share < 1 && std::generate_canonical<double, 32>(random_) >= rule.share) return false;
  ++rule.struck;
  return true;
}

Fault FaultPlan::decide(const CallRecord& call) {
  for (FaultRule& rule : rules_) {
    const bool fits = !rule.faults.empty() && !is_early(rule) && names(rule, call.method) &&
                      (rule.bot == 0 || rule.bot == call.bot.value()) &&
                      (rule.chat == 0 || rule.chat == call.chat);
    if (!fits || !strikes(rule)) continue;
    Fault fault = rule.faults[choose(rule.faults.size())];
    if (fault.kind == Fault::Kind::reset_early)
      fault.kind = Fault::Kind::reset;  // too late for that in a mix
    if (fault.name.empty()) fault.name = to_string(fault.kind);
    ++counts_[fault.name];
    return fault;
  }
  return Fault();
}

WebhookFault FaultPlan::decide(const WebhookRecord&) {
  for (FaultRule& rule : rules_) {
    if (rule.webhook_faults.empty() || !strikes(rule)) continue;
    const WebhookFault fault = rule.webhook_faults[choose(rule.webhook_faults.size())];
    ++counts_["webhook_" + std::string(to_string(fault))];
    return fault;
  }
  return WebhookFault::none;
}

bool FaultPlan::decide_early(std::string_view method) {
  for (FaultRule& rule : rules_) {
    if (!is_early(rule) || !names(rule, method) || !strikes(rule)) continue;
    ++counts_["reset_early"];
    return true;
  }
  return false;
}

}  // namespace tgkeep::emulator
