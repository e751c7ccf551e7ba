// The demo as a user runs it, and against a bot that forgets, to know that it can fail.

#include "demo/demo.hpp"

#include <gmock/gmock.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "e2e/temporary_folder.hpp"
#include "support/process.hpp"

namespace tgkeep::test {
namespace {

namespace json = boost::json;

std::string program() {
  const char* path = std::getenv("TGKEEP_BIN");
  return path != nullptr ? path : TGKEEP_PROGRAM;
}

/// The figures line of the demo's output.
json::value figures_in(std::string_view output) {
  const std::size_t begin = output.rfind("{\"sent\"");
  if (begin == std::string_view::npos) throw std::runtime_error("no figures in: " + std::string(output));
  return json::parse(output.substr(begin, output.find('\n', begin) - begin));
}

TEST(Demo, P3_three_kills_in_the_middle_of_the_work_lose_and_reorder_nothing) {
  const char* const chosen = std::getenv("TGKEEP_SEED");
  const std::string seed = chosen != nullptr ? chosen : "1";
  Process demo({program(), "demo", "--updates", "2000", "--kill", "3", "--seed", seed}, {});
  const int code = demo.wait();
  ASSERT_EQ(code, 0) << demo.output();
  const json::value figures = figures_in(demo.output());
  EXPECT_EQ(figures.at("sent").as_int64(), 2000);
  EXPECT_EQ(figures.at("stored").as_int64(), 2000);
  EXPECT_EQ(figures.at("handled").as_int64(), 2000);
  EXPECT_EQ(figures.at("lost").as_int64(), 0);
  EXPECT_EQ(figures.at("out_of_order").as_int64(), 0);
  EXPECT_EQ(figures.at("dead").as_int64(), 0);
  EXPECT_EQ(figures.at("calls_lost").as_int64(), 0);
  EXPECT_EQ(figures.at("kills_in_flight").as_int64(), 3);
  EXPECT_GT(figures.at("duplicates").as_int64(), 0);
  EXPECT_GT(figures.at("repeated").as_int64(), 0);
  EXPECT_EQ(figures.at("seed").as_int64(), std::stoll(seed));
}

TEST(Demo, P3_a_bot_that_keeps_updates_in_memory_only_fails_it) {
  const TemporaryFolder folder;
  demo::DemoOptions options;
  options.updates = 500;
  options.kills = 1;
  options.folder = folder.file("demo");
  options.pipeline_command = {program(), "demo-pipeline", "--forgetful"};
  options.patience = std::chrono::seconds(3);
  testing::internal::CaptureStdout();
  const int code = demo::run_demo(options);
  const json::value figures = figures_in(testing::internal::GetCapturedStdout());
  EXPECT_EQ(code, 1);
  EXPECT_GT(figures.at("lost").as_int64(), 0);
  EXPECT_GT(figures.at("calls_lost").as_int64(), 0);
}

}  // namespace
}  // namespace tgkeep::test
