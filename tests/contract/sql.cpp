#include "sql.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

namespace tgkeep::store {

std::string sql_value(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  std::string value;
  const auto note = [](void* to, int, char** columns, char**) {
    *static_cast<std::string*>(to) = columns[0] == nullptr ? "" : columns[0];
    return 0;
  };
  char* why = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), note, &value, &why), SQLITE_OK)
      << (why == nullptr ? "" : why);
  sqlite3_free(why);
  sqlite3_close(database);
  return value;
}

}  // namespace tgkeep::store
