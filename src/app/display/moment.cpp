#include "app/display/moment.hpp"

#include <time.h>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "app/quantity.hpp"

namespace tgkeep::app {

namespace {

// The year 10000, in seconds: beyond it nobody means a moment.
constexpr std::int64_t kLast = 253'402'300'800;
constexpr std::size_t kMillisDigits = 12;

/// Takes exactly `digits` digits from the front.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  int number = 0;
  if (text.size() < digits || text.front() == '-') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, number);
  if (error != std::errc{} || end != text.data() + digits) return std::nullopt;
  text.remove_prefix(digits);
  return number;
}

bool take(std::string_view& text, char mark) {
  if (!text.starts_with(mark)) return false;
  text.remove_prefix(1);
  return true;
}

tm local_time(WallTime time) {
  const auto seconds = static_cast<time_t>(to_millis(time) / 1000);
  tm local{};
  ::localtime_r(&seconds, &local);
  return local;
}

std::optional<WallTime> from_local(tm local) {
  local.tm_isdst = -1;
  const time_t seconds = ::mktime(&local);
  if (seconds == -1) return std::nullopt;
  return from_millis(static_cast<std::int64_t>(seconds) * 1000);
}

WallTime midnight(WallTime now, int days) {
  tm local = local_time(now);
  local.tm_hour = local.tm_min = local.tm_sec = 0;
  local.tm_mday += days;
  return from_local(local).value_or(now);
}

bool take_date(std::string_view& text, tm& when) {
  const std::optional<int> year = take_number(text, 4);
  if (!year || !take(text, '-')) return false;
  const std::optional<int> month = take_number(text, 2);
  if (!month || !take(text, '-')) return false;
  const std::optional<int> day = take_number(text, 2);
  if (!day) return false;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok() || *year < 1970) return false;
  when.tm_year = *year - 1900;
  when.tm_mon = *month - 1;
  when.tm_mday = *day;
  return true;
}

bool take_clock(std::string_view& text, tm& when) {
  const std::optional<int> hour = take_number(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return false;
  const std::optional<int> minute = take_number(text, 2);
  if (!minute || *minute > 59) return false;
  when.tm_hour = *hour;
  when.tm_min = *minute;
  when.tm_sec = 0;
  if (!take(text, ':')) return true;
  const std::optional<int> second = take_number(text, 2);
  if (!second || *second > 59) return false;
  when.tm_sec = *second;
  return true;
}

/// Seconds east of Greenwich; nothing when the text is no zone.
std::optional<int> zone_in(std::string_view text) {
  if (text == "Z") return 0;
  const bool west = text.starts_with('-');
  if (!west && !text.starts_with('+')) return std::nullopt;
  text.remove_prefix(1);
  const std::optional<int> hours = take_number(text, 2);
  take(text, ':');
  const std::optional<int> minutes = take_number(text, 2);
  if (!hours || !minutes || *hours > 14 || *minutes > 59 || !text.empty()) return std::nullopt;
  return (west ? -1 : 1) * (*hours * 3600 + *minutes * 60);
}

std::optional<WallTime> read_date(std::string_view text) {
  tm when{};
  if (!take_date(text, when)) return std::nullopt;
  if (text.empty()) return from_local(when);
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  if (!take_clock(text, when)) return std::nullopt;
  if (text.empty()) return from_local(when);
  const std::optional<int> zone = zone_in(text);
  if (!zone) return std::nullopt;
  return from_millis((static_cast<std::int64_t>(::timegm(&when)) - *zone) * 1000);
}

std::optional<WallTime> read_number(std::string_view text) {
  const bool seconds = take(text, '@');
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) return std::nullopt;
  if (seconds) return number < kLast ? std::optional(from_millis(number * 1000)) : std::nullopt;
  if (text.size() < kMillisDigits || number >= kLast * 1000) return std::nullopt;
  return from_millis(number);
}

std::optional<WallTime> read(std::string_view text, WallTime now) {
  if (text == "now") return now;
  if (text == "today") return midnight(now, 0);
  if (text == "yesterday") return midnight(now, -1);
  const Result<Duration> ago = read_duration(text);
  if (ago.has_value()) return now - std::chrono::duration_cast<std::chrono::milliseconds>(*ago);
  tm today = local_time(now);
  std::string_view rest = text;
  if (take_clock(rest, today) && rest.empty()) return from_local(today);
  if (const std::optional<WallTime> date = read_date(text)) return date;
  return read_number(text);
}

}  // namespace

Result<WallTime> read_moment(std::string_view text, WallTime now) {
  const std::optional<WallTime> time = read(text, now);
  if (time) return *time;
  return Error(Errc::bad_config, "\"" + std::string(text) +
                                     "\" is no time: write 2h (so long ago), 10:00, yesterday, 2026-11-29, "
                                     "2026-11-29T10:00 (with Z: UTC), or @ and seconds since 1970");
}

}  // namespace tgkeep::app
