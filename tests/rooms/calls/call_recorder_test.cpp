#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rooms/calls/scripted_api.hpp"

namespace tgkeep {
namespace {

using namespace std::chrono_literals;

TEST(CallRecorder, records_and_lets_through) {
  test::CallBench bench;
  const CallRecorder recorder;
  const auto api = make_transformed_api(bench.api, bench.clock, {recorder.recording()});
  bench.call(*api, test::send_message());
  EXPECT_EQ(bench.api.requests.size(), 1U);
  ASSERT_EQ(recorder.calls().size(), 1U);
  EXPECT_EQ(recorder.calls()[0].method, "sendMessage");
  EXPECT_EQ(recorder.calls()[0].params, R"({"chat_id":7,"text":"hi"})");
}

TEST(CallRecorder, answers_itself_by_method) {
  test::CallBench bench;
  CallRecorder recorder;
  recorder.answer_with("getMe", R"({"id":1})");
  recorder.answer_with("sendMessage", test::refused(403, "Forbidden"));
  const auto api = make_transformed_api(bench.api, bench.clock, {recorder.answering()});
  const ApiResult me = bench.call(*api, ApiRequest("getMe", "", 1s));
  const ApiResult other = bench.call(*api, ApiRequest("getChat", "", 1s));
  const ApiResult refusal = bench.call(*api, test::send_message());
  EXPECT_EQ(me.value(), R"({"id":1})");
  EXPECT_EQ(other.value(), "true");
  EXPECT_EQ(refusal.error().code, 403);
  EXPECT_EQ(refusal.error().method, "sendMessage");
  EXPECT_TRUE(bench.api.requests.empty());
  EXPECT_EQ(recorder.calls().size(), 3U);
}

TEST(CallRecorder, copies_share_what_is_kept) {
  test::CallBench bench;
  const CallRecorder recorder;
  const CallRecorder copy = recorder;  // NOLINT(performance-unnecessary-copy-initialization)
  const auto api = make_transformed_api(bench.api, bench.clock, {copy.answering()});
  bench.call(*api, test::send_message());
  EXPECT_EQ(recorder.calls().size(), 1U);
}

}  // namespace
}  // namespace tgkeep
