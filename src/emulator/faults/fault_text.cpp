#include "emulator/faults/fault_text.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <optional>
#include <utility>

namespace tgkeep::emulator {

namespace {

constexpr std::string_view webhook_prefix = "webhook_";
constexpr std::size_t usual_cut = 120;

Duration seconds_of(const json::object& request, std::string_view name, double usual) {
  const json::value* value = member_of(request, name);
  const double seconds = value != nullptr && value->is_number() ? value->to_number<double>() : usual;
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

std::optional<Fault> make_fault(std::string_view name, const json::object& request) {
  const Duration delay = seconds_of(request, "delay", 8);
  const auto retry_after = std::chrono::seconds(number_in(request, "retry_after", 5));
  const auto bytes = static_cast<std::size_t>(number_in(request, "bytes", usual_cut));
  const auto code = static_cast<int>(number_in(request, "status", 500));
  const std::pair<std::string_view, Fault> known[] = {
      {"late", Fault::late(delay)},
      {"late_answer", Fault::late_answer(delay)},
      {"hang_up", Fault::hang_up()},
      {"hang_up_after", Fault::hang_up_after()},
      {"status", Fault::status(code, std::string(string_in(request, "words")))},
      {"flood", Fault::flood(retry_after)},
      {"reset", Fault::reset()},
      {"reset_after", Fault::reset_after()},
      {"reset_early", Fault::reset_early()},
      {"cut", Fault::cut(bytes)},
      {"drip", Fault::drip(seconds_of(request, "delay", 0.2))},
      {"hang", Fault::hang()},
      {"hang_after", Fault::hang_after()},
      {"conflict", Fault::conflict()},
      {"unauthorized", Fault::status(401, "Unauthorized")},
      {"blocked", Fault::status(403, "Forbidden: bot was blocked by the user")},
      {"too_large", Fault::status(413, "Request Entity Too Large")},
      {"html", Fault::html()},
      {"empty", Fault::body(200, "", "application/json")},
      {"broken_json", Fault::body(200, "{\"ok\":true,\"result\":[{\"upda", "application/json")},
  };
  for (const auto& [known_name, fault] : known) {
    if (known_name != name) continue;
    Fault made = fault;
    made.name = name;
    return made;
  }
  return std::nullopt;
}

std::optional<WebhookFault> find_webhook_fault(std::string_view name) {
  for (auto fault = WebhookFault::twice; fault <= WebhookFault::forged_without_one;
       fault = static_cast<WebhookFault>(static_cast<int>(fault) + 1)) {
    if (to_string(fault) == name) return fault;
  }
  return std::nullopt;
}

json::array list_of(const json::object& request, std::string_view name) {
  if (const json::array* list = array_in(request, name)) return *list;
  json::array one;
  if (const std::string_view text = string_in(request, name); !text.empty())
    one.emplace_back(json_text(text));
  return one;
}

Checked<void> add_fault(FaultRule& rule, std::string_view name, const json::object& request) {
  if (name.starts_with(webhook_prefix)) {
    const std::optional<WebhookFault> fault = find_webhook_fault(name.substr(webhook_prefix.size()));
    if (!fault) return Refusal("fault: there is no " + std::string(name));
    rule.webhook_faults.push_back(*fault);
    return {};
  }
  std::optional<Fault> fault = make_fault(name, request);
  if (!fault) return Refusal("fault: there is no " + std::string(name));
  rule.faults.push_back(*std::move(fault));
  return {};
}

}  // namespace

Checked<FaultRule> read_fault_rule(const json::object& request) {
  FaultRule rule;
  for (const json::value& name : list_of(request, "fault")) {
    if (!name.is_string()) return Refusal("fault: a name or a list of names");
    const Checked<void> added = add_fault(rule, std::string_view(name.get_string()), request);
    if (!added) return added.error();
  }
  if (rule.faults.empty() == rule.webhook_faults.empty()) {
    return Refusal("fault: one name or several, either of calls or of webhook requests");
  }
  for (const json::value& method : list_of(request, "methods")) {
    if (method.is_string()) rule.methods.emplace_back(method.get_string());
  }
  rule.bot = number_in(request, "bot");
  rule.chat = number_in(request, "chat");
  rule.after = number_in(request, "after");
  if (request.contains("times")) rule.times = number_in(request, "times");
  if (const json::value* share = member_of(request, "share")) {
    if (!share->is_number()) return Refusal("share: a number from 0 to 1");
    rule.share = share->to_number<double>();
  }
  return rule;
}

json::object show_rule(const FaultRule& rule) {
  json::object shown;
  json::array names;
  for (const Fault& fault : rule.faults) names.emplace_back(fault.name);
  for (const WebhookFault fault : rule.webhook_faults) {
    names.emplace_back(std::string(webhook_prefix) + std::string(to_string(fault)));
  }
  shown["fault"] = std::move(names);
  json::array methods;
  for (const std::string& method : rule.methods) methods.emplace_back(method);
  shown["methods"] = std::move(methods);
  shown["share"] = rule.share;
  shown["struck"] = rule.struck;
  if (rule.times) shown["times"] = *rule.times;
  return shown;
}

}  // namespace tgkeep::emulator
