#pragma once
// The checksum of a row's numbers and texts, in C++ and in SQL: as `tgkeep_sum(…)` a query can look for rows
// that do not match theirs.

#include <cstdint>
#include <optional>
#include <string_view>

#include "store/sqlite/database.hpp"

namespace tgkeep::store {

/// A chain of stable_hash: each field is hashed with the hash of those before it as the seed.
class Sum {
 public:
  Sum& add(std::int64_t number) noexcept;
  Sum& add(std::string_view bytes) noexcept;
  /// NULL is no bytes.
  Sum& add(std::optional<std::int64_t> number) noexcept {
    return number ? add(*number) : add(std::string_view());
  }
  std::int64_t value() const noexcept { return static_cast<std::int64_t>(hash_); }

 private:
  std::uint64_t hash_ = 0;
};

/// Of its arguments in their order.
template <class... Fields>
std::int64_t sum_of(const Fields&... fields) noexcept {
  Sum sum;
  (sum.add(fields), ...);
  return sum.value();
}

/// Makes `tgkeep_sum(…)` known to the connection.
void define_sum(Database& database);

}  // namespace tgkeep::store
