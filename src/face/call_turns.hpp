#pragma once
// Calls wait here for their turn.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <map>
#include <memory>
#include <optional>
#include <tgkeep/clock.hpp>

#include "loop/event.hpp"
#include "rules/call_lines.hpp"

namespace tgkeep::face {

namespace asio = boost::asio;

/// Everything on the loop's thread.
class CallTurns {
 public:
  /// A call in its line, for as long as it lives.
  class Place {
   public:
    Place(CallTurns& turns, const asio::any_io_executor& loop, rules::CallAsk ask);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    /// False: too much waited already.
    bool admitted() const noexcept { return id_.has_value(); }
    /// Waits for its turn, at most as long as it may; true: it runs now. Not when not admitted.
    asio::awaitable<bool> turn();
    /// It ran, and is to run again: waits where it was in its line.
    void again(MonoTime not_before);

   private:
    friend class CallTurns;
    enum class State : std::uint8_t { waiting, runs, given_up };
    CallTurns& turns_;
    loop::Event changed_;
    std::optional<rules::CallLines::Id> id_;
    State state_ = State::waiting;
  };

  CallTurns(Clock& clock, const rules::CallLimits& limits) : clock_(clock), lines_(limits) {}
  CallTurns(const CallTurns&) = delete;
  CallTurns& operator=(const CallTurns&) = delete;

  void hold(const std::string& line, MonoTime until);
  void hold_all(MonoTime until);
  const rules::CallLines& lines() const noexcept { return lines_; }

 private:
  void look();
  void arm();

  Clock& clock_;
  rules::CallLines lines_;
  std::map<rules::CallLines::Id, Place*> places_;
  std::optional<MonoTime> armed_;
  std::unique_ptr<Alarm> alarm_;
};

}  // namespace tgkeep::face
