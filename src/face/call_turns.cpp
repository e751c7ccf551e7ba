#include "face/call_turns.hpp"

#include <utility>

namespace tgkeep::face {

CallTurns::Place::Place(CallTurns& turns, const asio::any_io_executor& loop, rules::CallAsk ask)
    : turns_(turns), changed_(loop) {
  id_ = turns_.lines_.add(std::move(ask), turns_.clock_.mono());
  if (!id_) return;
  turns_.places_.emplace(*id_, this);
  turns_.look();
}

CallTurns::Place::~Place() {
  if (!id_) return;
  turns_.places_.erase(*id_);
  turns_.lines_.end(*id_);
  turns_.look();
}

asio::awaitable<bool> CallTurns::Place::turn() {
  while (state_ == State::waiting) co_await changed_.wait();
  co_return state_ == State::runs;
}

void CallTurns::Place::again(MonoTime not_before) {
  state_ = State::waiting;
  turns_.lines_.again(*id_, not_before, turns_.clock_.mono());
  turns_.look();
}

void CallTurns::hold(const std::string& line, MonoTime until) {
  lines_.hold(line, until, clock_.mono());
  look();
}

void CallTurns::hold_all(MonoTime until) {
  lines_.hold_all(until, clock_.mono());
  look();
}

void CallTurns::look() {
  const MonoTime now = clock_.mono();
  while (const auto id = lines_.give_up(now)) {
    Place& place = *places_.at(*id);
    place.state_ = Place::State::given_up;
    place.changed_.notify();
  }
  while (const auto id = lines_.start(now)) {
    Place& place = *places_.at(*id);
    place.state_ = Place::State::runs;
    place.changed_.notify();
  }
  arm();
}

void CallTurns::arm() {
  const std::optional<MonoTime> next = lines_.next();
  if (next == armed_) return;
  armed_ = next;
  alarm_.reset();
  if (!next || *next == MonoTime::max()) return;
  alarm_ = clock_.at(*next, [this] {
    armed_.reset();
    look();
  });
}

}  // namespace tgkeep::face
