#include "store/sqlite/reader.hpp"

#include <boost/asio/post.hpp>
#include <utility>

namespace tgkeep::store {

Reader::Reader(asio::any_io_executor loop, std::string folder, std::string vfs)
    : loop_(std::move(loop)), view_(std::move(folder), std::move(vfs)) {}

Reader::~Reader() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    if (running_) running_->abandoned = true;
    for (const auto& question : line_) question->abandoned = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Reader::submit(std::shared_ptr<Question> question) {
  {
    const std::lock_guard lock(mutex_);
    line_.push_back(std::move(question));
  }
  // Most stores are never searched.
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  wake_.notify_one();
}

void Reader::run() {
  for (;;) {
    std::shared_ptr<Question> question;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !line_.empty(); });
      if (line_.empty()) return;
      question = std::move(line_.front());
      line_.erase(line_.begin());
      running_ = question;
    }
    run_one(*question);
    {
      const std::lock_guard lock(mutex_);
      running_.reset();
    }
    // It is destroyed on the loop: it holds a timer of it.
    auto finish = [question = std::move(question)] { question->done.notify(); };
    asio::post(loop_, std::move(finish));
  }
}

void Reader::run_one(Question& question) {
  view_.watch(&question.abandoned);
  try {
    view_.go_on();
    question.run(view_);
  } catch (const SqliteFailure& failure) {
    question.fail(unreadable(view_.path(), failure));
  } catch (const Failure& failure) {
    question.fail(failure.error());
  } catch (const std::exception& failure) {
    question.fail(Error(Errc::misuse,
                        std::string("the search failed: ") + failure.what() + "; search for less at once"));
  }
  view_.watch(nullptr);
}

}  // namespace tgkeep::store
