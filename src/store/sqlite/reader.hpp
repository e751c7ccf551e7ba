#pragma once
// Reads a store beside its own thread: one thread with a read-only connection, so that a long search holds up
// neither the loop nor the commits.

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "loop/event.hpp"
#include "store/sqlite/read_view.hpp"

namespace tgkeep::store {

namespace asio = boost::asio;

/// A question on its way to the reading thread and back. `run` on that thread.
class Question {
 public:
  explicit Question(const asio::any_io_executor& loop) : done(loop) {}
  virtual ~Question() = default;
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;
  virtual void run(ReadView& view) = 0;
  virtual void fail(Error error) = 0;

  loop::Event done;
  std::atomic<bool> abandoned = false;
};

/// `work` runs on the reading thread.
template <class T>
class QuestionFor final : public Question {
 public:
  using Work = std::function<Result<T>(ReadView&)>;
  QuestionFor(const asio::any_io_executor& loop, Work work) : Question(loop), work_(std::move(work)) {}
  void run(ReadView& view) override { answer = work_(view); }
  void fail(Error error) override { answer = Result<T>(std::move(error)); }
  std::optional<Result<T>> answer;

 private:
  Work work_;
};

/// Called on the loop.
class Reader {
 public:
  Reader(asio::any_io_executor loop, std::string folder, std::string vfs);
  /// Gives up what it is doing.
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  template <class T>
  asio::awaitable<Result<T>> ask(typename QuestionFor<T>::Work work) {
    const auto question = std::make_shared<QuestionFor<T>>(loop_, std::move(work));
    const Asked asked(*question);
    submit(question);
    co_await question->done.wait();
    co_return std::move(*question->answer);
  }

 private:
  /// When the coroutine that asked is gone, so is the interest.
  class Asked {
   public:
    explicit Asked(Question& question) : question_(question) {}
    ~Asked() { question_.abandoned = true; }
    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;

   private:
    Question& question_;
  };

  void submit(std::shared_ptr<Question> question);
  void run();
  void run_one(Question& question);

  asio::any_io_executor loop_;
  ReadView view_;  // the thread's
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::shared_ptr<Question>> line_;
  std::shared_ptr<Question> running_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace tgkeep::store
