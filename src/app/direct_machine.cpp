#include "app/direct_machine.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <tgkeep/handler_sink.hpp>
#include <utility>
#include <vector>

#include "loop/real_clock.hpp"
#include "loop/task_group.hpp"

namespace tgkeep::app {

namespace {

asio::awaitable<std::optional<std::vector<Update>>> nothing_ever(std::size_t) {
  co_return std::nullopt;
}

class DirectMachine final : public Machine {
 public:
  DirectMachine(UpdateSupplier supplier, UpdateConsumer consumer, RunOptions options);
  ~DirectMachine() override;

  void prepare() override;
  LifeEnd live() override;
  void stop(Duration drain) override;
  std::vector<InFlight> snapshot() const override {
    return ask<std::vector<InFlight>>([this] { return runner_->snapshot(); });
  }
  RunnerStats stats() const override {
    return ask<RunnerStats>([this] { return runner_->stats(); });
  }

 private:
  asio::awaitable<void> to_the_end();
  asio::awaitable<void> wind_down(Duration drain);
  void leave();

  /// What the loop says; between two lives the runner stands still, and it is asked at once.
  template <class T>
  T ask(std::function<T()> question) const {
    std::future<T> answer;
    {
      const std::lock_guard lock(mutex_);
      if (!alive_ || io_.get_executor().running_in_this_thread()) return question();
      auto task = std::make_shared<std::packaged_task<T()>>(std::move(question));
      answer = task->get_future();
      asio::post(io_, [task] { (*task)(); });
    }
    return answer.get();
  }

  mutable asio::io_context io_{1};
  loop::RealClock clock_{io_.get_executor()};
  std::unique_ptr<sink::HandlerPool> pool_;  // none when consumers run on the loop
  std::unique_ptr<Sink> sink_;
  std::unique_ptr<Runner> runner_;
  const bool is_whole_;
  LifeEnd end_;  // the loop's
  loop::TaskGroup stopping_;

  mutable std::mutex mutex_;
  bool alive_ = false;  // by mutex_: the loop turns, or is about to
};

DirectMachine::DirectMachine(UpdateSupplier supplier, UpdateConsumer consumer, RunOptions options)
    : is_whole_(supplier && consumer), stopping_(io_.get_executor(), options.log) {
  if (options.on_loop) {
    sink_ = sink::make_loop_sink(std::move(consumer));
  } else {
    pool_ = std::make_unique<sink::HandlerPool>(options.threads);
    sink_ = sink::make_consumer_sink(io_.get_executor(), *pool_, std::move(consumer));
  }
  const Log log = options.log;
  if (!supplier) supplier = nothing_ever;  // `live` says what is missing
  runner_ =
      make_direct_runner(io_.get_executor(), clock_, std::move(supplier), *sink_, std::move(options), log);
}

DirectMachine::~DirectMachine() {
  // The ends of consumers that were cut off are told to the loop.
  pool_.reset();
  io_.restart();
  io_.poll();
}

void DirectMachine::prepare() {
  const std::lock_guard lock(mutex_);
  end_ = LifeEnd();
  alive_ = true;
  // Before any stop.
  if (is_whole_) asio::post(io_, [this] { runner_->start(); });
}

LifeEnd DirectMachine::live() {
  if (!is_whole_) {
    leave();
    return LifeEnd(Error(Errc::misuse, "run was given an empty supplier or consumer"));
  }
  bool over = false;
  std::exception_ptr broken;
  io_.restart();
  asio::co_spawn(io_, to_the_end(), [&](const std::exception_ptr& failure) {
    broken = failure;
    over = true;
  });
  while (!over && io_.run_one() > 0) {
  }
  leave();
  if (broken) std::rethrow_exception(broken);
  return end_;
}

// Nothing of this life is left for the next: neither questions nor stops that came too late.
void DirectMachine::leave() {
  {
    const std::lock_guard lock(mutex_);
    alive_ = false;
  }
  io_.restart();
  io_.poll();
  while (stopping_.size() > 0 && io_.run_one() > 0) {
  }
}

asio::awaitable<void> DirectMachine::to_the_end() {
  Result<void> ended = co_await runner_->wait();
  co_await stopping_.join();
  if (ended.has_error()) {
    end_.code = ExitCode::failed;
    end_.failure = ended.error();
  } else if (end_.report.cut_off > 0) {
    end_.code = ExitCode::cut_off;
  }
}

void DirectMachine::stop(Duration drain) {
  const std::lock_guard lock(mutex_);
  if (!alive_) return;
  asio::post(io_, [this, drain] { stopping_.spawn("stop", wind_down(drain)); });
}

asio::awaitable<void> DirectMachine::wind_down(Duration drain) {
  const StopReport report = co_await runner_->stop(drain);
  end_.report.cut_off += report.cut_off;
  end_.report.waiting += report.waiting;
}

}  // namespace

std::unique_ptr<Machine> make_direct_machine(UpdateSupplier supplier, UpdateConsumer consumer,
                                             RunOptions options) {
  return std::make_unique<DirectMachine>(std::move(supplier), std::move(consumer), std::move(options));
}

}  // namespace tgkeep::app
