#include "prove/nemesis.hpp"

namespace tgkeep::prove {

namespace {

constexpr std::array<std::string_view, kNemeses> kNames{
    "kill",          "kill_at_write", "poison",      "freeze",           "stop",
    "stop_storm",    "disk_full",     "sync_fails",  "receiver_killed",  "receiver_frozen",
    "clock_forward", "clock_back",    "answer_late", "connection_reset", "answer_lost",
    "server_error",  "flood",         "sent_again",  "sent_twice",       "burst",
};
static_assert(!kNames.back().empty());

}  // namespace

std::string_view to_string(Nemesis nemesis) noexcept {
  return kNames[static_cast<std::size_t>(nemesis)];
}

}  // namespace tgkeep::prove
