#include "rules/suspects.hpp"

namespace tgkeep::rules {

Suspects::Next Suspects::next(MonoTime now, bool suspect_ready, std::optional<MonoTime> youngest) const {
  if (window_end_) return Next::nothing;
  if (!suspect_ready || others_first_) return Next::others;
  if (youngest && now < *youngest + window_) return Next::nothing;
  return Next::suspect;
}

std::optional<MonoTime> Suspects::ask_again(bool suspect_ready, std::optional<MonoTime> youngest) const {
  if (window_end_) return window_end_;
  if (suspect_ready && youngest) return *youngest + window_;
  return std::nullopt;
}

void Suspects::started(MonoTime now) {
  window_end_ = now + window_;
}

void Suspects::ended() {
  window_end_.reset();
}

void Suspects::outlived() {
  window_end_.reset();
  others_first_ = true;
}

void Suspects::clear() {
  window_end_.reset();
  others_first_ = false;
}

}  // namespace tgkeep::rules
