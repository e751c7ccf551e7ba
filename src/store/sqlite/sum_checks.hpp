#pragma once
// Which rows are not as they were written, as SQL over their checksums (`define_sum`). Bodies of items are
// not among them: those are compared when they are read.

#include <string>
#include <vector>

namespace tgkeep::store {

class SumCheck {
 public:
  SumCheck(std::string table, std::string wrong, std::string which, std::string seq)
      : table(std::move(table)), wrong(std::move(wrong)), which(std::move(which)), seq(std::move(seq)) {}
  std::string table;
  std::string wrong;  ///< holds for rows which are not as they were written
  std::string which;  ///< names a row for people
  std::string seq;    ///< of the row, or NULL
  /// Columns: the name of the row, its seq.
  std::string query() const { return "SELECT " + which + ", " + seq + " FROM " + table + " WHERE " + wrong; }
};

/// Of inbox.db.
std::vector<SumCheck> sum_checks();

}  // namespace tgkeep::store
