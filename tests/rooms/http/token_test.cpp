#include <gtest/gtest.h>

#include "telegram/api_client.hpp"

namespace tgkeep::telegram {
namespace {

const std::string kSecret = "AAF-abcdefghijklmnop_qrstu";

TEST(Token, takes_the_shape_botfather_gives) {
  const auto token = Token::parse("123456789:" + kSecret);
  ASSERT_TRUE(token);
  EXPECT_EQ(token->text(), "123456789:" + kSecret);
  EXPECT_EQ(token->bot(false), BotId(123456789));
  EXPECT_EQ(token->bot(true), BotId(123456789 + (std::int64_t{1} << 54)));
  EXPECT_TRUE(Token::parse("1:" + std::string(24, 'a')));
  EXPECT_TRUE(Token::parse("1:" + std::string(78, 'a')));
  EXPECT_TRUE(Token::parse("18014398509481983:" + kSecret));
}

TEST(Token, refuses_others_and_says_why_without_repeating_them) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "is empty"},
      {kSecret, "no colon"},
      {":" + kSecret, "does not begin with the bot's id"},
      {"abc:" + kSecret, "does not begin with the bot's id"},
      {"-5:" + kSecret, "does not begin with the bot's id"},
      {"bot123:" + kSecret, "does not begin with the bot's id"},
      {"0:" + kSecret, "can't be a bot's id"},
      {"0123:" + kSecret, "can't be a bot's id"},
      {"18014398509481984:" + kSecret, "can't be a bot's id"},
      {"99999999999999999999999:" + kSecret, "can't be a bot's id"},
      {"123:" + kSecret + "/x", "no letter, digit"},
      {"123:" + kSecret + ":x", "no letter, digit"},
      {"123:" + std::string(23, 'a'), "23 characters, at least 24"},
      {"123:", "0 characters, at least 24"},
      {"1:" + std::string(79, 'a'), "81 characters long"},
      {"123:" + kSecret + "\n", "line break at character 31"},
      {" 123:" + kSecret, "line break at character 1"},
  };
  for (const auto& [text, why] : cases) {
    const auto token = Token::parse(text);
    ASSERT_FALSE(token) << text;
    EXPECT_EQ(token.error().code(), Errc::bad_config);
    EXPECT_NE(token.error().text().find(why), std::string::npos) << token.error().text();
    EXPECT_EQ(token.error().text().find(kSecret.substr(0, 8)), std::string::npos) << token.error().text();
  }
}

}  // namespace
}  // namespace tgkeep::telegram
