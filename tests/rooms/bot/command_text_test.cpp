#include "bot/command_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "rooms/bot/bot_bench.hpp"

namespace tgkeep::bot {
namespace {

using testing::HasSubstr;

std::string entity(int offset, std::size_t length, const std::string& type = "bot_command") {
  return R"({"type":")" + type + R"(","offset":)" + std::to_string(offset) + R"(,"length":)" +
         std::to_string(length) + "}";
}

class Row {
 public:
  std::string written;
  std::string text;
  std::string entities;
  bool matches;
  std::string rest;
};

const std::vector<Row>& table() {
  static const std::vector<Row> rows{
      {"start", "/start", entity(0, 6), true, ""},
      {"start", "/start  abc def ", entity(0, 6), true, "abc def "},
      {"start", "/start\\n\\tabc", entity(0, 6), true, "abc"},
      {"start", "/start \xC3\xA9t\xC3\xA9 \xF0\x9F\x98\x80", entity(0, 6), true,
       "\xC3\xA9t\xC3\xA9 \xF0\x9F\x98\x80"},
      {"start", "/started", entity(0, 8), false, ""},
      {"start", "/Start", entity(0, 6), false, ""},
      {"start", "/start", "", false, ""},
      {"start", "/start", entity(0, 6, "bold"), false, ""},
      {"start", "now /start", entity(4, 6), false, ""},
      {"start", "/start /help", entity(7, 5) + "," + entity(0, 6), true, "/help"},
      {"help", "/start /help", entity(0, 6) + "," + entity(7, 5), false, ""},
      {"start", "/start@my_bot now", entity(0, 13), true, "now"},
      {"start", "/start@My_BOT", entity(0, 13), true, ""},
      {"start", "/start@other_bot", entity(0, 16), false, ""},
      {"start@other_bot", "/start@other_bot x", entity(0, 16), true, "x"},
      {"start@other_bot", "/start@Other_bot", entity(0, 16), false, ""},
      {"start@other_bot", "/start", entity(0, 6), false, ""},
      {"start@my_bot", "/start@my_bot", entity(0, 13), true, ""},
      {"start", "/start@", entity(0, 7), false, ""},
      {"start", "/", entity(0, 1), false, ""},
      {"start", "/start", entity(0, 600), false, ""},
      {"start", "/start", entity(0, 0), false, ""},
      {"start", "", entity(0, 6), false, ""},
  };
  return rows;
}

TEST(CommandText, M13_a_command_is_what_telegram_marked_at_the_start_of_the_text_for_this_bot) {
  for (const Row& row : table()) {
    SCOPED_TRACE(row.written + " on " + row.text + " with " + row.entities);
    const json::value message =
        json::parse(R"({"text":")" + row.text + R"(","entities":[)" + row.entities + "]}");
    const auto command = read_command(message.as_object());
    EXPECT_EQ(command && CommandPattern(row.written).matches(*command, "my_bot"), row.matches);
    if (row.matches && command) {
      EXPECT_EQ(command->rest, row.rest);
    }
  }
}

TEST(CommandText, captions_have_no_commands) {
  const json::value message = json::parse(
      R"({"caption":"/start","caption_entities":[{"type":"bot_command","offset":0,"length":6}]})");
  EXPECT_FALSE(read_command(message.as_object()));
}

TEST(CommandText, odd_json_is_no_command) {
  for (const auto* text : {R"({"text":"/a","entities":7})", R"({"text":"/a","entities":[7]})",
                           R"({"text":"/a","entities":[{"type":"bot_command","offset":0,"length":-5}]})",
                           R"({"text":"/a","entities":[{"type":"bot_command","offset":"0","length":2}]})",
                           R"({"text":7,"entities":[{"type":"bot_command","offset":0,"length":2}]})"}) {
    EXPECT_FALSE(read_command(json::parse(text).as_object())) << text;
  }
}

TEST(CommandText, M13_what_no_command_can_be_is_refused_with_what_to_write) {
  const auto refusal = [](std::string_view written) {
    return test::misuse_of([&] { CommandPattern pattern(written); });
  };
  EXPECT_EQ(refusal("/start"), "command(\"/start\"): write the name without the slash");
  for (const auto* written : {"", "a b", "a-b", "@", "a@", "@b", "a@b@c", "\xC3\xA9t\xC3\xA9"}) {
    EXPECT_THAT(refusal(written), HasSubstr("only letters, digits and _")) << written;
  }
  EXPECT_EQ(refusal("a_1@b_2"), "");
}

}  // namespace
}  // namespace tgkeep::bot
