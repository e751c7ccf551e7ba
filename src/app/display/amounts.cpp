#include "app/display/amounts.hpp"

#include <fmt/format.h>
#include <time.h>

#include <array>
#include <cmath>

namespace tgkeep::app {

namespace {

std::string two(std::int64_t big, const char* big_unit, std::int64_t small, const char* small_unit) {
  if (small == 0) return fmt::format("{} {}", big, big_unit);
  return fmt::format("{} {} {} {}", big, big_unit, small, small_unit);
}

}  // namespace

std::string age_text(double seconds) {
  if (!(seconds > 0)) return "0 s";
  if (seconds < 1) return fmt::format("{} ms", std::llround(seconds * 1000));
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds > 1e12) seconds = 1e12;
  const auto whole = static_cast<std::int64_t>(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min", whole / 60);
  if (whole < 86400) return two(whole / 3600, "h", whole % 3600 / 60, "min");
  return two(whole / 86400, "d", whole % 86400 / 3600, "h");
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= 1024 && unit + 1 < kUnits.size()) {
    amount /= 1024;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} B", bytes);
  return fmt::format("{:.{}f} {}", amount, amount < 10 ? 1 : 0, kUnits[unit]);
}

std::string moment_text(WallTime time) {
  const std::int64_t millis = to_millis(time);
  const time_t seconds = static_cast<time_t>(millis >= 0 ? millis / 1000 : (millis - 999) / 1000);
  tm local{};
  if (::localtime_r(&seconds, &local) == nullptr) return fmt::format("{} ms", millis);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", local.tm_year + 1900, local.tm_mon + 1,
                     local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec);
}

}  // namespace tgkeep::app
