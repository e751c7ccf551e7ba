#pragma once
// The queries that wait for a bot's answer.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/time.hpp>
#include <type_traits>

#include "emulator/world/json_access.hpp"

namespace tgkeep::emulator {

class PendingQuery {
 public:
  PendingQuery() = default;
  std::string kind;  ///< of its update
  std::int64_t bot = 0;
  WallTime until{};      ///< an answer after this comes too late
  json::object content;  ///< what its update says
  json::object context;  ///< what the answer leads to
};

class PendingQueries {
 public:
  PendingQueries() = default;
  /// Keeps it under a new id, which it returns.
  std::string add(PendingQuery query);
  /// nullptr when there is none of that bot, kind and id, or its time is over.
  PendingQuery* find(std::int64_t bot, std::string_view kind, std::string_view id, WallTime now);
  void erase(std::string_view id);
  void clear() { queries_.clear(); }

 private:
  std::map<std::string, PendingQuery, std::less<>> queries_;
  std::int64_t last_ = 4'000'000'000'000'000'000;
};

static_assert(!std::is_aggregate_v<PendingQuery>);

}  // namespace tgkeep::emulator
