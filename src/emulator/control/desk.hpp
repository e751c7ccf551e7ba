#pragma once
// What the control requests work with, and the requests that are answered at once.

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "emulator/bot_server.hpp"
#include "emulator/faults/fault_plan.hpp"
#include "emulator/methods/refusal.hpp"
#include "emulator/people/stage.hpp"
#include "emulator/steerable_clock.hpp"

namespace tgkeep::emulator {

class Desk {
 public:
  /// All must outlive it.
  Desk(BotServer& server, SteerableClock& clock) : server(server), clock(clock) {}
  BotServer& server;
  SteerableClock& clock;
  FaultPlan faults;
  std::map<std::string, json::object> snapshots;
  Stage stage() const { return Stage(server.world(), clock.wall(), server.bots()); }
};

using Request = Checked<json::value> (*)(Desk&, const json::object& request);

class NamedRequest {
 public:
  constexpr NamedRequest(std::string_view path, Request perform) : path(path), perform(perform) {}
  std::string_view path;  ///< after /control/
  Request perform;
};

// One list for each file of this folder.
std::span<const NamedRequest> making_requests() noexcept;
std::span<const NamedRequest> reading_requests() noexcept;
std::span<const NamedRequest> update_requests() noexcept;
std::span<const NamedRequest> clock_requests() noexcept;
std::span<const NamedRequest> fault_requests() noexcept;

/// A finished call as JSON.
json::object show_call(const CallRecord& call);
/// Which calls a request means: by `bot`, `method`, `chat`, `after` (a number). Without a method, getUpdates
/// is left out.
bool is_meant(const CallRecord& call, const json::object& request);

}  // namespace tgkeep::emulator
