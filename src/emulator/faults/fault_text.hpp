#pragma once
// Faults by name, as control requests say them (docs/emulator.md). Pure.

#include "emulator/faults/fault_plan.hpp"
#include "emulator/methods/refusal.hpp"
#include "emulator/world/json_access.hpp"

namespace tgkeep::emulator {

/// {"fault": name or list of names, "methods", "bot", "chat", "after", "times", "share", and what the fault
/// needs: "delay", "retry_after", "status", "bytes"}. Names of webhook faults begin with `webhook_`.
Checked<FaultRule> read_fault_rule(const json::object& request);

json::object show_rule(const FaultRule& rule);

}  // namespace tgkeep::emulator
