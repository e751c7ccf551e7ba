#pragma once
// A page of memory that the proof shares with the bot it torments: orders one way, counts the other. What the
// bot has counted outlives it.

#include <atomic>
#include <cstdint>
#include <string>
#include <tgkeep/error.hpp>

namespace tgkeep::prove {

class ControlPage {
 public:
  ControlPage() = default;
  enum class Disk : std::int32_t { fine, full, sync_fails };
  std::atomic<Disk> disk = Disk::fine;
  std::atomic<std::int64_t> clock_offset = 0;  ///< of the wall clock, in milliseconds
  std::atomic<std::int64_t> lives = 0;         ///< processes that have begun
  std::atomic<std::int64_t> die_at = 0;        ///< ends the process at this write; 0: never
  std::atomic<std::int64_t> writes = 0;      ///< writes, truncations and syncs of the database, in all lives
  std::atomic<std::int64_t> found_full = 0;  ///< writes that found no room
  std::atomic<std::int64_t> failed_syncs = 0;
  std::atomic<std::int64_t> died_at_write = 0;
};

class Control {
 public:
  /// Opens the file, or makes it.
  static Result<Control> open(const std::string& path);
  Control(Control&& other) noexcept;
  Control& operator=(Control&&) = delete;
  ~Control();
  ControlPage& operator*() const noexcept { return *page_; }
  ControlPage* operator->() const noexcept { return page_; }

 private:
  explicit Control(ControlPage* page) : page_(page) {}
  ControlPage* page_;
};

}  // namespace tgkeep::prove
