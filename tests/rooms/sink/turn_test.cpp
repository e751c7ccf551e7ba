// What a handler is offered besides its update: direct calls, state, calls left to the outbox.

#include <gmock/gmock.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <future>
#include <latch>
#include <set>
#include <tgkeep/handler_sink.hpp>
#include <tgkeep/memory_store.hpp>
#include <thread>

#include "loop/event.hpp"
#include "loop/real_clock.hpp"
#include "rooms/runner/runner_bench.hpp"
#include "support/run.hpp"

namespace tgkeep::sink {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

/// Answers every call with its parameters; a method called "wait" waits until cancelled.
class EchoApi final : public Api {
 public:
  explicit EchoApi(const asio::any_io_executor& loop) : loop_(loop) {}
  asio::awaitable<ApiResult> call(ApiRequest request) override {
    threads.insert(std::this_thread::get_id());
    ++calls;
    ++running;
    asio::steady_timer pause(loop_, asio::steady_timer::time_point::min());
    if (request.method == "wait") pause.expires_at(asio::steady_timer::time_point::max());
    boost::system::error_code error;
    try {
      co_await pause.async_wait(asio::use_awaitable);
    } catch (const boost::system::system_error& failure) {
      error = failure.code();
    }
    --running;
    if (error) co_return ApiResult(ApiError(ApiError::Kind::maybe_sent, "cancelled"));
    co_return ApiResult(request.params);
  }
  std::set<std::thread::id> threads;
  int calls = 0;
  int running = 0;

 private:
  asio::any_io_executor loop_;
};

class TurnTest : public testing::Test {
 protected:
  TurnTest()
      : clock_(io_.get_executor()),
        store_(store::make_memory_store(io_.get_executor(), clock_)),
        api_(std::make_unique<EchoApi>(io_.get_executor())),
        pool_(std::make_unique<HandlerPool>(8)) {
    services_.clock = &clock_;
    services_.api = api_.get();
    services_.store = store_.get();
  }

  void make(Handler handler) {
    sink_ = make_handler_sink(io_.get_executor(), *pool_, std::move(handler), services_);
  }
  static std::shared_ptr<const Delivery> delivery(std::int64_t id) {
    Item item;
    item.bot = BotId(42);
    item.update_id = UpdateId(id);
    item.kind = "message";
    item.body = "{}";
    return std::make_shared<const Delivery>(std::move(item), false);
  }
  Outcome deliver(std::int64_t id = 1) { return test::run(io_, sink_->deliver(delivery(id))); }

  /// A delivery that can be cancelled.
  class Try {
   public:
    std::optional<Outcome> outcome;
    std::exception_ptr failure;
    asio::cancellation_signal cancel;
    bool ended = false;
  };
  void begin(Try& attempt) {
    auto on_end = [&attempt](const std::exception_ptr& failure, Outcome outcome) {
      attempt.failure = failure;
      attempt.outcome = std::move(outcome);
      attempt.ended = true;
    };
    asio::co_spawn(io_, sink_->deliver(delivery(1)),
                   asio::bind_cancellation_slot(attempt.cancel.slot(), on_end));
  }
  template <class Condition>
  void run_until(Condition condition) {
    io_.restart();
    const auto work = asio::make_work_guard(io_);
    while (!condition()) io_.run_one();
  }
  void cancel(Try& attempt) {
    asio::post(io_, [&attempt] { attempt.cancel.emit(asio::cancellation_type::terminal); });
  }

