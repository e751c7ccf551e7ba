#include "face/poll_pace.hpp"

#include <algorithm>

namespace tgkeep::face {

namespace {

using std::chrono::seconds;

constexpr std::int64_t kMaxLimit = 100;
constexpr std::int64_t kMaxTimeout = 50;
constexpr seconds kLeastAgain{3};

}  // namespace

PollTerms PollPace::admit(std::int64_t offset, std::int64_t limit, std::int64_t timeout, MonoTime now) {
  PollTerms terms(static_cast<std::size_t>(std::clamp<std::int64_t>(limit, 1, kMaxLimit)),
                  seconds(std::clamp<std::int64_t>(timeout, 0, kMaxTimeout)));
  const bool again = last_offset_ == offset && now - last_start_ < kLeastAgain;
  if (again) terms.wait = std::max<Duration>(terms.wait, kLeastAgain);
  last_offset_ = offset;
  last_start_ = now;
  return terms;
}

}  // namespace tgkeep::face
