#include "loop/task_group.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/assert.hpp>
#include <boost/system/system_error.hpp>
#include <vector>

#include "words/exception_text.hpp"

namespace tgkeep::loop {

TaskGroup::TaskGroup(asio::any_io_executor executor, Log log)
    : executor_(std::move(executor)), log_(std::move(log)), changed_(executor_) {}

TaskGroup::~TaskGroup() {
  BOOST_ASSERT_MSG(tasks_.empty(), "join a TaskGroup before destroying it");
}

void TaskGroup::spawn(std::string name, asio::awaitable<void> task) {
  const auto entry = tasks_.emplace(tasks_.end(), std::move(name));
  auto ended = [this, entry](const std::exception_ptr& failure) { this->ended(entry, failure); };
  asio::co_spawn(executor_, run_to_end(*entry, std::move(task)),
                 asio::bind_cancellation_slot(entry->cancel.slot(), std::move(ended)));
}

// Asio 1.81 throws out of the loop itself when a task is cancelled that has not started or never suspends. So
// the signal is used only on tasks that have started, and a task must not be seen as cancelled when it ends.
asio::awaitable<void> TaskGroup::run_to_end(Task& entry, asio::awaitable<void> task) {
  entry.started = true;
  if (entry.cancelled) co_return;
  std::exception_ptr failure;
  try {
    co_await std::move(task);
  } catch (...) {
    failure = std::current_exception();
  }
  co_await asio::this_coro::throw_if_cancelled(false);
  if (failure) std::rethrow_exception(failure);
}

void TaskGroup::ended(std::list<Task>::iterator task, const std::exception_ptr& failure) {
  if (failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const boost::system::system_error& error) {
      if (error.code() != asio::error::operation_aborted) {
        log_.error("task_failed", {{"task", task->name}, {"error", error.what()}});
      }
    } catch (...) {
      log_.error("task_failed", {{"task", task->name}, {"error", words::text_of(failure)}});
    }
  }
  tasks_.erase(task);
  changed_.notify();
}

void TaskGroup::cancel() {
  // A task may end (and leave the list) or start another inside emit: walk over a copy of the signals'
  // places.
  std::vector<std::list<Task>::iterator> running;
  for (auto task = tasks_.begin(); task != tasks_.end(); ++task) running.push_back(task);
  for (const auto& task : running) {
    task->cancelled = true;
    if (task->started) task->cancel.emit(asio::cancellation_type::terminal);
  }
}

asio::awaitable<void> TaskGroup::join() {
  while (!tasks_.empty()) co_await changed_.wait();
}

}  // namespace tgkeep::loop
