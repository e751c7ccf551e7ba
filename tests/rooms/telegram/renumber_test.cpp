#include "telegram/renumber.hpp"

#include <gtest/gtest.h>

#include "rooms/telegram/samples.hpp"
#include "telegram/update_reader.hpp"

namespace tgkeep::telegram {
namespace {

TEST(Renumber, every_sample_keeps_all_its_bytes_but_the_number) {
  ASSERT_FALSE(test::samples().empty());
  for (const auto& [name, raw] : test::samples()) {
    SCOPED_TRACE(name);
    const auto before = read_update(BotId(1), WallTime(), raw);
    ASSERT_TRUE(before);
    const std::string text = renumbered(raw, 1'999'999'999);
    const auto after = read_update(BotId(1), WallTime(), text);
    ASSERT_TRUE(after);
    EXPECT_EQ(after->id, UpdateId(1'999'999'999));
    EXPECT_EQ(after->kind, before->kind);
    EXPECT_EQ(renumbered(text, before->id.value()), raw) << "there and back";
  }
}

TEST(Renumber, the_outermost_number_is_meant_wherever_it_stands) {
  EXPECT_EQ(renumbered(R"({"update_id":5})", 12), R"({"update_id":12})");
  EXPECT_EQ(renumbered(" {\n \"update_id\" :\t5 , \"message\":{}}", 7),
            " {\n \"update_id\" :\t7 , \"message\":{}}");
  EXPECT_EQ(renumbered(R"({"message":{"update_id":1,"text":"\"update_id\":2"},"update_id":3})", 4),
            R"({"message":{"update_id":1,"text":"\"update_id\":2"},"update_id":4})");
  EXPECT_EQ(renumbered(R"({"x":"update_id","y":["update_id",{"update_id":1}],"update_id":3})", 4),
            R"({"x":"update_id","y":["update_id",{"update_id":1}],"update_id":4})");
}

TEST(Renumber, it_is_appended_to_what_is_there) {
  std::string text = "[";
  append_renumbered(text, R"({"update_id":5})", 6);
  EXPECT_EQ(text, R"([{"update_id":6})");
}

TEST(Renumber, a_name_written_with_escapes_is_found_too) {
  const std::string text = renumbered(R"({"update\u005fid":5,"message":{"text":"a"}})", 12);
  const auto update = read_update(BotId(1), WallTime(), text);
  ASSERT_TRUE(update);
  EXPECT_EQ(update->id, UpdateId(12));
  EXPECT_EQ(update->kind, "message");
}

}  // namespace
}  // namespace tgkeep::telegram
