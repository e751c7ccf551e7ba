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

/// Runs the demo with 2000 updates and 3 kills, and these arguments; the figures of one that passed.
json::value passed_figures(std::vector<std::string> arguments) {
  const char* const chosen = std::getenv("TGKEEP_SEED");
  const std::string seed = chosen != nullptr ? chosen : "1";
  std::vector<std::string> command = {program(), "demo", "--updates", "2000", "--kill", "3", "--seed", seed};
  command.insert(command.end(), arguments.begin(), arguments.end());
  Process demo(std::move(command), {});
  const int code = demo.wait();
  EXPECT_EQ(code, 0) << demo.output();
  json::value figures = figures_in(demo.output());
  for (const char* all : {"sent", "stored", "handled"}) EXPECT_EQ(figures.at(all).as_int64(), 2000) << all;
  for (const char* none : {"lost", "out_of_order", "dead", "calls_lost"}) {
    EXPECT_EQ(figures.at(none).as_int64(), 0) << none;
  }
  EXPECT_EQ(figures.at("kills_in_flight").as_int64(), 3);
  EXPECT_GT(figures.at("duplicates").as_int64(), 0);
  EXPECT_GT(figures.at("repeated").as_int64(), 0);
  EXPECT_EQ(figures.at("seed").as_int64(), std::stoll(seed));
  return figures;
}

TEST(Demo, P3_three_kills_in_the_middle_of_the_work_lose_and_reorder_nothing) {
  passed_figures({});
}

TEST(Demo, P1_P2_P3_P5_three_kills_between_a_webhook_and_a_receiver_lose_and_reorder_nothing) {
  passed_figures({"--webhook", "--push"});
}

TEST(Demo, P3_P5_P7_three_kills_of_the_receiver_lose_and_reorder_nothing) {
  const json::value figures = passed_figures({"--webhook", "--kill-receiver"});
  EXPECT_EQ(figures.at("calls_repeated").as_int64(), 0) << "only the death of tgkeep leaves calls in doubt";
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
