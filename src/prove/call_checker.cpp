#include "prove/call_checker.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tgkeep::prove {

namespace {

std::string name(std::int64_t number, std::int64_t chat) {
  return "call " + std::to_string(number) + " to chat " + std::to_string(chat);
}

std::string times(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " time" : " times");
}

/// What Telegram must have seen of a call of which this was told.
class Seen {
 public:
  constexpr Seen(std::int64_t least, std::int64_t most, bool arrived)
      : least(least), most(most), arrived(arrived) {}
  std::int64_t least, most;  ///< effects
  bool arrived;
};

constexpr Seen seen_for(Told told) {
  switch (told) {
    case Told::ok:
      return Seen(1, 1, true);
    case Told::refused:
      return Seen(0, 0, true);
    case Told::not_sent:
    case Told::held:
    case Told::unreached:
      return Seen(0, 0, false);
    default:
      return Seen(0, 1, false);
  }
}

}  // namespace

void CallChecker::made(std::int64_t number, std::int64_t chat) {
  const auto [call, is_new] = calls_.try_emplace(number);
  if (!is_new)
    return untrue_.push_back(name(number, chat) + " was made twice: the bot of the proof is wrong");
  call->second.chat = chat;
  call->second.told_before = chats_[chat].told.size();
  chats_[chat].made.push_back(number);
}

void CallChecker::told(std::int64_t number, Told told) {
  const auto call = calls_.find(number);
  if (call == calls_.end() || call->second.told)
    return untrue_.push_back("call " + std::to_string(number) +
                             " was told of twice or never made: the bot of the proof is wrong");
  call->second.told = told;
  chats_[call->second.chat].told.push_back(number);
  ++told_[static_cast<std::size_t>(told)];
}

void CallChecker::event(const CallEvent& event) {
  if (event.told) {
    told(event.number, *event.told);
  } else {
    made(event.number, event.chat);
  }
}

void CallChecker::arrived(std::int64_t number, std::int64_t chat, bool took_effect, bool answered) {
  ++arrivals_;
  const auto found = calls_.find(number);
  if (found == calls_.end()) return untrue_.push_back(name(number, chat) + " arrived and was never made");
  Call& call = found->second;
  if (call.chat != chat)
    untrue_.push_back(name(number, call.chat) + " arrived in chat " + std::to_string(chat));
  ++call.arrivals;
  if (!took_effect) return;
  ++call.effects;
  call.effect = ++effects_;
  call.lost = !answered;
}

std::int64_t CallChecker::untold() const noexcept {
  return made() - std::accumulate(told_.begin(), told_.end(), std::int64_t{0});
}

std::optional<Told> CallChecker::told_of(std::int64_t number) const {
  const auto call = calls_.find(number);
  return call == calls_.end() ? std::nullopt : call->second.told;
}

void CallChecker::finish() {
  for (const auto& [number, call] : calls_) check(number, call);
  for (const auto& [id, chat] : chats_) check_order(chat);
}

void CallChecker::check(std::int64_t number, const Call& call) {
  const std::string what = name(number, call.chat);
  if (call.effects > 1)
    doubled_.push_back(what + " took effect " + times(call.effects) + ", made once" +
                       (call.told ? " and told " + std::string(to_string(*call.told)) : std::string()));
  if (!call.told) return;
  const std::string told = what + " was told " + std::string(to_string(*call.told));
  const Seen seen = seen_for(*call.told);
  if (call.effects < seen.least || call.effects > seen.most)
    untrue_.push_back(told + " and took effect " + times(call.effects));
  if (seen.arrived && call.arrivals == 0) untrue_.push_back(told + " and never arrived");
  if (*call.told == Told::ok && call.lost) untrue_.push_back(told + " although its answer was lost");
  if (*call.told == Told::unreached && call.arrivals > 0) untrue_.push_back(told + " and arrived");
  if (*call.told == Told::silent)
    untrue_.push_back(told + ": it failed without a word about what became of it");
  if (*call.told == Told::cut)
    untrue_.push_back(told + ": its connection broke while the face's process lived");
}

void CallChecker::check_order(const Chat& chat) {
  // By how many had been told: the last effect among those.
  std::vector<std::int64_t> latest{0};
  for (const std::int64_t number : chat.told)
    latest.push_back(std::max(latest.back(), calls_.at(number).effect));
  for (const std::int64_t number : chat.made) {
    const Call& call = calls_.at(number);
    if (call.effects == 0 || call.effect > latest[call.told_before]) continue;
    disordered_.push_back(name(number, call.chat) +
                          " took effect before one of which the bot had learnt when it made this");
  }
}

}  // namespace tgkeep::prove
