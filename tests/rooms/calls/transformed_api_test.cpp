#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/use_awaitable.hpp>

#include "loop/event.hpp"
#include "rooms/calls/scripted_api.hpp"

namespace tgkeep {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using Journal = std::vector<std::string>;

/// A lambda coroutine with captures, as users write them: it waits before and after the call.
ApiTransformer noting(Journal& journal, std::string name) {
  return [&journal, name](ApiNext next, ApiRequest request) -> asio::awaitable<ApiResult> {
    journal.push_back(name + " sees " + request.method);
    request.params += name;
    co_await loop::sleep_for(next.clock(), 1s);
    ApiResult answer = co_await next(std::move(request));
    co_await loop::sleep_for(next.clock(), 1s);
    journal.push_back(name + " answers");
    co_return answer;
  };
}

TEST(TransformedApi, M18_the_last_transformer_is_the_outermost) {
  test::CallBench bench;
  Journal journal;
  const auto api = make_transformed_api(bench.api, bench.clock, {noting(journal, "a"), noting(journal, "b")});
  ApiRequest request("getMe", "", 1s);
  const ApiResult answer = bench.call(*api, request);
  EXPECT_EQ(answer.value(), "true");
  EXPECT_THAT(journal, ElementsAre("b sees getMe", "a sees getMe", "a answers", "b answers"));
  EXPECT_EQ(bench.api.requests.at(0).params, "ba");
}

TEST(TransformedApi, M18_those_of_one_update_lie_around_those_of_the_bot) {
  test::CallBench bench;
  Journal journal;
  const auto of_bot = make_transformed_api(bench.api, bench.clock, {noting(journal, "bot")});
  const auto of_update = make_transformed_api(*of_bot, bench.clock, {noting(journal, "update")});
  bench.call(*of_update, test::send_message());
  bench.call(*of_bot, test::send_message());
  EXPECT_THAT(journal, ElementsAre("update sees sendMessage", "bot sees sendMessage", "bot answers",
                                   "update answers", "bot sees sendMessage", "bot answers"));
}

TEST(TransformedApi, calls_may_overlap) {
  test::CallBench bench;
  Journal journal;
  const auto api = make_transformed_api(bench.api, bench.clock, {noting(journal, "a"), auto_retry()});
  for (int i = 0; i < 3; ++i) {
    asio::co_spawn(bench.io, api->call(test::send_message()), [](std::exception_ptr, ApiResult) {});
  }
  loop::run_for(bench.io, bench.clock, 5s);
  EXPECT_EQ(bench.api.requests.size(), 3U);
  EXPECT_EQ(journal.size(), 6U);
}

TEST(TransformedApi, a_transformer_may_answer_itself_or_call_on_twice) {
  test::CallBench bench;
  const ApiTransformer twice = [](ApiNext next, ApiRequest request) -> asio::awaitable<ApiResult> {
    ApiRequest first = request;
    const ApiResult ignored = co_await next(std::move(first));
    co_return co_await next(std::move(request));
  };
  const ApiTransformer closed = [](ApiNext, ApiRequest) -> asio::awaitable<ApiResult> {
    ApiResult answer = std::string("7");
    co_return answer;
  };
  const auto doubled = make_transformed_api(bench.api, bench.clock, {twice});
  bench.call(*doubled, test::send_message());
  EXPECT_EQ(bench.api.requests.size(), 2U);
  const auto silent = make_transformed_api(bench.api, bench.clock, {twice, closed});
  const ApiResult answer = bench.call(*silent, test::send_message());
  EXPECT_EQ(answer.value(), "7");
  EXPECT_EQ(bench.api.requests.size(), 2U);
}

TEST(TransformedApi, what_a_transformer_throws_reaches_the_caller) {
  test::CallBench bench;
  const ApiTransformer broken = [](ApiNext, ApiRequest) -> asio::awaitable<ApiResult> {
    throw std::runtime_error("no luck");
    co_return ApiError();
  };
  const auto api = make_transformed_api(bench.api, bench.clock, {broken, auto_retry(), log_calls(Log())});
  EXPECT_THROW(bench.call(*api, test::send_message()), std::runtime_error);
}

TEST(TransformedApi, an_empty_transformer_is_refused) {
  test::CallBench bench;
  EXPECT_THROW(make_transformed_api(bench.api, bench.clock, {auto_retry(), nullptr}), Failure);
}

}  // namespace
}  // namespace tgkeep
