#pragma once
// The kinds of settings: how each is read from text, checked, and shown as TOML.

#include <charconv>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/bot_options.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/quantity.hpp"
#include "app/settings.hpp"

namespace tgkeep::app {

// Each is bound to `field`, which must outlive it.

std::string quoted(std::string_view text);

Setting text(std::string key, std::string help, std::string& field);
Setting yes_no(std::string key, std::string help, bool& field);
Setting size(std::string key, std::string help, std::uint64_t& field);
/// Lists; as text their words are separated by commas.
Setting words(std::string key, std::string help, std::vector<std::string>& field);
/// Names of update kinds; may be absent.
Setting kinds(std::string key, std::string help, std::optional<std::vector<std::string>>& field);
/// What statuses mean: `410=dead`, `4xx=dead`.
Setting statuses(std::string key, std::string help, std::map<int, PushRule>& field);

template <class Number>
Setting number(std::string key, std::string help, Number& field, Number min, Number max) {
  return Setting(
      std::move(key), std::move(help),
      [&field, min, max](std::string_view text) -> std::string {
        Number value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size() || value < min || value > max) {
          return quoted(text) + " is not a whole number from " + std::to_string(min) + " to " +
                 std::to_string(max);
        }
        field = value;
        return {};
      },
      [&field] { return std::optional(std::to_string(field)); });
}

template <class Time>
Setting duration(std::string key, std::string help, Time& field, Duration min, Duration max) {
  return Setting(
      std::move(key), std::move(help),
      [&field, min, max](std::string_view text) -> std::string {
        const Result<Duration> value = read_duration(text);
        if (value.has_error()) return value.error().text();
        const Time whole = std::chrono::duration_cast<Time>(*value);
        if (*value < min || *value > max || whole != *value) {
          return quoted(text) + " is not from " + show_duration(min) + " to " + show_duration(max) +
                 (whole == *value                            ? ""
                  : std::is_same_v<Time, std::chrono::hours> ? " in whole hours"
                                                             : " in whole seconds");
        }
        field = whole;
        return {};
      },
      [&field] { return std::optional(quoted(show_duration(field))); });
}

template <class Choice>
Setting choice(std::string key, std::string help, Choice& field,
               std::initializer_list<std::pair<std::string_view, Choice>> choices) {
  const std::vector<std::pair<std::string_view, Choice>> known(choices);
  return Setting(
      std::move(key), std::move(help),
      [&field, known](std::string_view text) -> std::string {
        std::string words;
        for (const auto& [word, value] : known) {
          if (word == text) {
            field = value;
            return {};
          }
          words += (words.empty() ? "" : ", ") + std::string(word);
        }
        return quoted(text) + " is none of " + words;
      },
      [&field, known]() -> std::optional<std::string> {
        for (const auto& [word, value] : known) {
          if (value == field) return quoted(word);
        }
        return std::nullopt;
      });
}

}  // namespace tgkeep::app
