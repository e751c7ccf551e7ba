// Faults: set, listed, cleared.

#include <array>
#include <boost/json/array.hpp>

#include "emulator/control/desk.hpp"
#include "emulator/faults/fault_text.hpp"

namespace tgkeep::emulator {

namespace {

Checked<json::value> list_faults(Desk& desk, const json::object&) {
  json::object shown;
  json::array rules;
  for (const FaultRule& rule : desk.faults.rules()) rules.push_back(show_rule(rule));
  shown["rules"] = std::move(rules);
  json::object counts;
  for (const auto& [name, count] : desk.faults.counts()) counts[name] = count;
  shown["counts"] = std::move(counts);
  return json::value(std::move(shown));
}

/// Without a `fault` it lists them.
Checked<json::value> add_fault(Desk& desk, const json::object& request) {
  if (!request.contains("fault")) return list_faults(desk, request);
  Checked<FaultRule> rule = read_fault_rule(request);
  if (!rule) return rule.error();
  if (request.contains("seed")) desk.faults.seed(static_cast<std::uint64_t>(number_in(request, "seed")));
  json::object shown = show_rule(*rule);
  desk.faults.add(*std::move(rule));
  return json::value(std::move(shown));
}

Checked<json::value> clear_faults(Desk& desk, const json::object&) {
  desk.faults.clear();
  return json::value(true);
}

constexpr std::array requests = {
    NamedRequest("faults", add_fault),
    NamedRequest("faults/clear", clear_faults),
};

}  // namespace

std::span<const NamedRequest> fault_requests() noexcept {
  return requests;
}

}  // namespace tgkeep::emulator
