#pragma once
// Which way updates take through the bot, and how they come.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tgkeep::prove {

class Workload {
 public:
  enum class Way : std::uint8_t { poll, webhook, switching };
  constexpr Workload(std::string_view name, Way way, bool push, bool hot, bool backlog)
      : name(name), way(way), push(push), hot(hot), backlog(backlog) {}
  std::string_view name;
  Way way;
  bool push;     ///< to a receiver in a process of its own, else to a handler in the bot
  bool hot;      ///< few chats
  bool backlog;  ///< thousands wait before the bot starts for the first time
};

/// All of them, in the order in which a run takes them. Each has slow, failing and poisonous updates, and
/// bursts.
inline constexpr std::array kWorkloads{
    Workload("poll", Workload::Way::poll, false, false, false),
    Workload("webhook", Workload::Way::webhook, false, false, false),
    Workload("switching", Workload::Way::switching, false, false, false),
    Workload("poll-push", Workload::Way::poll, true, false, false),
    Workload("hot-chat", Workload::Way::switching, false, true, false),
    Workload("backlog", Workload::Way::poll, false, false, true),
    Workload("webhook-push", Workload::Way::webhook, true, false, false),
    Workload("switching-push", Workload::Way::switching, true, false, true),
};

/// Nothing for an unknown name.
constexpr std::optional<Workload> find_workload(std::string_view name) {
  for (const Workload& workload : kWorkloads) {
    if (workload.name == name) return workload;
  }
  return std::nullopt;
}

}  // namespace tgkeep::prove
