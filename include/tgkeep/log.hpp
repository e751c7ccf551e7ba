#pragma once
// One event per line: level, name, fields. The embedder chooses where it goes. Never pass a token or a body.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tgkeep {

enum class LogLevel { debug, info, warning, error };

std::string_view to_string(LogLevel level) noexcept;

/// A named value of an event. The name must be a literal.
class LogField {
 public:
  /// A text, copied; or any number.
  LogField(std::string_view name, std::string_view value) : name_(name), value_(value) {}
  LogField(std::string_view name, const char* value) : name_(name), value_(value) {}
  LogField(std::string_view name, const std::string& value) : name_(name), value_(value) {}
  /// A number, as text.
  template <class Number>
  requires std::is_arithmetic_v<Number> LogField(std::string_view name, Number value)
      : name_(name), value_(std::to_string(value)) {}
  /// As given.
  std::string_view name() const noexcept { return name_; }
  /// As text.
  const std::string& value() const noexcept { return value_; }

 private:
  std::string_view name_;
  std::string value_;
};

/// The one door for log lines. Cheap to copy; the default writes nowhere. The writer may be called from any
/// thread and must not throw.
class Log {
 public:
  /// Where events go.
  using Writer = std::function<void(LogLevel, std::string_view event, std::span<const LogField>)>;

  Log() = default;
  explicit Log(Writer writer) : writer_(std::move(writer)) {}

  /// The same door, with one more field on every event.
  Log with(LogField field) const;

  /// For those who look for a fault.
  void debug(std::string_view event, std::initializer_list<LogField> fields = {}) const {
    write(LogLevel::debug, event, fields);
  }
  /// Normal course: starts, stops, changes.
  void info(std::string_view event, std::initializer_list<LogField> fields = {}) const {
    write(LogLevel::info, event, fields);
  }
  /// Something is wrong and being dealt with.
  void warning(std::string_view event, std::initializer_list<LogField> fields = {}) const {
    write(LogLevel::warning, event, fields);
  }
  /// Something is wrong and needs a person.
  void error(std::string_view event, std::initializer_list<LogField> fields = {}) const {
    write(LogLevel::error, event, fields);
  }

 private:
  void write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) const {
    if (writer_) writer_(level, event, std::span(fields.begin(), fields.size()));
  }
  Writer writer_;
};

inline Log Log::with(LogField field) const {
  if (!writer_) return Log();
  return Log([writer = writer_, field = std::move(field)](LogLevel level, std::string_view event,
                                                          std::span<const LogField> fields) {
    std::vector<LogField> all(fields.begin(), fields.end());
    all.push_back(field);
    writer(level, event, all);
  });
}

}  // namespace tgkeep
