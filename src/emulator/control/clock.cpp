// The clock, and restarts.

#include <array>

#include "emulator/control/desk.hpp"

namespace tgkeep::emulator {

namespace {

constexpr double most_seconds = 100.0 * 365 * 24 * 3600;

double seconds_in(const json::object& request, const char* name) {
  const json::value* value = member_of(request, name);
  if (value == nullptr) return 0;
  if (value->is_number()) return value->to_number<double>();
  return static_cast<double>(number_in(request, name));
}

/// `advance` moves time forward, `wall_step` the wall clock alone, both in seconds.
Checked<json::value> move_clock(Desk& desk, const json::object& request) {
  const double advance = seconds_in(request, "advance");
  const double step = seconds_in(request, "wall_step");
  if (advance < 0 || advance > most_seconds || step < -most_seconds || step > most_seconds) {
    return Refusal("advance: seconds, not negative; wall_step: seconds");
  }
  desk.clock.advance(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(advance)));
  desk.clock.step_wall(
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(step)));
  json::object shown;
  shown["unix_time"] = unix_time(desk.clock.wall());
  shown["pace"] = desk.clock.pace() == SteerableClock::Pace::real ? "real" : "still";
  return json::value(std::move(shown));
}

/// `down`: seconds without a listener.
Checked<json::value> restart(Desk& desk, const json::object& request) {
  const double down = seconds_in(request, "down");
  if (down < 0 || down > most_seconds) return Refusal("down: seconds, not negative");
  desk.server.start_restart(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(down)));
  return json::value(true);
}

constexpr std::array requests = {
    NamedRequest("clock", move_clock),
    NamedRequest("restart", restart),
};

}  // namespace

std::span<const NamedRequest> clock_requests() noexcept {
  return requests;
}

}  // namespace tgkeep::emulator
