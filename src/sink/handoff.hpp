#pragma once
// Jobs on their way from one thread to others. A wake-up costs more than a small job, so one is under way at
// a time: a burst of jobs costs a few of them, not one each.

#include <boost/asio/post.hpp>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace tgkeep::sink {

namespace asio = boost::asio;

/// Add from any thread; jobs are taken in order, on `Executor`'s threads. Each thread takes one after another
/// and, while there are more, has the next thread called: a job that blocks keeps its own thread only.
template <class Executor, class Job>
class Handoff : public std::enable_shared_from_this<Handoff<Executor, Job>> {
 public:
  explicit Handoff(Executor executor) : executor_(std::move(executor)) {}

  void add(Job job) {
    std::unique_lock lock(mutex_);
    line_.push_back(std::move(job));
    call(lock);
  }

 private:
  static constexpr int kTurn = 32;

  void call(std::unique_lock<std::mutex>& lock) {
    if (std::exchange(called_, true)) return;
    lock.unlock();
    asio::post(executor_, [line = this->shared_from_this()] { line->take(); });
    lock.lock();
  }

  // Whoever leaves jobs in the line has called: it is never left alone.
  void take() {
    std::unique_lock lock(mutex_);
    called_ = false;
    // In turns: what else waits for this thread must not starve behind an endless line.
    for (int turn = 0; turn < kTurn && !line_.empty(); ++turn) {
      Job job = std::move(line_.front());
      line_.pop_front();
      if (!line_.empty()) call(lock);
      lock.unlock();
      job();
      lock.lock();
    }
  }

  const Executor executor_;
  std::mutex mutex_;
  std::deque<Job> line_;
  bool called_ = false;
};

}  // namespace tgkeep::sink
