#include "app/doctor/store_checks.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <array>
#include <filesystem>
#include <tgkeep/sqlite_files.hpp>

#include "loop/real_clock.hpp"
#include "loop/run_to_end.hpp"
#include "store/sqlite/file_descriptor.hpp"
#include "store/sqlite/side_file.hpp"

namespace tgkeep::app {

namespace {

enum class Owner { nobody, somebody, unknown };

Owner owner_of(const std::string& folder) {
  const store::FileDescriptor lock(::open((folder + "/inbox.lock").c_str(), O_RDONLY | O_CLOEXEC));
  if (!lock) return Owner::unknown;
  // Shared, so that two of these don't see each other as owners; gone with the descriptor.
  return ::flock(lock.get(), LOCK_SH | LOCK_NB) == 0 ? Owner::nobody : Owner::somebody;
}

std::string pid_in(const std::string& folder) {
  const store::FileDescriptor lock(::open((folder + "/inbox.lock").c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 32> text{};
  const auto length = lock ? ::pread(lock.get(), text.data(), text.size(), 0) : 0;
  std::string pid(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  pid.erase(pid.find_last_not_of(" \n") + 1);
  return pid.empty() ? "(unknown)" : pid;
}

void check_owner(Findings& findings, const std::string& folder, bool live) {
  const Owner owner = owner_of(folder);
  if (owner == Owner::somebody && !live) {
    findings.warning("lock", "process " + pid_in(folder) + " owns the store and can't be asked",
                     "if it is a tgkeep: name its admin.socket or its configuration; if it hangs, end it");
  } else if (owner == Owner::nobody && live) {
    findings.warning("lock", "nobody owns the store, though tgkeep runs",
                     "does the running one use another folder?");
  } else if (owner == Owner::unknown) {
    findings.skipped("lock", "no lock file, or it may not be read");
  } else {
    findings.ok("lock", owner == Owner::somebody ? "held by the process that runs" : "free");
  }
}

}  // namespace

void check_store(Findings& findings, boost::asio::io_context& io, const std::string& folder, bool live) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder + "/inbox.db", ignored)) {
    findings.skipped("store", "none yet in " + folder + ": the first start makes it");
    return;
  }
  check_owner(findings, folder, live);
  loop::RealClock clock(io.get_executor());
  auto opened = store::open_sqlite_reader(io.get_executor(), clock, folder);
  if (opened.has_error()) {
    findings.bad("store", opened.error().text(), "`tgkeep check` looks at every row; then restore a backup");
    return;
  }
  const Result<StoreCounts> counts = loop::run_to_end(io, (*opened)->counts());
  if (counts.has_error()) {
    findings.bad("store", counts.error().text(), "`tgkeep check` looks at every row; then restore a backup");
    return;
  }
  findings.ok("store", fmt::format("can be read; {} updates and {} calls stored so far", counts->inbox.stored,
                                   counts->outbox.stored));
}

}  // namespace tgkeep::app
