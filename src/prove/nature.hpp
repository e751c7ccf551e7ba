#pragma once
// What the bot of a proof does with an update: decided by the update's id and the seed, so that the bot and
// its judge know it without asking each other. Pure.

#include <chrono>
#include <cstdint>
#include <tgkeep/id.hpp>

namespace tgkeep::prove {

enum class Nature : std::uint8_t {
  plain,     ///< 1-50 ms, then done
  slow,      ///< 0.3-2 s, then done
  stumbles,  ///< fails twice, then done
  hangs,     ///< the first attempt exceeds its timeout
  hopeless,  ///< fails at every attempt, until it is a dead letter
  refused,   ///< the handler gives it up: a dead letter at once
  poison,    ///< ends the process at every attempt, until it is a dead letter
};

/// `may_end_process`: whether there is poison among them.
Nature nature_of(std::uint64_t seed, UpdateId update, bool may_end_process);
std::chrono::microseconds working_time(std::uint64_t seed, UpdateId update, Nature nature);
/// Whether it ends as a dead letter.
bool is_mortal(Nature nature) noexcept;
/// Whether attempt number `attempt` fails.
bool fails(Nature nature, std::uint32_t attempt) noexcept;

}  // namespace tgkeep::prove
