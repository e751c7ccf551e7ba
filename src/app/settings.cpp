#include "app/settings.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <utility>

#include "app/quantity.hpp"

namespace tgkeep::app {

namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string replaced(std::string text, std::string_view from, char to) {
  std::replace_if(
      text.begin(), text.end(), [from](char c) { return from.find(c) != std::string_view::npos; }, to);
  return text;
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
                 (whole == *value ? "" : " in whole seconds");
        }
        field = whole;
        return {};
      },
      [&field] { return std::optional(quoted(show_duration(field))); });
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

/// A list of words that may be absent. As text: separated by commas.
Setting words(std::string key, std::string help, std::optional<std::vector<std::string>>& field) {
  return Setting(
      std::move(key), std::move(help),
      [&field](std::string_view text) -> std::string {
        std::vector<std::string> list;
        while (!text.empty()) {
          const std::size_t comma = std::min(text.find(','), text.size());
          list.emplace_back(text.substr(0, comma));
          const bool plain = std::all_of(list.back().begin(), list.back().end(),
                                         [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); });
          if (list.back().empty() || !plain)
            return quoted(list.back()) + " is not the name of an update kind";
          text.remove_prefix(std::min(comma + 1, text.size()));
        }
        field = std::move(list);
        return {};
      },
      [&field]() -> std::optional<std::string> {
        if (!field) return std::nullopt;
        std::string list;
        for (const std::string& word : *field) list += (list.empty() ? "" : ", ") + quoted(word);
        return "[" + list + "]";
      });
}

void add_runner(std::vector<Setting>& table, const std::string& section, RunnerOptions& options) {
  const auto key = [&section](const char* name) { return section + "." + name; };
  table.push_back(number<std::size_t>(key("limit"), "Deliveries at once.", options.limit, 1, 100'000));
  table.push_back(duration(key("timeout"), "For one delivery; then it is cancelled and counts as failed.",
                           options.timeout, seconds(1), hours(24)));
  table.push_back(duration(key("first_delay"), "Before the first retry; doubles with each.",
                           options.first_delay, std::chrono::milliseconds(10), hours(1)));
  table.push_back(duration(key("max_delay"), "Longest wait between retries.", options.max_delay,
                           std::chrono::milliseconds(10), hours(24)));
  table.push_back(number<std::uint32_t>(key("max_attempts"),
                                        "Failed attempts before it becomes a dead letter.",
                                        options.max_attempts, 1, 1'000'000));
  table.push_back(duration(key("max_block"),
                           "How long a failing item may hold up its chat; then it is a dead letter.",
                           options.max_block, seconds(1), hours(24 * 366)));
  table.push_back(number<std::size_t>(key("max_stuck"),
                                      "Timed-out handlers that do not end: more pause delivery.",
                                      options.max_stuck, 1, 100'000));
  table.push_back(number<std::size_t>(key("max_heads"), "Waiting items known in memory (not their bodies).",
                                      options.max_heads, 1'000, 10'000'000));
}

}  // namespace

std::string Setting::variable() const {
  std::string name = replaced(key, ".", '_');
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return "TGKEEP_" + name;
}

std::string Setting::flag() const {
  return "--" + replaced(key, "._", '-');
}

std::string Setting::section() const {
  const std::size_t dot = key.find('.');
  return dot == std::string::npos ? "" : key.substr(0, dot);
}

std::string Setting::name() const {
  return key.substr(key.find('.') + 1);
}

std::vector<Setting> settings_of(Config& config) {
  GatewayOptions& gateway = config.gateway;
  std::vector<Setting> table;
  table.push_back(text("token_file",
                       "A file that holds the bot's token and nothing else. TGKEEP_TOKEN wins over it.",
                       config.token_file));
  table.push_back(text("api_root", "The Bot API server, without a slash at the end.", gateway.api_root));
  table.push_back(yes_no("test_environment", "Use Telegram's test servers.", gateway.test_environment));
  table.push_back(choice<BuiltIn>(
      "handler", "What `serve` does with updates: echo (answer texts with themselves) or log.",
      config.handler, {{"echo", BuiltIn::echo}, {"log", BuiltIn::log}}));
  table.push_back(
      text("folder", "Where the queues live; made if missing. One process at a time.", gateway.folder));
  table.push_back(yes_no("in_memory", "Keep the queues in memory only: everything is forgotten at exit.",
                         gateway.in_memory));
  table.push_back(
      size("reserve", "Disk space kept free: below, no new update is accepted.", gateway.reserve));
  table.push_back(number<std::size_t>("handler_threads",
                                      "Threads of handlers; 0 = twice the cores, at least 4.",
                                      gateway.handler_threads, 0, 4'096));
  table.push_back(
      duration("drain", "How long a stop lets handlers finish.", gateway.drain, seconds(0), hours(1)));

  table.push_back(duration("poll.timeout", "How long Telegram holds a poll that finds nothing.",
                           gateway.poll_timeout, seconds(1), seconds(50)));
  table.push_back(
      words("poll.allowed_updates",
            "Kinds to ask Telegram for: it remembers them and drops all others for good. Left out: as set "
            "before. []: its default kinds.",
            gateway.allowed_updates));
  table.push_back(yes_no("poll.drop_pending", "Give up, at each start, what Telegram still holds.",
                         gateway.drop_pending));

  add_runner(table, "inbox", gateway.inbox);
  add_runner(table, "outbox", gateway.outbox);

  table.push_back(choice<LogLevel>("log.level", "debug, info, warning or error.", config.log_level,
                                   {{"debug", LogLevel::debug},
                                    {"info", LogLevel::info},
                                    {"warning", LogLevel::warning},
                                    {"error", LogLevel::error}}));
  table.push_back(choice<LogFormat>("log.format", "text or json; one event a line, to stderr.",
                                    config.log_format,
                                    {{"text", LogFormat::text}, {"json", LogFormat::json}}));
  return table;
}

}  // namespace tgkeep::app
