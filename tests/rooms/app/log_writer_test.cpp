// What stderr_log writes, whatever the values hold.

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <sstream>
#include <tgkeep/gateway.hpp>
#include <vector>

namespace tgkeep {
namespace {

const std::vector<std::string> kHostile{
    std::string("\0\x01\x1b[2J\x7f", 7),
    "line\nbreak\r\n\ttab",
    "\xff\xfe broken \xc3",
    "\xed\xa0\x80 surrogate, \xc0\xaf overlong, \xf4\x90\x80\x80 too high",
    "\xc2\x85 next line, \xe2\x80\xa8 separator",
    "quote \" backslash \\ brace } %v %Y {}",
    "плюс \xf0\x9f\x98\x80",
};

std::vector<std::string> written(LogFormat format) {
  testing::internal::CaptureStderr();
  const Log log = stderr_log(LogLevel::debug, format);
  for (const std::string& text : kHostile) log.warning("hostile", {{"text", text}, {"number", 7}});
  std::istringstream all(testing::internal::GetCapturedStderr());
  std::vector<std::string> lines;
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

TEST(StderrLog, json_is_one_valid_object_a_line_whatever_the_values_hold) {
  const std::vector<std::string> lines = written(LogFormat::json);
  ASSERT_EQ(lines.size(), kHostile.size());
  for (const std::string& line : lines) {
    boost::json::error_code error;
    const boost::json::value parsed = boost::json::parse(line, error);
    ASSERT_FALSE(error) << line;
    EXPECT_EQ(parsed.at("level").as_string(), "warning");
    EXPECT_EQ(parsed.at("event").as_string(), "hostile");
    EXPECT_EQ(parsed.at("number").as_string(), "7");
    EXPECT_EQ(parsed.at("time").as_string().size(), 24U);
  }
  EXPECT_EQ(boost::json::parse(lines.back()).at("text").as_string(), kHostile.back());
  EXPECT_EQ(boost::json::parse(lines[5]).at("text").as_string(), kHostile[5]);
}

TEST(StderrLog, text_is_one_line_without_controls_whatever_the_values_hold) {
  const std::vector<std::string> lines = written(LogFormat::text);
  ASSERT_EQ(lines.size(), kHostile.size());
  for (const std::string& line : lines) {
    for (const char c : line) EXPECT_FALSE(c == 0x7f || (c >= 0 && c < 0x20)) << line;
    EXPECT_NE(line.find("warning hostile text="), std::string::npos) << line;
    EXPECT_TRUE(line.ends_with(" number=7")) << line;
  }
}

}  // namespace
}  // namespace tgkeep
