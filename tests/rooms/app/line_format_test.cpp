#include "app/line_format.hpp"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <vector>

namespace tgkeep::app {
namespace {

std::string text_of(std::string_view value) {
  const std::vector<LogField> fields{{"key", std::string(value)}};
  return text_line("event", fields);
}

TEST(LineFormat, plain_values_stand_bare_and_others_in_quotes) {
  const std::vector<LogField> fields{{"a", 1}, {"b", "two words"}, {"c", ""}, {"d", "a=b"}, {"e", "плюс"}};
  EXPECT_EQ(text_line("event", fields), "event a=1 b=\"two words\" c=\"\" d=\"a=b\" e=плюс");
}

TEST(LineFormat, a_value_can_not_forge_a_line_or_steer_a_terminal) {
  EXPECT_EQ(text_of("x\n2026 error forged"), "event key=\"x\\n2026 error forged\"");
  EXPECT_EQ(text_of("\x1b[31m"), "event key=\\x1b[31m");
  EXPECT_EQ(text_of("\xc2\x9b"
                    "31m"),
            "event key=\\xc2\\x9b31m");
  EXPECT_EQ(text_of("a\"b\\"), "event key=\"a\\\"b\\\\\"");
}

TEST(LineFormat, broken_utf8_is_shown_byte_by_byte) {
  EXPECT_EQ(text_of("a\xff"
                    "b"),
            "event key=a\\xffb");
  EXPECT_EQ(text_of("\xe2\x82"), "event key=\\xe2\\x82");
  EXPECT_EQ(text_of("\xed\xa0\x80"), "event key=\\xed\\xa0\\x80");
  EXPECT_EQ(text_of("\xc0\xaf"), "event key=\\xc0\\xaf");
}

TEST(LineFormat, json_stays_json_whatever_the_value_holds) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::vector<LogField> fields{{"key", all}, {"other", "\"}"}};
  const boost::json::value parsed = boost::json::parse("{" + json_line("event", fields) + "}");
  EXPECT_EQ(parsed.at("event").as_string(), "event");
  EXPECT_EQ(parsed.at("other").as_string(), "\"}");
}

}  // namespace
}  // namespace tgkeep::app
