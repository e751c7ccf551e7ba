#pragma once
// What the store thread and the archiver say to each other: that there is something to archive, and what may
// be deleted because it has been copied. The store thread never waits here.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <vector>

#include "store/sqlite/finished.hpp"

namespace tgkeep::store {

class Handover {
 public:
  /// `wake_store` gets the store thread to look at `next_copied`; called by the archiver.
  explicit Handover(std::function<void()> wake_store) : wake_store_(std::move(wake_store)) {}

  // The store thread's side.

  /// It is time for a pass.
  void ask();
  /// Whether a pass has been asked for that is not over.
  bool asked() const;
  /// Copied items that are to be deleted next, at most `most`; they stay until `deleted`.
  std::vector<ItemName> next_copied(std::size_t most) const;
  bool has_copied() const;
  /// As many of them as `next_copied` gave are gone, durable or not.
  void deleted(std::size_t count);

  // The archiver's side. The waits end early when `stop` is requested.

  /// Waits until a pass is asked for, a job is there, or some time has passed; whether a pass is asked for.
  /// `patient`: the store thread's asking alone is no reason, since it has just failed.
  bool wait_for_work(const std::stop_token& stop, bool patient);
  void add_copied(std::vector<ItemName> items);
  /// Waits until at most `left` copied items are not deleted; false when it is to stop before.
  bool wait_for_deletion(std::size_t left, const std::stop_token& stop);
  void pass_is_over();

  // Anybody's.

  /// Runs the job on the archiver's thread, soon.
  void post(std::function<void()> job);
  std::vector<std::function<void()>> take_jobs();
  /// Asks for a pass and waits until one has begun and ended since.
  void run_pass();

 private:
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::function<void()> wake_store_;
  bool asked_ = false;
  std::uint64_t asks_ = 0;    ///< passes asked for by `run_pass`
  std::uint64_t served_ = 0;  ///< of these, how many have been seen to
  std::uint64_t seen_ = 0;    ///< how many there were when the pass that runs began
  std::deque<ItemName> copied_;
  std::vector<std::function<void()>> jobs_;
};

}  // namespace tgkeep::store
