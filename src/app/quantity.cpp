#include "app/quantity.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace tgkeep::app {

namespace {

using Unit = std::pair<std::string_view, std::uint64_t>;

// From small to large. Durations count milliseconds.
constexpr std::array<Unit, 5> kTimes{
    {{"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
constexpr std::array<Unit, 5> kSizes{
    {{"B", 1}, {"KiB", 1ULL << 10}, {"MiB", 1ULL << 20}, {"GiB", 1ULL << 30}, {"TiB", 1ULL << 40}}};
// Ten years, and 2^53 bytes: far above any sense, and far from an overflow.
constexpr std::uint64_t kMaxMillis = 10ULL * 366 * 86'400'000;
constexpr std::uint64_t kMaxBytes = 1ULL << 53;

std::optional<std::uint64_t> read(std::string_view text, const std::array<Unit, 5>& units,
                                  std::uint64_t max) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const auto& [unit, factor] : units) {
    if (name != unit) continue;
    if (number > max / factor) return std::nullopt;
    return number * factor;
  }
  return std::nullopt;
}

std::string show(std::uint64_t number, const std::array<Unit, 5>& units) {
  Unit best = units.front();
  for (const Unit& unit : units) {
    if (number > 0 && number % unit.second == 0) best = unit;
  }
  return std::to_string(number / best.second).append(best.first);
}

Error refuse(std::string_view text, std::string_view expected) {
  return Error(Errc::bad_config, "\"" + std::string(text) + "\" is not " + std::string(expected));
}

}  // namespace

Result<Duration> read_duration(std::string_view text) {
  const auto millis = read(text, kTimes, kMaxMillis);
  if (!millis) return refuse(text, "a duration: write a whole number and ms, s, m, h or d, such as \"30s\"");
  return Duration(std::chrono::milliseconds(*millis));
}

std::string show_duration(Duration duration) {
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
  return millis == 0 ? "0s" : show(static_cast<std::uint64_t>(millis), kTimes);
}

Result<std::uint64_t> read_size(std::string_view text) {
  const auto bytes = read(text, kSizes, kMaxBytes);
  if (!bytes)
    return refuse(text, "a size: write a whole number and B, KiB, MiB, GiB or TiB, such as \"64MiB\"");
  return *bytes;
}

std::string show_size(std::uint64_t bytes) {
  return show(bytes, kSizes);
}

}  // namespace tgkeep::app
