#include "rules/suspects.hpp"

#include "rules/mutant.hpp"

namespace tgkeep::rules {

Suspects::Next Suspects::next(MonoTime now, bool suspect_ready, std::optional<MonoTime> youngest) const {
  if (mutant("suspect_not_alone")) return suspect_ready ? Next::suspect : Next::others;
  if (window_end_) return Next::nothing;
  if (!suspect_ready || now < others_until_) return Next::others;
  if (youngest && now < *youngest + window_) return Next::nothing;
  return Next::suspect;
}

std::optional<MonoTime> Suspects::ask_again(MonoTime now, bool suspect_ready,
                                            std::optional<MonoTime> youngest) const {
  if (window_end_) return window_end_;
  if (!suspect_ready) return std::nullopt;
  if (now < others_until_) return others_until_;
  if (youngest) return *youngest + window_;
  return std::nullopt;
}

void Suspects::started(MonoTime now) {
  window_end_ = now + window_;
  if (!first_of_row_) first_of_row_ = now;
}

void Suspects::ended(MonoTime now) {
  window_end_.reset();
  if (first_of_row_ && now >= *first_of_row_ + window_) give_turn(now);
}

void Suspects::outlived(MonoTime now) {
  window_end_.reset();
  give_turn(now);
}

void Suspects::give_turn(MonoTime now) {
  first_of_row_.reset();
  others_until_ = now + window_;
}

bool Suspects::end_turn() noexcept {
  const bool was_theirs = others_until_ != MonoTime::min();
  others_until_ = MonoTime::min();
  return was_theirs;
}

void Suspects::clear() {
  window_end_.reset();
  first_of_row_.reset();
  others_until_ = MonoTime::min();
}

}  // namespace tgkeep::rules
