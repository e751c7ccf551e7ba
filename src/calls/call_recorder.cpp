#include <map>
#include <mutex>
#include <tgkeep/transformer.hpp>
#include <utility>

namespace tgkeep {

class CallRecorder::Book {
 public:
  void add(const ApiRequest& request) {
    const std::lock_guard lock(mutex_);
    calls_.push_back(request);
  }
  void set_answer(std::string method, ApiResult answer) {
    const std::lock_guard lock(mutex_);
    answers_.insert_or_assign(std::move(method), std::move(answer));
  }
  ApiResult answer_to(const ApiRequest& request) const {
    const std::lock_guard lock(mutex_);
    const auto found = answers_.find(request.method);
    if (found == answers_.end()) return std::string("true");
    if (found->second) return found->second;
    ApiError error = found->second.error();
    error.method = request.method;
    error.params = request.params;
    return error;
  }
  std::vector<ApiRequest> calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<ApiRequest> calls_;
  std::map<std::string, ApiResult> answers_;
};

namespace {

asio::awaitable<ApiResult> give(ApiResult answer) {
  co_return answer;
}

}  // namespace

CallRecorder::CallRecorder() : book_(std::make_shared<Book>()) {}

ApiTransformer CallRecorder::recording() const {
  return [book = book_](ApiNext next, ApiRequest request) {
    book->add(request);
    return next(std::move(request));
  };
}

ApiTransformer CallRecorder::answering() const {
  return [book = book_](const ApiNext&, const ApiRequest& request) {
    book->add(request);
    return give(book->answer_to(request));
  };
}

void CallRecorder::answer_with(std::string method, ApiResult answer) {
  book_->set_answer(std::move(method), std::move(answer));
}

std::vector<ApiRequest> CallRecorder::calls() const {
  return book_->calls();
}

}  // namespace tgkeep
