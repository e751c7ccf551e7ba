#pragma once
// Plain SQL on a file, as a hand would do it.

#include <string>

namespace tgkeep::store {

/// Runs the statements; the first value of the last row, "" when there is none. A failure fails the test.
std::string sql_value(const std::string& path, const std::string& sql);

}  // namespace tgkeep::store