  asio::io_context io_;
  loop::RealClock clock_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<EchoApi> api_;
  HandlerServices services_;
  std::unique_ptr<HandlerPool> pool_;
  std::unique_ptr<Sink> sink_;
};

asio::awaitable<Outcome> call_once(Context context) {
  ApiRequest request("echo", std::string(context.raw()), 1s);
  const ApiResult answer = co_await context.api().call(std::move(request));
  Outcome outcome = Outcome::done();
  outcome.error = answer.value();
  co_return outcome;
}

TEST_F(TurnTest, a_direct_call_is_made_on_the_loop_and_its_answer_comes_back_to_the_strand) {
  make(call_once);
  EXPECT_EQ(deliver().error, "{}");
  EXPECT_THAT(api_->threads, ElementsAre(std::this_thread::get_id()));
}

asio::awaitable<Outcome> call_often(Context context) {
  for (int i = 0; i < 50; ++i) {
    const std::string params = std::to_string(context.update_id().value()) + "." + std::to_string(i);
    ApiRequest request("echo", params, 1s);
    const ApiResult answer = co_await context.api().call(std::move(request));
    if (answer.value() != params) co_return Outcome::dead("mixed_up", answer.value());
  }
  co_return Outcome::done();
}

TEST_F(TurnTest, direct_calls_from_eight_threads_at_once_get_their_own_answers) {
  make(call_often);
  int done = 0;
  int ended = 0;
  for (int i = 0; i < 40; ++i) {
    auto on_end = [&](const std::exception_ptr&, const Outcome& outcome) {
      ++ended;
      if (outcome.kind == Outcome::Kind::done) ++done;
    };
    asio::co_spawn(io_, sink_->deliver(delivery(i)), on_end);
  }
  run_until([&] { return ended == 40; });
  EXPECT_EQ(done, 40);
  EXPECT_EQ(api_->calls, 40 * 50);
  EXPECT_EQ(api_->threads.size(), 1U);
}

asio::awaitable<Outcome> two_at_once(Context context) {
  using namespace asio::experimental::awaitable_operators;
  ApiRequest first("echo", "1", 1s);
  ApiRequest second("echo", "2", 1s);
  asio::awaitable<ApiResult> one = context.api().call(std::move(first));
  asio::awaitable<ApiResult> two = context.api().call(std::move(second));
  const auto answers = co_await (std::move(one) && std::move(two));
  Outcome outcome = Outcome::done();
  outcome.error = std::get<0>(answers).value() + std::get<1>(answers).value();
  co_return outcome;
}

TEST_F(TurnTest, a_handler_may_have_several_calls_at_once) {
  make(two_at_once);
  EXPECT_EQ(deliver().error, "12");
}

asio::awaitable<Outcome> at_most_a_moment(Context context) {
  using namespace asio::experimental::awaitable_operators;
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  asio::steady_timer moment(executor, 1ms);
  ApiRequest request("wait", "{}", 1s);
  asio::awaitable<ApiResult> call = context.api().call(std::move(request));
  asio::awaitable<void> pause = moment.async_wait(asio::use_awaitable);
  const auto first = co_await (std::move(call) || std::move(pause));
  Outcome outcome = Outcome::done();
  outcome.error = std::to_string(first.index());
  co_return outcome;
}

TEST_F(TurnTest, a_handler_may_cancel_a_call_of_its_own_and_go_on) {
  make(at_most_a_moment);
  EXPECT_EQ(deliver().error, "1");
  EXPECT_EQ(api_->running, 0);
}

asio::awaitable<Outcome> wait_in_a_call(std::vector<std::string>* heard, Context context) {
  ApiRequest request("wait", "{}", 1s);
  const ApiResult answer = co_await context.api().call(std::move(request));
  heard->push_back(answer.error().description);
  ApiRequest another("echo", "{}", 1s);
  co_await context.api().call(std::move(another));
  heard->push_back("not cancelled");
  co_return Outcome::done();
}

TEST_F(TurnTest, P6_a_cancellation_ends_a_direct_call_at_once_and_reaches_the_handler) {
  std::vector<std::string> heard;
  make([&heard](Context context) { return wait_in_a_call(&heard, std::move(context)); });
  Try attempt;
  begin(attempt);
  run_until([&] { return api_->running == 1; });
  cancel(attempt);
  run_until([&] { return attempt.ended; });
  EXPECT_THROW(std::rethrow_exception(attempt.failure), boost::system::system_error);
  EXPECT_THAT(heard, ElementsAre("cancelled"));
  EXPECT_EQ(api_->running, 0);
}

asio::awaitable<void> call_and_forget(Context context) {
  ApiRequest request("wait", "{}", 1s);
  co_await context.api().call(std::move(request));
}

/// Begins a call beside itself and then keeps its thread.
asio::awaitable<Outcome> block_beside_a_call(std::latch* calling, std::atomic<bool>* go_on, Context context) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  asio::co_spawn(executor, call_and_forget(context), asio::detached);
  co_await asio::post(executor, asio::use_awaitable);
  calling->count_down();
  while (!*go_on) std::this_thread::yield();
  co_return Outcome::done();
}

TEST_F(TurnTest, P9_a_handler_that_outlives_its_delivery_leaves_no_call_behind_and_sink_and_api_may_go) {
  std::latch calling(1);
  std::atomic<bool> go_on = false;
  make([&](Context context) { return block_beside_a_call(&calling, &go_on, std::move(context)); });
  Try attempt;
  begin(attempt);
  run_until([&] { return api_->running == 1; });
  calling.wait();
  cancel(attempt);
  run_until([&] { return api_->running == 0; });
  EXPECT_FALSE(attempt.ended) << "its chat stays closed while it runs";
  cancel(attempt);
  run_until([&] { return attempt.ended; });
  EXPECT_TRUE(attempt.failure);
  sink_.reset();
  api_.reset();
  store_.reset();
  go_on = true;
  pool_.reset();
  io_.restart();
  io_.poll();
}

asio::awaitable<Outcome> block_then_call(std::latch* blocking, std::atomic<bool>* go_on,
                                         std::promise<std::string>* said, Context context) {
  blocking->count_down();
  while (!*go_on) std::this_thread::yield();
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  ApiRequest request("echo", "{}", 1s);
  const ApiResult answer = co_await context.api().call(std::move(request));
  said->set_value(answer.error().description);
  co_return Outcome::done();
}

