#pragma once
// Errands: what a handler lets the loop do and waits for on its own strand. The loop never touches the
// strand's things and the strand none of the loop's: between them go posts only, also a cancellation.

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace tgkeep::sink {

namespace asio = boost::asio;

/// The loop's half of one errand.
class ErrandRun {
 public:
  virtual ~ErrandRun() = default;
  ErrandRun(const ErrandRun&) = delete;
  ErrandRun& operator=(const ErrandRun&) = delete;
  /// One that has not begun never does. A coroutine must not get the signal before it has begun (Asio 1.81).
  void cancel() {
    cancelled_ = true;
    if (began_) signal_.emit(asio::cancellation_type::terminal);
  }

 protected:
  ErrandRun() = default;
  bool began_ = false;
  bool cancelled_ = false;
  asio::cancellation_signal signal_;
};

/// The errands of one delivery. It belongs to the loop; only `run_errand` uses it from elsewhere.
class Errands {
 public:
  /// `idle` is cancelled when the last one has ended after `close`.
  Errands(const asio::any_io_executor& loop, std::weak_ptr<asio::io_context> pool, asio::steady_timer& idle)
      : loop(loop), pool(std::move(pool)), idle_(idle) {}
  Errands(const Errands&) = delete;
  Errands& operator=(const Errands&) = delete;

  /// Cancels those that run.
  void cancel();
  /// No more are begun.
  void close() { closed_ = true; }
  bool closed() const { return closed_; }
  bool idle() const { return running_.empty(); }
  void add(std::weak_ptr<ErrandRun> errand) { running_.push_back(std::move(errand)); }
  void remove(const ErrandRun* errand);

  const asio::any_io_executor loop;
  const std::weak_ptr<asio::io_context> pool;  // weak: a handler that waits belongs to it

 private:
  asio::steady_timer& idle_;
  bool closed_ = false;
  std::vector<std::weak_ptr<ErrandRun>> running_;  // weak: they own the frames that wait for them
};

/// Gives nothing when it was not begun: `closed`, or cancelled before.
template <class T>
class Errand final : public ErrandRun, public std::enable_shared_from_this<Errand<T>> {
 public:
  using Job = std::function<asio::awaitable<T>()>;
  using Back = asio::any_completion_handler<void(std::exception_ptr, std::optional<T>)>;

  Errand(std::shared_ptr<Errands> errands, Job job, asio::any_io_executor caller)
      : errands_(std::move(errands)), job_(std::move(job)), caller_(std::move(caller)) {}

  /// Where its caller runs: the errand departs.
  template <class Handler>
  void depart(Handler handler) {
    back_.emplace(std::move(handler));
    // That of `back_`: erasing a handler's type takes the handler's own slot.
    slot_ = asio::get_associated_cancellation_slot(*back_);
    // Weak, as `back_` owns the slot.
    if (slot_.is_connected()) {
      slot_.assign([weak = this->weak_from_this()](asio::cancellation_type) {
        if (const auto errand = weak.lock()) asio::post(errand->errands_->loop, Cancel(errand));
      });
    }
    asio::post(errands_->loop, Begin(this->shared_from_this()));
  }

 private:
  /// A step on the loop. Holds the pool's context, which the caller's frame and executor refer to, for longer
  /// than the errand.
  class Step {
   public:
    explicit Step(std::shared_ptr<Errand> errand)
        : pool_(errand->errands_->pool.lock()), errand_(std::move(errand)) {}

   protected:
    std::shared_ptr<asio::io_context> pool_;
    std::shared_ptr<Errand> errand_;
  };
  class Cancel : public Step {
   public:
    using Step::Step;
    void operator()() { this->errand_->cancel(); }
  };
  class Begin : public Step {
   public:
    using Step::Step;
    void operator()() { this->errand_->begin(); }
  };
  class End : public Step {
   public:
    using Step::Step;
    void operator()(const std::exception_ptr&) { this->errand_->end(); }
  };

  void begin() {
    if (errands_->closed() || cancelled_) {
      go_back();
      return;
    }
    errands_->add(this->shared_from_this());
    asio::co_spawn(errands_->loop, carry_out(this->shared_from_this()),
                   asio::bind_cancellation_slot(signal_.slot(), End(this->shared_from_this())));
  }

  static asio::awaitable<void> carry_out(std::shared_ptr<Errand> errand) {
    errand->began_ = true;
    if (!errand->cancelled_) {
      try {
        T value = co_await errand->job_();
        errand->result_.emplace(std::move(value));
      } catch (...) {
        errand->failure_ = std::current_exception();
      }
    }
    co_await asio::this_coro::throw_if_cancelled(false);
  }

  void end() {
    began_ = false;
    errands_->remove(this);
    go_back();
  }

  void go_back() {
    job_ = nullptr;  // with all that it holds: it is the loop's
    asio::post(caller_, [errand = this->shared_from_this()] { errand->arrive(); });
  }

  // Where the caller runs.
  void arrive() {
    if (slot_.is_connected()) slot_.clear();
    Back back(std::move(*back_));
    back_.reset();
    std::move(back)(failure_, std::move(result_));
  }

  std::shared_ptr<Errands> errands_;
  Job job_;
  asio::any_io_executor caller_;
  asio::cancellation_slot slot_;  // the caller's
  std::optional<Back> back_;  // the caller's; the loop only carries it. Assigning one recurses (Asio 1.81)
  std::optional<T> result_;
  std::exception_ptr failure_;
};

template <class T>
class Departure {
 public:
  template <class Handler>
  void operator()(Handler handler, std::shared_ptr<Errand<T>> errand) const {
    errand->depart(std::move(handler));
  }
  Departure() = default;
};

/// Lets the loop await `job` and returns what it gave or threw; nullopt when it was not begun. Cancelling the
/// caller cancels the job; its end is waited for.
template <class T>
asio::awaitable<std::optional<T>> run_errand(std::shared_ptr<Errands> errands,
                                             std::function<asio::awaitable<T>()> job) {
  asio::any_io_executor caller = co_await asio::this_coro::executor;
  auto errand = std::make_shared<Errand<T>>(std::move(errands), std::move(job), std::move(caller));
  // It owns this frame until it is back, so nothing here may own it.
  const Departure<T> departure;
  std::optional<T> result = co_await asio::async_initiate<const asio::use_awaitable_t<>&,
                                                          void(std::exception_ptr, std::optional<T>)>(
      departure, asio::use_awaitable, std::move(errand));
  co_return result;
}

}  // namespace tgkeep::sink
