#include "store/sqlite/day_files.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "store/sqlite/folder.hpp"

namespace tgkeep::store {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFolder = "/history";
constexpr std::size_t kOpen = 2;  // around midnight there are two

std::optional<Day> day_of(const std::string& name) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  if (std::sscanf(name.c_str(), "%4d-%2u-%2u", &year, &month, &day) != 3) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!date.ok()) return std::nullopt;
  const Day found{std::chrono::sys_days(date)};
  if (name != found.name() + ".db" && name != found.name() + ".db.damaged") return std::nullopt;
  return found;
}

}  // namespace

std::vector<DayFileEntry> list_day_files(const std::string& store_folder) {
  std::vector<DayFileEntry> found;
  std::error_code none;
  for (fs::directory_iterator entry(store_folder + kFolder, none); entry != fs::directory_iterator();
       entry.increment(none)) {
    const std::string path = entry->path().string();
    if (const auto day = day_of(entry->path().filename().string()))
      found.emplace_back(*day, path, size_of(path) + size_of(path + "-wal"));
  }
  // Of one day, what is damaged first.
  std::ranges::sort(found, {}, [](const DayFileEntry& entry) {
    return std::make_pair(entry.day, entry.path.ends_with(".db"));
  });
  return found;
}

DayFiles::DayFiles(std::string folder, std::string vfs) : folder_(std::move(folder)), vfs_(std::move(vfs)) {
  measure();
}

std::string DayFiles::path(Day day) const {
  return folder_ + kFolder + "/" + day.name() + ".db";
}

DayFile& DayFiles::open(Day day) {
  if (const auto found = open_.find(day); found != open_.end()) return found->second;
  if (open_.size() >= kOpen && !open_.begin()->second.database().in_transaction()) open_.erase(open_.begin());
  std::error_code failure;
  if (fs::create_directory(folder_ + kFolder, failure); failure)
    throw SqliteFailure(SQLITE_CANTOPEN, folder_ + kFolder + " can't be made: " + failure.message());
  DayFile& made = open_.try_emplace(day, path(day), vfs_).first->second;
  for (const std::string& changed : {folder_, folder_ + kFolder}) {
    if (const auto synced = sync_folder(changed); !synced)
      throw SqliteFailure(SQLITE_IOERR, synced.error().text());
  }
  return made;
}

template <class Work>
void DayFiles::guarded(Day day, Work work) {
  try {
    DayFile& file = open(day);
    if (!file.database().in_transaction()) file.begin();
    work(file);
  } catch (const SqliteFailure& failure) {
    if (failure.primary() == SQLITE_CORRUPT || failure.primary() == SQLITE_NOTADB) {
      open_.clear();
      std::error_code none;
      for (const char* part : {"-wal", "-shm"}) fs::remove(path(day) + part, none);
      fs::rename(path(day), path(day) + ".damaged", none);
    }
    throw;
  }
}

void DayFiles::insert(Day day, const Cursor& item) {
  guarded(day, [&item](DayFile& file) { file.insert(item); });
}

void DayFiles::insert_failure(Day day, const Cursor& failure) {
  guarded(day, [&failure](DayFile& file) { file.insert_failure(failure); });
}

void DayFiles::commit() {
  for (auto& [day, file] : open_) {
    if (!file.database().in_transaction()) continue;
    guarded(day, [](DayFile& written) { written.commit(); });
    file.tidy();
  }
}

bool DayFiles::trim(Day day, std::uint64_t bytes) {
  bool trimmed = false;
  guarded(day, [&](DayFile& file) {
    while (file.used_bytes() > bytes && file.drop_oldest()) trimmed = true;
  });
  commit();
  return trimmed;
}

void DayFiles::drop(const DayFileEntry& entry) {
  open_.erase(entry.day);
  std::error_code failure;
  fs::remove(entry.path, failure);
  for (const char* part : {"-wal", "-shm"}) fs::remove(entry.path + part, failure);
}

void DayFiles::measure() {
  std::uint64_t sum = 0;
  for (const DayFileEntry& entry : list()) sum += entry.bytes;
  bytes_ = sum;
}

}  // namespace tgkeep::store