TEST_F(TurnTest, P9_a_handler_that_was_given_up_can_call_no_more) {
  std::latch blocking(1);
  std::atomic<bool> go_on = false;
  std::promise<std::string> said;
  make([&](Context context) { return block_then_call(&blocking, &go_on, &said, std::move(context)); });
  Try attempt;
  begin(attempt);
  io_.restart();
  io_.poll();
  blocking.wait();
  cancel(attempt);
  io_.restart();
  io_.poll();
  cancel(attempt);
  run_until([&] { return attempt.ended; });
  sink_.reset();
  api_.reset();
  go_on = true;
  std::future<std::string> text = said.get_future();
  run_until([&] { return text.wait_for(0s) == std::future_status::ready; });
  EXPECT_THAT(text.get(), HasSubstr("the delivery had ended"));
}

asio::awaitable<Outcome> forget_a_call(Context context) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  asio::co_spawn(executor, call_and_forget(context), asio::detached);
  co_await asio::post(executor, asio::use_awaitable);
  co_return Outcome::done();
}

TEST_F(TurnTest, a_delivery_does_not_end_before_the_calls_its_handler_began) {
  make(forget_a_call);
  Try attempt;
  begin(attempt);
  run_until([&] { return api_->running == 1 || attempt.ended; });
  if (!attempt.ended) cancel(attempt);
  run_until([&] { return attempt.ended; });
  EXPECT_EQ(api_->running, 0);
}

asio::awaitable<Outcome> leave_things(Context context) {
  context.leave("sendMessage", "1");
  context.set_state("count", "a", "7");
  Outcome outcome = Outcome::done();
  outcome.calls.emplace_back("sendMessage", "2");
  outcome.state.emplace_back("count", "a", "8");
  context.leave("sendMessage", "also before");
  co_return outcome;
}

TEST_F(TurnTest, P12_what_was_left_in_the_context_comes_before_what_the_outcome_holds) {
  make(leave_things);
  const Outcome outcome = deliver();
  ASSERT_EQ(outcome.calls.size(), 3U);
  EXPECT_EQ(outcome.calls[0].params, "1");
  EXPECT_EQ(outcome.calls[1].params, "also before");
  EXPECT_EQ(outcome.calls[2].params, "2");
  ASSERT_EQ(outcome.state.size(), 2U);
  EXPECT_EQ(outcome.state[0].bytes, "7");
  EXPECT_EQ(outcome.state[1].bytes, "8");
}

asio::awaitable<Outcome> leave_and_fail(Context context) {
  context.leave("sendMessage", "1");
  context.set_state("count", "a", "7");
  co_return Outcome::retry("no luck");
}

TEST_F(TurnTest, P12_a_failed_attempt_leaves_nothing) {
  make(leave_and_fail);
  const Outcome outcome = deliver();
  EXPECT_TRUE(outcome.calls.empty());
  EXPECT_TRUE(outcome.state.empty());
}

asio::awaitable<Outcome> read_own_writes(std::vector<std::string>* seen, Context context) {
  const auto note = [seen](const std::optional<std::string>& row) { seen->push_back(row.value_or("none")); };
  std::optional<std::string> row = co_await context.state("count", "a");
  note(row);
  context.set_state("count", "a", "1");
  row = co_await context.state("count", "a");
  note(row);
  context.set_state("count", "a", "2");
  row = co_await context.state("count", "a");
  note(row);
  row = co_await context.state("count", "b");
  note(row);
  context.erase_state("count", "a");
  row = co_await context.state("count", "a");
  note(row);
  context.set_state("count", "a", "3");
  co_return Outcome::done();
}

TEST_F(TurnTest, P12_a_handler_reads_its_own_writes) {
  std::vector<std::string> seen;
  make([&seen](Context context) { return read_own_writes(&seen, std::move(context)); });
  deliver();
  EXPECT_THAT(seen, ElementsAre("none", "1", "2", "none", "none"));
}

asio::awaitable<Outcome> ask_without_services(std::vector<std::string>* errors, Context context) {
  try {
    context.api();
  } catch (const Failure& failure) {
    errors->push_back(std::string(to_string(failure.error().code())) + ": " + failure.what());
  }
  try {
    context.use(ApiTransformer());
  } catch (const Failure& failure) {
    errors->push_back(failure.what());
  }
  try {
    co_await context.state("a", "b");
  } catch (const Failure& failure) {
    errors->push_back(failure.what());
  }
  co_return Outcome::done();
}

TEST_F(TurnTest, without_an_api_or_a_store_the_error_says_what_is_missing) {
  services_ = HandlerServices();
  std::vector<std::string> errors;
  make([&errors](Context context) { return ask_without_services(&errors, std::move(context)); });
  deliver();
  EXPECT_THAT(errors, ElementsAre(HasSubstr("misuse: this handler runs without an API"),
                                  HasSubstr("without an API"), HasSubstr("without a store")));
}

}  // namespace
}  // namespace tgkeep::sink
