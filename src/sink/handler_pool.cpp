#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <optional>
#include <tgkeep/handler_sink.hpp>
#include <thread>
#include <utility>
#include <vector>

namespace tgkeep::sink {

class HandlerPool::Threads {
 public:
  explicit Threads(std::size_t count) : context_(std::make_shared<asio::io_context>()) {
    work_.emplace(context_->get_executor());
    for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { context_->run(); });
  }
  explicit Threads(std::shared_ptr<asio::io_context> context) : context_(std::move(context)) {}
  ~Threads() {
    if (threads_.empty()) return;
    work_.reset();
    context_->stop();
    for (std::thread& thread : threads_) thread.join();
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  const std::shared_ptr<asio::io_context>& context() { return context_; }

 private:
  const std::shared_ptr<asio::io_context> context_;
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work_;
  std::vector<std::thread> threads_;
};

HandlerPool::HandlerPool(std::size_t threads) {
  const std::size_t cores = std::thread::hardware_concurrency();
  threads_ = std::make_unique<Threads>(threads != 0 ? threads : std::max<std::size_t>(4, 2 * cores));
}

HandlerPool::HandlerPool(std::shared_ptr<asio::io_context> context)
    : threads_(std::make_unique<Threads>(std::move(context))) {}

HandlerPool::~HandlerPool() = default;

asio::any_io_executor HandlerPool::executor() const {
  return threads_->context()->get_executor();
}

std::shared_ptr<asio::io_context> HandlerPool::context() const {
  return threads_->context();
}

}  // namespace tgkeep::sink
