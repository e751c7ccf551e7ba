#include "store/sqlite/sum.hpp"

#include <array>
#include <tgkeep/update.hpp>

namespace tgkeep::store {

namespace {

void sum_in_sql(sqlite3_context* context, int count, sqlite3_value** values) {
  Sum sum;
  for (int i = 0; i < count; ++i) {
    switch (sqlite3_value_type(values[i])) {
      case SQLITE_INTEGER:
        sum.add(std::int64_t{sqlite3_value_int64(values[i])});
        break;
      case SQLITE_NULL:
        sum.add(std::string_view());
        break;
      case SQLITE_FLOAT:  // nothing of ours is one
        sum.add("a real number");
        break;
      default: {
        const auto* bytes = static_cast<const char*>(sqlite3_value_blob(values[i]));
        const auto size = static_cast<std::size_t>(sqlite3_value_bytes(values[i]));
        sum.add(bytes == nullptr ? std::string_view() : std::string_view(bytes, size));
      }
    }
  }
  sqlite3_result_int64(context, sum.value());
}

}  // namespace

Sum& Sum::add(std::int64_t number) noexcept {
  std::array<char, 8> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i));
  return add(std::string_view(bytes.data(), bytes.size()));
}

Sum& Sum::add(std::string_view bytes) noexcept {
  hash_ = stable_hash(bytes, hash_);
  return *this;
}

void define_sum(Database& database) {
  database.define("tgkeep_sum", sum_in_sql);
}

}  // namespace tgkeep::store
