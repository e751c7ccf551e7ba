#include "app/setting_kinds.hpp"

#include <algorithm>

namespace tgkeep::app {

namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> list;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    list.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return list;
}

std::string list_of(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + quoted(word);
  return "[" + list + "]";
}

/// 410, or 4 for 4xx.
std::optional<int> status_in(std::string_view text) {
  const bool is_class = text.size() == 3 && text.substr(1) == "xx";
  if (is_class) text = text.substr(0, 1);
  int status = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), status);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (is_class ? status < 3 || status > 5 : status < 300 || status > 599) return std::nullopt;
  return status;
}

constexpr std::pair<std::string_view, PushRule> kRules[] = {
    {"retry", PushRule::retry}, {"dead", PushRule::dead}, {"done", PushRule::done}};

std::optional<std::pair<int, PushRule>> status_rule_in(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::string_view status_text = text.substr(0, equals);
  if (status_text == "429" || status_text == "503") return std::nullopt;  // Their meaning is fixed.
  const std::optional<int> status = status_in(status_text);
  for (const auto& [word, rule] : kRules) {
    if (status && text.substr(equals + 1) == word) return std::pair(*status, rule);
  }
  return std::nullopt;
}

std::string status_rule_text(int status, PushRule rule) {
  std::string text = status < 10 ? std::to_string(status) + "xx=" : std::to_string(status) + "=";
  for (const auto& [word, known] : kRules) {
    if (known == rule) text += word;
  }
  return text;
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

Setting text(std::string key, std::string help, std::string& field) {
  return Setting(
      std::move(key), std::move(help),
      [&field](std::string_view text) {
        field = text;
        return std::string();
      },
      [&field] { return std::optional(quoted(field)); });
}

Setting yes_no(std::string key, std::string help, bool& field) {
  return Setting(
      std::move(key), std::move(help),
      [&field](std::string_view text) -> std::string {
        if (text != "true" && text != "false") return quoted(text) + " is neither true nor false";
        field = text == "true";
        return {};
      },
      [&field] { return std::optional<std::string>(field ? "true" : "false"); });
}

Setting size(std::string key, std::string help, std::uint64_t& field) {
  return Setting(
      std::move(key), std::move(help),
      [&field](std::string_view text) -> std::string {
        const Result<std::uint64_t> value = read_size(text);
        if (value.has_error()) return value.error().text();
        field = *value;
        return {};
      },
      [&field] { return std::optional(quoted(show_size(field))); });
}

Setting words(std::string key, std::string help, std::vector<std::string>& field) {
  return Setting(
      std::move(key), std::move(help),
      [&field](std::string_view text) -> std::string {
        std::vector<std::string> list = split(text);
        for (const std::string& word : list) {
          if (word.empty()) return "an empty word stands in the list";
        }
        field = std::move(list);
        return {};
      },
      [&field] { return std::optional(list_of(field)); });
}

Setting kinds(std::string key, std::string help, std::optional<std::vector<std::string>>& field) {
  return Setting(
      std::move(key), std::move(help),
      [&field](std::string_view text) -> std::string {
        std::vector<std::string> list = split(text);
        for (const std::string& word : list) {
          const bool plain = std::all_of(word.begin(), word.end(),
                                         [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); });
          if (word.empty() || !plain) return quoted(word) + " is not the name of an update kind";
        }
        field = std::move(list);
        return {};
      },
      [&field]() -> std::optional<std::string> {
        if (!field) return std::nullopt;
        return list_of(*field);
      });
}

Setting statuses(std::string key, std::string help, std::map<int, PushRule>& field) {
  return Setting(
      std::move(key), std::move(help),
      [&field](std::string_view text) -> std::string {
        std::map<int, PushRule> rules;
        for (const std::string& word : split(text)) {
          const auto rule = status_rule_in(word);
          if (!rule) {
            return quoted(word) +
                   " is no rule for a status from 300 to 599 besides 429 and 503: write 410=dead, 4xx=dead, "
                   "409=retry or "
                   "304=done";
          }
          rules.insert_or_assign(rule->first, rule->second);
        }
        field = std::move(rules);
        return {};
      },
      [&field] {
        std::vector<std::string> list;
        for (const auto& [status, rule] : field) list.push_back(status_rule_text(status, rule));
        return std::optional(list_of(list));
      });
}

}  // namespace tgkeep::app
