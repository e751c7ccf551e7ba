#pragma once
// Owns coroutines: names, reports, cancels and joins them. Declare it last in its owner.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <list>
#include <string>
#include <tgkeep/log.hpp>

#include "loop/event.hpp"

namespace tgkeep::loop {

/// Everything on the loop's thread. Join before destroying it: frames of unjoined tasks would outlive the
/// owner.
class TaskGroup {
 public:
  TaskGroup(asio::any_io_executor executor, Log log);
  ~TaskGroup();
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  /// Starts `task` (it first runs when the loop gets to it). An exception other than a cancellation is
  /// logged.
  void spawn(std::string name, asio::awaitable<void> task);
  /// Sends terminal cancellation to every task there is now; one that has not started yet never does. Call it
  /// on the loop, while that runs.
  void cancel();
  /// Returns when no task is left.
  asio::awaitable<void> join();
  std::size_t size() const noexcept { return tasks_.size(); }

 private:
  struct Task {
    explicit Task(std::string name) : name(std::move(name)) {}
    std::string name;
    asio::cancellation_signal cancel;
    bool started = false;
    bool cancelled = false;
  };
  static asio::awaitable<void> run_to_end(Task& entry, asio::awaitable<void> task);
  void ended(std::list<Task>::iterator task, const std::exception_ptr& failure);

  asio::any_io_executor executor_;
  Log log_;
  std::list<Task> tasks_;
  Event changed_;
};

}  // namespace tgkeep::loop
