#include "telegram/update_reader.hpp"

#include <gtest/gtest.h>

#include "telegram/id_scan.hpp"

namespace tgkeep::telegram {
namespace {

constexpr BotId kBot{42};

std::string outcome(const std::string& raw) {
  const auto update = read_update(kBot, WallTime{}, raw);
  return update ? "read " + std::to_string(update->id.value()) + " " + update->kind
                : std::string(to_string(update.error().code()));
}

TEST(UpdateReader, the_kind_is_the_other_field_known_or_not) {
  EXPECT_EQ(outcome(R"({"update_id":7,"message":{}})"), "read 7 message");
  EXPECT_EQ(outcome(R"({"message":{},"update_id":7})"), "read 7 message");
  EXPECT_EQ(outcome(R"({"update_id":7,"novelty":{}})"), "read 7 novelty");
  EXPECT_EQ(outcome(R"({"update_id":7,"signature":"x","message":{}})"), "read 7 message");
  EXPECT_EQ(outcome(R"({"update_id":7,"message":{},"poll":{}})"), "read 7 message");
  EXPECT_EQ(outcome(R"({"update_id":7})"), "read 7 ");
  EXPECT_EQ(outcome(R"({"update_id":7,"":{}})"), "read 7 ");
  EXPECT_EQ(outcome(R"({"\u0075pdate_id":7,"message":null})"), "read 7 message");
}

TEST(UpdateReader, update_id_must_be_one_whole_number_of_at_most_53_bits) {
  EXPECT_EQ(outcome(R"({"update_id":0,"message":{}})"), "read 0 message");
  EXPECT_EQ(outcome(R"({"update_id":9007199254740991})"), "read 9007199254740991 ");
  for (const char* raw : {R"({"message":{}})", R"({"update_id":-1})", R"({"update_id":1.0})",
                          R"({"update_id":1e3})", R"({"update_id":"7"})", R"({"update_id":null})",
                          R"({"update_id":9007199254740992})", R"({"update_id":18446744073709551615})",
                          R"({"update_id":1,"update_id":2})", "[]", "7", R"("x")", "null", "{}"}) {
    EXPECT_EQ(outcome(raw), "bad_update") << raw;
  }
}

TEST(UpdateReader, text_that_is_not_one_JSON_value_is_bad_json) {
  using std::string_literals::operator""s;
  const std::string cases[] = {"",
                               " ",
                               "{",
                               R"({"update_id":1)",
                               R"({"update_id":1}x)",
                               R"({"update_id":1}{})",
                               R"({"update_id":01})",
                               R"({'update_id':1})",
                               "\xef\xbb\xbf{\"update_id\":1}",
                               "{\"update_id\":1,\"message\":{\"text\":\"\xff\"}}",
                               "{\"update_id\":1,\"message\":{\"text\":\"\xc0\x80\"}}",
                               R"({"update_id":1,"message":{"text":"\ud800"}})",
                               R"({"update_id":1,"message":{"text":"\q"}})",
                               "{\"update_id\":1,\"message\":{\"text\":\"a\nb\"}}",
                               "{\"update_id\":1}\0"s,
                               "{\"update_id\":1,\"message\":{\"text\":\"\0\"}}"s,
                               R"({"update_id":1,"message":{"date":123456789012345678901234567890}})"};
  for (const auto& raw : cases) EXPECT_EQ(outcome(raw), "bad_json") << raw;
  EXPECT_EQ(outcome(" \n{\"update_id\":1,\n\"message\":{\"text\":\"\\u0000\\ud83d\\ude00\"}} \n"),
            "read 1 message");
}

TEST(UpdateReader, P11_updates_over_1_MiB_or_1024_levels_are_too_large) {
  const auto of_size = [](std::size_t size) {
    std::string raw = R"({"update_id":1,"message":{"text":")";
    return raw + std::string(size - raw.size() - 3, 'x') + "\"}}";
  };
  EXPECT_EQ(outcome(of_size(512U << 10)), "read 1 message");
  EXPECT_EQ(outcome(of_size(kMaxUpdate)), "read 1 message");
  EXPECT_EQ(outcome(of_size(kMaxUpdate + 1)), "too_large");
  const auto of_depth = [](std::size_t depth) {
    return R"({"update_id":1,"message":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_EQ(outcome(of_depth(1000)), "read 1 message");
  EXPECT_EQ(outcome(of_depth(1025)), "too_large");
  EXPECT_EQ(outcome(of_depth(200'000)), "too_large");
}

TEST(UpdateReader, errors_say_what_is_wrong_and_where_to_look) {
  const auto update = read_update(kBot, WallTime{}, R"({"update_id":-3})");
  EXPECT_EQ(update.error().text(),
            "update_id is not a whole number from 0 to 2^53 - 1; Telegram sends no such updates: look at "
            "what stands "
            "between it and tgkeep");
}

TEST(UpdateReader, P8_what_cannot_be_read_is_kept_with_its_id_or_a_hash) {
  const WallTime now = from_millis(1000);
  const std::string broken = "{\"update_id\":77,\n\"message\":{\"text\":\"\xff\"}}";
  const Update kept = read_or_keep(kBot, now, broken);
  EXPECT_EQ(kept.id, UpdateId(77));
  EXPECT_EQ(kept.raw, broken);
  EXPECT_EQ(kept.received, now);
  EXPECT_EQ(kept.bot, kBot);
  EXPECT_TRUE(kept.unreadable.starts_with("bad_json: ")) << kept.unreadable;
  EXPECT_TRUE(kept.keys.empty());

  const Update junk = read_or_keep(kBot, now, "junk");
  EXPECT_LT(junk.id.value(), 0);
  EXPECT_EQ(junk.id, read_or_keep(kBot, now, "junk").id);
  EXPECT_NE(junk.id, read_or_keep(kBot, now, "junk2").id);

  const Update fine = read_or_keep(kBot, now, R"({"update_id":78,"message":{}})");
  EXPECT_TRUE(fine.unreadable.empty());
  EXPECT_EQ(fine.id, UpdateId(78));
}

TEST(IdScan, only_a_number_at_the_outermost_level_counts) {
  EXPECT_EQ(scan_update_id(R"({"update_id" : 5 , )"), UpdateId(5));
  EXPECT_EQ(scan_update_id(R"({"a":"\"update_id\":6","update_id":5})"), UpdateId(5));
  EXPECT_EQ(scan_update_id(R"({"a":"update_id","update_id":5})"), UpdateId(5));
  for (const char* raw :
       {"", "{", R"({"update_id")", R"({"update_id":)", R"({"update_id":5)", R"({"update_id":"5"})",
        R"({"update_id":5.5})", R"({"update_id":-5})", R"({"update_id":9007199254740992})",
        R"({"update_id":99999999999999999999})", R"({"a":{"update_id":5}})", R"("update_id":5)",
        R"({"update_id":5,"update_id":6})", R"({"update_id":5,"update_id":"x"})", R"([{"update_id":5}])"}) {
    EXPECT_FALSE(scan_update_id(raw)) << raw;
  }
}

}  // namespace
}  // namespace tgkeep::telegram
