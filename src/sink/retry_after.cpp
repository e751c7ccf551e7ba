#include "sink/retry_after.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace tgkeep::sink {

namespace {

using std::chrono::seconds;

constexpr seconds kLeast{1};  // 0 would be a request without a pause, again and again
constexpr seconds kMost = std::chrono::hours(1);

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range && text.front() != '-') return kMost.count();
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::optional<unsigned> month(std::string_view name) {
  constexpr std::array<std::string_view, 12> kNames{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<unsigned>(found - kNames.begin()) + 1;
}

// Only the form every sender must use: "Sun, 06 Nov 1994 08:49:37 GMT".
std::optional<std::chrono::sys_seconds> http_date(std::string_view text) {
  if (text.size() != 29 || text.substr(3, 2) != ", " || text.substr(25) != " GMT" || text[19] != ':' ||
      text[22] != ':') {
    return std::nullopt;
  }
  const auto day = number(text.substr(5, 2));
  const auto mon = month(text.substr(8, 3));
  const auto year = number(text.substr(12, 4));
  const auto hour = number(text.substr(17, 2));
  const auto minute = number(text.substr(20, 2));
  const auto second = number(text.substr(23, 2));
  if (!day || !mon || !year || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)), std::chrono::month(*mon),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
         seconds(*second);
}

}  // namespace

std::optional<Duration> read_retry_after(std::string_view text, WallTime now) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  seconds wait{0};
  if (const auto count = number(text)) {
    wait = seconds(std::min<std::int64_t>(*count, kMost.count()));
  } else if (const auto date = http_date(text)) {
    wait = std::chrono::ceil<seconds>(*date - now);
  } else {
    return std::nullopt;
  }
  return std::clamp(wait, kLeast, kMost);
}

}  // namespace tgkeep::sink
