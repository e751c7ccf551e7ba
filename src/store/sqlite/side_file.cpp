#include "store/sqlite/side_file.hpp"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <tgkeep/update.hpp>

#include "rules/mutant.hpp"

namespace tgkeep::store {

namespace {

// Fixed width, so that every write overwrites the whole line.
using Line = std::array<char, 80>;

std::uint64_t seal(std::int64_t store_id, std::int64_t commits) noexcept {
  Line fields{};
  const int length = std::snprintf(fields.data(), fields.size(), "%lld %lld",
                                   static_cast<long long>(store_id), static_cast<long long>(commits));
  return stable_hash(std::string_view(fields.data(), static_cast<std::size_t>(length)));
}

}  // namespace

Result<SideFile> SideFile::open(const std::string& path) {
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file) {
    return Error(Errc::store_unusable, "the side file " + path + " can't be opened for writing (" +
                                           std::strerror(errno) +
                                           "); give the process write permission in that folder");
  }
  return SideFile(std::move(file));
}

std::optional<SideFile::Content> SideFile::read() const {
  Line line{};
  if (::pread(file_.get(), line.data(), line.size() - 1, 0) <= 0) return std::nullopt;
  long long store_id = 0;
  long long commits = 0;
  unsigned long long sum = 0;
  if (std::sscanf(line.data(), "%lld %lld %llx", &store_id, &commits, &sum) != 3) return std::nullopt;
  if (sum != seal(store_id, commits)) return std::nullopt;
  return Content(store_id, commits);
}

bool SideFile::write(Content content) noexcept {
  if (rules::mutant("side_file_not_written")) return true;
  Line line{};
  const auto sum = static_cast<unsigned long long>(seal(content.store_id, content.commits));
  const int length =
      std::snprintf(line.data(), line.size(), "%020lld %020lld %016llx\n",
                    static_cast<long long>(content.store_id), static_cast<long long>(content.commits), sum);
  return ::pwrite(file_.get(), line.data(), static_cast<std::size_t>(length), 0) == length;
}

}  // namespace tgkeep::store
