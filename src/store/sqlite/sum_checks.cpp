#include "store/sqlite/sum_checks.hpp"

#include "store/sqlite/schema.hpp"

namespace tgkeep::store {

std::vector<SumCheck> sum_checks() {
  const std::string marks = "marks<>tgkeep_sum(" + std::string(kMarkedColumns);
  const std::string seq = "'seq ' || seq";
  return {
      SumCheck("inbox", marks + ")", seq, "seq"),
      SumCheck("outbox", marks + ")", seq, "seq"),
      SumCheck("dead", marks + ", reason, died)", seq, "seq"),
      SumCheck("done", "sum<>tgkeep_sum(queue, seq, started, ended)", seq, "seq"),
      SumCheck("seen", "sum<>tgkeep_sum(bot, update_id, seq, at)", "'update ' || update_id", "seq"),
      SumCheck("handout", "sum<>tgkeep_sum(id, seq, at)", "'number ' || id", "seq"),
      SumCheck("state", "sum<>tgkeep_sum(bot, space, key, bytes)", "'space ' || space || ', key ' || key",
               "NULL"),
  };
}

}  // namespace tgkeep::store
