// What the reader makes of every sample, against the golden table; and of every kind of the schema.

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <sstream>
#include <vector>

#include "rooms/telegram/samples.hpp"
#include "telegram/update_kinds.hpp"
#include "telegram/update_reader.hpp"

namespace tgkeep::telegram {
namespace {

constexpr BotId kBot{42};

std::string row(const std::string& name, const Update& update) {
  std::string keys;
  for (const auto& key : update.keys) keys += (keys.empty() ? "" : ",") + key.text();
  if (keys.empty()) keys = "-";
  return name + "\t" + update.kind + "\t" + keys + "\t" + std::to_string(update.lifetime.count()) + "\t" +
         (update.answer_expires ? "yes" : "no");
}

TEST(UpdateKeys, every_sample_has_the_kind_keys_and_lifetime_of_the_golden_table) {
  std::map<std::string, std::string> golden;
  std::ifstream file(TGKEEP_SOURCE_DIR "/tests/golden/update_keys.tsv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) golden.emplace(line.substr(0, line.find('\t')), line);

  std::map<std::string, std::string> read;
  for (const auto& [name, raw] : test::samples()) {
    const auto update = read_update(kBot, WallTime{}, raw);
    ASSERT_TRUE(update) << name << ": " << update.error().text();
    EXPECT_EQ(update->raw, raw);
    read.emplace(name, row(name, *update));
  }
  EXPECT_EQ(read.size(), 180U);
  EXPECT_EQ(read, golden);
}

TEST(UpdateKeys, every_kind_of_the_schema_is_known_and_no_other) {
  const auto schema = boost::json::parse(test::read_file(TGKEEP_SOURCE_DIR "/botapi/schema.json"));
  std::vector<std::string> wanted;
  for (const auto& kind : schema.at("update_kinds").as_array()) {
    wanted.emplace_back(kind.at("name").as_string());
  }
  std::vector<std::string> known;
  for (const auto& kind : update_kinds()) known.emplace_back(kind.name);
  EXPECT_EQ(known, wanted);
}

std::string key_of(const std::string& raw) {
  const auto update = read_update(kBot, WallTime{}, raw);
  if (!update) return update.error().text();
  if (update->keys.empty()) return "";
  return update->keys.front().text();
}

TEST(UpdateKeys, P5_equal_ids_in_different_namespaces_never_meet) {
  const std::string chat = R"("chat":{"id":5})";
  const std::vector<std::string> keys{
      key_of(R"({"update_id":1,"message":{)" + chat + "}}"),
      key_of(R"({"update_id":1,"business_message":{"business_connection_id":"A",)" + chat + "}}"),
      key_of(R"({"update_id":1,"business_message":{"business_connection_id":"B",)" + chat + "}}"),
      key_of(R"({"update_id":1,"guest_message":{"guest_query_id":"q",)" + chat + "}}"),
      key_of(R"({"update_id":1,"inline_query":{"from":{"id":5}}})"),
      key_of(R"({"update_id":1,"poll":{"id":"5"}})")};
  EXPECT_EQ(keys, (std::vector<std::string>{"chat:5", "chat:bc=A:5", "chat:bc=B:5", "chat:guest:5", "user:5",
                                            "poll:5"}));
}

TEST(UpdateKeys, P5_a_button_is_in_the_lane_of_its_message) {
  EXPECT_EQ(
      key_of(R"({"update_id":1,"callback_query":{"from":{"id":7},"message":{"chat":{"id":-5},"date":0}}})"),
      "chat:-5");
  EXPECT_EQ(key_of(R"({"update_id":1,"callback_query":{"from":{"id":7},
      "message":{"chat":{"id":-5},"business_connection_id":"A"}}})"),
            "chat:bc=A:-5");
  EXPECT_EQ(key_of(R"({"update_id":1,"callback_query":{"from":{"id":7},"inline_message_id":"x"}})"),
            "user:7");
}

TEST(UpdateKeys, unknown_kinds_get_the_generic_rule) {
  EXPECT_EQ(key_of(R"({"update_id":1,"novelty":{"chat":{"id":9},"from":{"id":7}}})"), "chat:9");
  EXPECT_EQ(key_of(R"({"update_id":1,"novelty":{"business_connection_id":"A","chat":{"id":9}}})"),
            "chat:bc=A:9");
  EXPECT_EQ(key_of(R"({"update_id":1,"novelty":{"from":{"id":7}}})"), "user:7");
  EXPECT_EQ(key_of(R"({"update_id":1,"novelty":{"user":{"id":7}}})"), "user:7");
  EXPECT_EQ(key_of(R"({"update_id":1,"novelty":{"x":1}})"), "");
  EXPECT_EQ(key_of(R"({"update_id":1,"novelty":[1]})"), "");
}

TEST(UpdateKeys, threads_are_not_lanes_and_ids_of_52_bits_are_exact) {
  EXPECT_EQ(key_of(R"({"update_id":1,"message":{"chat":{"id":-4503599627370495},"message_thread_id":3}})"),
            "chat:-4503599627370495");
}

TEST(UpdateKeys, an_id_that_is_long_or_not_printable_is_replaced_by_its_hash) {
  const std::string key = key_of(R"({"update_id":1,"poll":{"id":")" + std::string(65, 'x') + R"("}})");
  EXPECT_EQ(key.size(), std::string("poll:#").size() + 16) << key;
  EXPECT_TRUE(key_of(R"({"update_id":1,"poll":{"id":"a\nb"}})").starts_with("poll:#"));
}

TEST(UpdateKeys, equal_keys_of_two_bots_are_two_lanes) {
  const std::string raw = R"({"update_id":1,"message":{"chat":{"id":5}}})";
  const auto one = read_update(BotId(1), WallTime{}, raw);
  const auto two = read_update(BotId(2), WallTime{}, raw);
  EXPECT_EQ(one->keys.front().text(), two->keys.front().text());
  EXPECT_NE(one->keys.front().hash(), two->keys.front().hash());
}

}  // namespace
}  // namespace tgkeep::telegram
