#include "store/sqlite/check_report.hpp"

#include <algorithm>
#include <utility>

namespace tgkeep::store {

namespace {
constexpr const char* kLoss =
    "finished items of that day may be missing; move the file away, nothing else needs it";
constexpr int kMostTold = 20;
}  // namespace

void CheckReport::find(const std::string& file, const std::string& table, std::optional<Seq> seq,
                       std::string what, std::string remedy) {
  if (check_.findings.size() >= kListed) {
    ++check_.more;
    return;
  }
  StoreFinding& finding = check_.findings.emplace_back();
  finding.file = file;
  finding.table = table;
  finding.seq = seq;
  finding.what = std::move(what);
  finding.remedy = std::move(remedy);
}

bool check_integrity(Database& database, const std::string& file, bool day, CheckReport& report) {
  bool well = true;
  Statement check = database.prepare("PRAGMA integrity_check(" + std::to_string(kMostTold) + ")");
  for (Cursor row = check.rows(); row.next();) {
    if (row.bytes(0) == "ok") continue;
    well = false;
    report.find(file, "", std::nullopt, "SQLite: " + std::string(row.bytes(0)), day ? kLoss : kDamaged);
  }
  return well;
}

}  // namespace tgkeep::store
