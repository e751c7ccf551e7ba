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
  /// How a bot behind the face gets its updates, and ends them.
  enum class Face : std::uint8_t {
    none,     ///< there is no face
    poll,     ///< it polls, works on one after another, and confirms by its offset
    settle,   ///< it polls, works on many at once, and settles each
    webhook,  ///< it sets a webhook at itself
  };
  constexpr Workload(std::string_view name, Way way, bool push, bool hot, bool backlog,
                     Face face = Face::none)
      : name(name), way(way), push(push), hot(hot), backlog(backlog), face(face) {}
  std::string_view name;
  Way way;
  bool push;     ///< to a receiver in a process of its own, else to a handler in the bot
  bool hot;      ///< few chats
  bool backlog;  ///< thousands wait before the bot starts for the first time
  Face face;     ///< not `none`: a bot in a process of its own gets its updates, and makes its calls, there

  /// Whether an update may end the process that works on it, and be given up for that.
  constexpr bool has_poison() const { return face == Face::none ? !push : face != Face::webhook; }
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

/// Those of `tgkeep prove --face`.
inline constexpr std::array kFaceWorkloads{
    Workload("face-poll", Workload::Way::poll, false, false, false, Workload::Face::poll),
    Workload("face-settle", Workload::Way::switching, false, false, false, Workload::Face::settle),
    Workload("face-webhook", Workload::Way::webhook, false, false, false, Workload::Face::webhook),
};

/// The word for each way on the command line; "" for none.
constexpr std::string_view to_string(Workload::Face face) {
  switch (face) {
    case Workload::Face::poll:
      return "poll";
    case Workload::Face::settle:
      return "settle";
    case Workload::Face::webhook:
      return "webhook";
    default:
      return "";
  }
}

/// Nothing for an unknown name.
constexpr std::optional<Workload> find_workload(std::string_view name) {
  for (const Workload& workload : kWorkloads) {
    if (workload.name == name) return workload;
  }
  for (const Workload& workload : kFaceWorkloads) {
    if (workload.name == name) return workload;
  }
  return std::nullopt;
}

}  // namespace tgkeep::prove
