#pragma once
// Holds what a bot was told of its calls against what arrived at Telegram. Pure: it is fed as things happen,
// and can fail.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "prove/call_log.hpp"

namespace tgkeep::prove {

/// The bot makes each call once, and the next of a chat only when it has learnt what became of the one
/// before. The rules:
/// - a call takes effect once at most, whatever was told;
/// - `ok` means that it took effect and was answered; `refused`, that it arrived and had no effect;
/// `not_sent`,
///   `held` and `unreached`, that it had none;
/// - so a call that took effect and whose answer was lost can only be `maybe_sent`, or the face's process or
/// the
///   bot had died;
/// - a failure always says what became of the call, and a connection breaks only when the face's process
/// ends;
/// - in a chat, a call takes effect after all those of which the bot had learnt when it made the call.
class CallChecker {
 public:
  CallChecker() = default;
  void made(std::int64_t number, std::int64_t chat);
  void told(std::int64_t number, Told told);
  void event(const CallEvent& event);
  /// Telegram got it; `answered`: and sent all of its answer.
  void arrived(std::int64_t number, std::int64_t chat, bool took_effect, bool answered);
  /// Compares; when nothing comes any more.
  void finish();

  std::int64_t made() const noexcept { return static_cast<std::int64_t>(calls_.size()); }
  std::int64_t told(Told told) const noexcept { return told_[static_cast<std::size_t>(told)]; }
  /// Those of which the bot has learnt nothing yet, or has died before.
  std::int64_t untold() const noexcept;
  std::int64_t effects() const noexcept { return effects_; }
  std::int64_t arrivals() const noexcept { return arrivals_; }
  /// What was told of one of them.
  std::optional<Told> told_of(std::int64_t number) const;

  // After `finish`: violations, in words.
  const std::vector<std::string>& doubled() const noexcept { return doubled_; }
  const std::vector<std::string>& untrue() const noexcept { return untrue_; }
  const std::vector<std::string>& disordered() const noexcept { return disordered_; }

 private:
  struct Call {
    std::int64_t chat = 0;
    std::size_t told_before = 0;  ///< how many calls of the chat had been told when it was made
    std::optional<Told> told;
    std::int64_t arrivals = 0;
    std::int64_t effects = 0;
    std::int64_t effect = 0;  ///< the last one's place among those of all calls, from 1
    bool lost = false;        ///< the answer to one that took effect
  };
  struct Chat {
    std::vector<std::int64_t> told;  ///< calls, in this order
    std::vector<std::int64_t> made;
  };

  void check(std::int64_t number, const Call& call);
  void check_order(const Chat& chat);

  std::map<std::int64_t, Call> calls_;
  std::map<std::int64_t, Chat> chats_;
  std::array<std::int64_t, static_cast<std::size_t>(Told::count_)> told_{};
  std::int64_t effects_ = 0;
  std::int64_t arrivals_ = 0;
  std::vector<std::string> doubled_;
  std::vector<std::string> untrue_;
  std::vector<std::string> disordered_;
};

static_assert(!std::is_aggregate_v<CallChecker>);

}  // namespace tgkeep::prove
