#include "emulator/flood_limits.hpp"

#include <algorithm>

namespace tgkeep::emulator {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration chat_interval = seconds(1);
constexpr std::int64_t chat_burst = 3;
constexpr Duration group_window = seconds(60);
constexpr std::size_t group_most = 20;
constexpr Duration all_interval = Duration(seconds(1)) / 30;
constexpr std::int64_t all_burst = 30;
constexpr Duration absorbed = seconds(8);
constexpr std::size_t many_chats = 10'000;

}  // namespace

Duration FloodLimits::Meter::wait(Duration interval, std::int64_t burst, MonoTime now) const {
  return std::max(due_ - interval * (burst - 1) - now, Duration::zero());
}

void FloodLimits::Meter::take(Duration interval, MonoTime at) {
  due_ = std::max(due_, at) + interval;
}

bool FloodLimits::counts(std::string_view method) noexcept {
  if (method == "sendChatAction") return false;
  for (const std::string_view start : {"send", "edit", "forward", "copy"}) {
    if (method.starts_with(start)) return true;
  }
  return false;
}

FloodVerdict FloodLimits::admit(std::int64_t chat, bool paid, MonoTime now) {
  if (chats_.size() >= many_chats) forget_idle(now);
  ChatMeters& meters = chats_[chat];
  const bool group = chat < 0;
  FloodVerdict verdict;
  verdict.wait = meters.second.wait(chat_interval, chat_burst, now);
  if (group && meters.minute.size() == group_most) {
    verdict.wait = std::max(verdict.wait, meters.minute.front() + group_window - now);
  }
  if (!paid) verdict.wait = std::max(verdict.wait, all_.wait(all_interval, all_burst, now));
  if (verdict.wait > absorbed) {
    verdict.retry_after = std::chrono::ceil<seconds>(verdict.wait);
    verdict.wait = Duration::zero();
    return verdict;
  }
  meters.second.take(chat_interval, now);
  if (group) meters.minute.push_back(now + verdict.wait);
  if (meters.minute.size() > group_most) meters.minute.pop_front();
  if (!paid) all_.take(all_interval, now);
  return verdict;
}

void FloodLimits::forget_idle(MonoTime now) {
  std::erase_if(chats_, [now](const auto& chat) {
    const ChatMeters& meters = chat.second;
    return meters.second.is_idle(now) && (meters.minute.empty() || meters.minute.back() + group_window < now);
  });
}

}  // namespace tgkeep::emulator
