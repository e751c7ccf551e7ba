#pragma once
// What `tgkeep prove` does to a bot in its own process, and how often it did.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tgkeep::prove {

enum class Nemesis : std::uint8_t {
  kill,           ///< SIGKILL at any moment
  kill_at_write,  ///< in the middle of the store's writes
  poison,         ///< a handler ends the process
  freeze,         ///< SIGSTOP, then SIGCONT
  stop,           ///< SIGTERM
  stop_storm,     ///< SIGTERM again and again: the second ends it at once
  disk_full,
  sync_fails,       ///< EIO on fsync
  receiver_killed,  ///< the server that updates are pushed to
  receiver_frozen,
  clock_forward,
  clock_back,
  // What the emulated Telegram does.
  answer_late,
  connection_reset,
  answer_lost,  ///< after it took effect
  server_error,
  flood,
  sent_again,  ///< updates it had a confirmation for
  sent_twice,  ///< webhook requests, at the same time
  burst,
  count_,
};
inline constexpr std::size_t kNemeses = static_cast<std::size_t>(Nemesis::count_);

std::string_view to_string(Nemesis nemesis) noexcept;

class Strikes {
 public:
  Strikes() = default;
  void add(Nemesis nemesis, std::int64_t times = 1) noexcept {
    counts_[static_cast<std::size_t>(nemesis)] += times;
  }
  std::int64_t of(Nemesis nemesis) const noexcept { return counts_[static_cast<std::size_t>(nemesis)]; }
  void add(const Strikes& other) noexcept {
    for (std::size_t i = 0; i < kNemeses; ++i) counts_[i] += other.counts_[i];
  }

 private:
  std::array<std::int64_t, kNemeses> counts_{};
};

}  // namespace tgkeep::prove
