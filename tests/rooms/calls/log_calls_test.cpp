#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rooms/calls/scripted_api.hpp"

namespace tgkeep {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class LogLines {
 public:
  Log log() {
    return Log([this](LogLevel level, std::string_view event, std::span<const LogField> fields) {
      std::string line(to_string(level));
      line.append(" ").append(event);
      for (const LogField& field : fields)
        line.append(" ").append(field.name()).append("=").append(field.value());
      lines.push_back(line);
    });
  }
  std::vector<std::string> lines;
};

TEST(LogCalls, writes_a_line_for_each_call_and_never_its_parameters) {
  test::CallBench bench;
  LogLines lines;
  bench.api.answers({std::string("true"), test::flood(2s), test::not_sent(), test::maybe_sent(502)});
  const auto api = make_transformed_api(bench.api, bench.clock, {log_calls(lines.log())});
  for (int i = 0; i < 4; ++i) bench.call(*api, test::send_message());
  EXPECT_THAT(
      lines.lines,
      ElementsAre("info call method=sendMessage ms=0 ended=ok",
                  "warning call method=sendMessage ms=0 ended=refused code=429 "
                  "error=Too Many Requests: retry after 2",
                  "warning call method=sendMessage ms=0 ended=not_sent code=0 error=could not connect",
                  "warning call method=sendMessage ms=0 ended=maybe_sent code=502 error=Bad Gateway"));
}

TEST(LogCalls, outside_of_auto_retry_it_counts_the_waiting_too) {
  test::CallBench bench;
  LogLines lines;
  bench.api.answers({test::flood(2s), std::string("true")});
  const auto api = make_transformed_api(bench.api, bench.clock, {auto_retry(), log_calls(lines.log())});
  bench.call(*api, test::send_message());
  EXPECT_THAT(lines.lines, ElementsAre("info call method=sendMessage ms=2000 ended=ok"));
}

TEST(LogCalls, what_is_thrown_is_logged_and_thrown_on) {
  test::CallBench bench;
  LogLines lines;
  const ApiTransformer broken = [](ApiNext, ApiRequest) -> asio::awaitable<ApiResult> {
    throw std::runtime_error("no luck");
    co_return ApiError();
  };
  const auto api = make_transformed_api(bench.api, bench.clock, {broken, log_calls(lines.log())});
  EXPECT_THROW(bench.call(*api, test::send_message()), std::runtime_error);
  EXPECT_THAT(lines.lines, ElementsAre("warning call method=sendMessage ms=0 ended=thrown error=no luck"));
}

}  // namespace
}  // namespace tgkeep
