// `tgkeep prove` as a user runs it. The program is $TGKEEP_BIN, or this build's.

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/process.hpp"

namespace tgkeep::test {
namespace {

namespace json = boost::json;

std::string program() {
  const char* const path = std::getenv("TGKEEP_BIN");
  return path != nullptr ? path : TGKEEP_PROGRAM;
}

/// Whether the program is an optimised build, which can do more.
bool is_fast() {
  return std::getenv("TGKEEP_BIN") != nullptr;
}

/// The last line of the output that is JSON.
json::object last_line(std::string_view output) {
  const std::size_t begin = output.rfind("\n{");
  if (begin == std::string_view::npos) throw std::runtime_error("no JSON in: " + std::string(output));
  const std::size_t end = output.find('\n', begin + 1);
  return json::parse(output.substr(begin + 1, end - begin - 1)).as_object();
}

std::map<std::string, std::string> mutant() {
  const char* const chosen = std::getenv("TGKEEP_MUTANT");
  if (chosen == nullptr) return {};
  return {{"TGKEEP_MUTANT", chosen}};
}

TEST(Prove, P1_P2_P3_P4_P5_P7_P8_P9_P10_P12_thousands_of_simulations_keep_every_promise) {
  const std::string seeds = is_fast() ? "4000" : "300";
  // The same ones each time, but for --full: what fails can be found again, and new ground is for long runs.
  const bool anew = std::getenv("TGKEEP_FULL") != nullptr;
  const std::string seed = anew ? std::to_string(std::random_device()()) : "1";
  Process prove({program(), "prove", "--sim", "--seeds", seeds, "--seed", seed, "--threads", "2"}, mutant());
  EXPECT_EQ(prove.wait(), 0) << prove.output();
  const json::object line = last_line(prove.output());
  EXPECT_EQ(line.at("failed").as_int64(), 0);
  for (const auto& [name, strikes] : line.at("faults").as_object()) EXPECT_GT(strikes.as_int64(), 0) << name;
}

TEST(Prove, P1_P3_P8_P12_a_process_that_dies_at_any_write_and_a_power_cut_at_any_lose_nothing_acknowledged) {
  const std::string steps = is_fast() ? "30" : "12";
  const std::string flips = is_fast() ? "400" : "60";
  Process prove({program(), "prove", "--writes", "--steps", steps, "--flips", flips}, mutant());
  EXPECT_EQ(prove.wait(), 0) << prove.output();
  const json::object line = last_line(prove.output());
  EXPECT_GT(line.at("writes").as_int64(), 50);
  EXPECT_EQ(line.at("deaths").as_int64(), line.at("writes").as_int64());
  EXPECT_GT(line.at("lost_unsynced").as_int64(), 0);
  EXPECT_GT(line.at("flips_refused").as_int64() + line.at("flips_named").as_int64(), 0);
}

TEST(Prove, P1_P2_P3_P5_P7_P8_P9_P10_P12_bots_that_are_tormented_in_every_way_keep_every_promise) {
  const std::string seed = std::to_string(std::random_device()() % 1'000'000);
  Process prove({program(), "prove", "--minutes", "0.4", "--seed", seed}, mutant());
  EXPECT_EQ(prove.wait(), 0) << prove.output();
  const json::object line = last_line(prove.output());
  EXPECT_EQ(line.at("workloads").as_int64(), 8);
  EXPECT_GT(line.at("kills").as_int64(), 8);
  for (const auto& [name, violations] : line.at("violations").as_object())
    EXPECT_EQ(violations.as_int64(), 0) << name;
}

TEST(Prove, P1_P2_P3_P5_P7_P8_bots_behind_the_face_keep_every_promise_and_hear_the_truth_about_each_call) {
  const std::string seed = std::to_string(std::random_device()() % 1'000'000);
  const bool is_long = std::getenv("TGKEEP_FULL") != nullptr && is_fast();
  Process prove({program(), "prove", "--face", "--minutes", is_long ? "3" : "0.15", "--seed", seed},
                mutant());
  EXPECT_EQ(prove.wait(), 0) << prove.output();
  const json::object line = last_line(prove.output());
  EXPECT_EQ(line.at("workloads").as_int64(), 3);
  EXPECT_GT(line.at("told").at("ok").as_int64(), 100);
  EXPECT_GT(line.at("told").at("maybe_sent").as_int64(), 0);
  for (const auto& [name, violations] : line.at("violations").as_object())
    EXPECT_EQ(violations.as_int64(), 0) << name;
}

}  // namespace
}  // namespace tgkeep::test
