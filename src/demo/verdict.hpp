#pragma once
// The demo's figures, the JSON line they end in, and what they must be for the demo to pass. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "prove/checker.hpp"
#include "prove/store_figures.hpp"

namespace tgkeep::demo {

using prove::Checker;
using prove::StoreFigures;

/// What the emulator saw of receiving. An answer counts as acknowledged when the next offset is its last id
/// + 1.
class DeliveryFigures {
 public:
  DeliveryFigures() = default;
  std::int64_t delivered = 0;     ///< updates in all answers, repeats included
  std::int64_t acknowledged = 0;  ///< of these, in answers that were acknowledged
};

class Figures {
 public:
  Figures() = default;
  std::int64_t sent = 0;
  std::int64_t stored = 0;
  std::int64_t duplicates = 0;
  std::int64_t handled = 0;
  std::int64_t repeated = 0;
  std::int64_t lost = 0;
  std::int64_t out_of_order = 0;
  std::int64_t stale = 0;
  std::int64_t dead = 0;
  std::int64_t calls = 0;
  std::int64_t calls_lost = 0;
  std::int64_t calls_repeated = 0;
  std::int64_t in_doubt = 0;
  std::int64_t kills = 0;
  std::int64_t kills_in_flight = 0;
  std::int64_t max_parallel = 0;
  double seconds = 0;
  std::uint64_t seed = 0;
  // Not in the JSON line, but judged:
  std::int64_t done = 0;
  std::int64_t calls_in_flight =
      0;  ///< outbox rows in flight in the store file right after each kill, summed up
  DeliveryFigures deliveries;
};

/// Fills in what the checker and the store know.
Figures gather(const Checker& checker, const StoreFigures& store);

/// One line without line feed.
std::string to_json(const Figures& figures);

/// A table for people, one figure a line with what it means.
std::string to_table(const Figures& figures);

/// What was asked for.
class Plan {
 public:
  Plan(std::int64_t kills, std::int64_t chats) : kills(kills), chats(chats) {}
  std::int64_t kills;
  std::int64_t chats;  ///< no more handlers than these can run at once
};

/// What is wrong, in words; empty: the demo passed.
std::vector<std::string> judge(const Figures& figures, const Plan& plan);

}  // namespace tgkeep::demo
