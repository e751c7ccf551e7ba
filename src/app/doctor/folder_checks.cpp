#include "app/doctor/folder_checks.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "app/display/amounts.hpp"
#include "store/sqlite/folder.hpp"

namespace tgkeep::app {

namespace {

using std::chrono::microseconds;

constexpr int kWrites = 20;
// A commit waits for one such write; what comes in at the same time shares it.
constexpr microseconds kSlow{30'000};
constexpr microseconds kFarTooSlow{250'000};
constexpr std::uint64_t kFewDescriptors = 4096;

void check_rights(Findings& findings, const std::string& folder) {
  struct stat facts {};
  if (::stat(folder.c_str(), &facts) != 0) {
    findings.bad("folder", folder + " can't be looked at: " + std::strerror(errno),
                 "run this as the user that tgkeep runs as, or give that user the folder");
    return;
  }
  if (::access(folder.c_str(), R_OK | W_OK | X_OK) != 0) {
    findings.bad("folder", folder + " can't be written by this user",
                 "run this as the user that tgkeep runs as; if this is that user: chown the folder to it");
    return;
  }
  if (facts.st_uid != ::geteuid()) {
    findings.warning("folder",
                     fmt::format("{} belongs to user {}, this is user {}", folder, facts.st_uid, ::geteuid()),
                     "run tgkeep's commands as the user it runs as: files made by another one lock it out");
    return;
  }
  if ((facts.st_mode & 0077U) != 0) {
    findings.warning("folder",
                     fmt::format("{} can be entered by others (mode {:04o}); it holds what people write",
                                 folder, facts.st_mode & 07777U),
                     "chmod 700 " + folder);
    return;
  }
  findings.ok("folder", folder + " is this user's alone");
}

void check_filesystem(Findings& findings, const std::string& folder) {
  struct statfs facts {};
  if (::statfs(folder.c_str(), &facts) != 0) return;
  const std::string_view network = store::network_filesystem(static_cast<std::uint64_t>(facts.f_type));
  if (network.empty()) return;
  findings.bad(
      "filesystem", fmt::format("{} is on a network filesystem ({})", folder, network),
      "choose a folder on a local disk: locks and syncs can't be relied on there, and tgkeep refuses it");
}

void check_room(Findings& findings, const std::string& folder, std::uint64_t reserve) {
  const std::optional<std::uint64_t> room = store::free_bytes(folder);
  if (!room) {
    findings.skipped("disk space", "not known for " + folder);
    return;
  }
  const std::string text = bytes_text(*room) + " free, reserve " + bytes_text(reserve);
  if (*room <= reserve) {
    findings.bad("disk space", text + ": new updates are refused",
                 "free some space, or lower the setting reserve");
  } else if (*room < 4 * reserve) {
    findings.warning("disk space", text,
                     "free some space before the reserve is reached: then updates are refused");
  } else {
    findings.ok("disk space", text);
  }
}

/// Median time of a small synced write; nothing when the folder can't be written.
std::optional<microseconds> median_write(const std::string& folder) {
  std::string path = folder + "/doctor-XXXXXX";
  const int file = ::mkostemp(path.data(), O_CLOEXEC);
  if (file < 0) return std::nullopt;
  ::unlink(path.c_str());
  const std::array<char, 4096> page{};
  std::vector<microseconds> times;
  for (int i = 0; i < kWrites; ++i) {
    const auto begun = std::chrono::steady_clock::now();
    const bool written = ::write(file, page.data(), page.size()) == static_cast<ssize_t>(page.size());
    if (!written || ::fdatasync(file) != 0) break;
    times.push_back(std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - begun));
  }
  ::close(file);
  if (times.size() < kWrites) return std::nullopt;
  std::nth_element(times.begin(), times.begin() + kWrites / 2, times.end());
  return times[kWrites / 2];
}

void check_speed(Findings& findings, const std::string& folder) {
  const std::optional<microseconds> median = median_write(folder);
  if (!median) {
    findings.bad("disk speed", "writing into " + folder + " failed: " + std::strerror(errno),
                 "check the disk and its space");
    return;
  }
  const std::string text = fmt::format("a synced write takes {:.1f} ms (median of {})",
                                       static_cast<double>(median->count()) / 1000, kWrites);
  if (*median > kFarTooSlow) {
    findings.bad("disk speed", text, "every update waits for one: move the folder to a faster disk");
  } else if (*median > kSlow) {
    findings.warning("disk speed", text, "bots that get many updates a second need a faster disk");
  } else {
    findings.ok("disk speed", text);
  }
}

/// The soft limit in /proc/PID/limits.
std::optional<std::uint64_t> limit_of(std::int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/limits");
  for (std::string line; std::getline(file, line);) {
    constexpr std::string_view kName = "Max open files";
    if (!line.starts_with(kName)) continue;
    std::istringstream words(line.substr(kName.size()));
    std::uint64_t soft = 0;
    if (words >> soft) return soft;
  }
  return std::nullopt;
}

}  // namespace

void check_folder(Findings& findings, const std::string& folder, std::uint64_t reserve) {
  struct stat facts {};
  if (::stat(folder.c_str(), &facts) != 0 && errno == ENOENT) {
    findings.skipped("folder", folder + " is not there yet: the first start makes it");
    return;
  }
  check_rights(findings, folder);
  check_filesystem(findings, folder);
  check_room(findings, folder, reserve);
  if (::access(folder.c_str(), W_OK) == 0) check_speed(findings, folder);
}

void check_secret_file(Findings& findings, const std::string& what, const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) {
    findings.bad(what, path + " can't be looked at: " + std::strerror(errno),
                 "name the right file, or give the user that tgkeep runs as the right to read it");
    return;
  }
  if ((facts.st_mode & 0077U) != 0) {
    findings.warning(what,
                     fmt::format("{} can be read by others (mode {:04o})", path, facts.st_mode & 07777U),
                     "chmod 600 " + path);
    return;
  }
  findings.ok(what, path + " is its owner's alone");
}

void check_descriptors(Findings& findings, std::int64_t pid) {
  std::optional<std::uint64_t> limit;
  if (pid > 0) limit = limit_of(pid);
  const bool of_process = limit.has_value();
  rlimit own{};
  if (!limit && ::getrlimit(RLIMIT_NOFILE, &own) == 0) limit = own.rlim_cur;
  if (!limit) {
    findings.skipped("open files", "the limit is not known");
    return;
  }
  const std::string text =
      fmt::format("{} may open {} files and connections", of_process ? "the process" : "this shell", *limit);
  if (*limit < kFewDescriptors) {
    findings.warning("open files", text,
                     "raise it: LimitNOFILE=65536 in the systemd unit, or `ulimit -n 65536`");
  } else {
    findings.ok("open files", text);
  }
}

}  // namespace tgkeep::app
