#include <string>

#include "examples/example_room.hpp"

namespace tgkeep::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Example02 = ExampleRoom;

TEST_F(Example02, M1_counts_its_own_updates_by_chat_and_ends_by_itself) {
  const auto pipeline = start("02_pipeline");
  EXPECT_EQ(pipeline->wait(), 0);
  EXPECT_THAT(pipeline->output(), HasSubstr("chat:7 message 1\n"));
  EXPECT_THAT(pipeline->output(), HasSubstr("chat:8 message 1\n"));
  EXPECT_THAT(pipeline->output(), HasSubstr("chat:7 edited_message 2\n"));
}

TEST_F(Example02, M1_reads_lines_as_they_come_and_leaves_out_what_is_no_update) {
  const auto pipeline = start("02_pipeline", {"-"});
  const auto line = [](int id, const std::string& kind) {
    return R"({"update_id":)" + std::to_string(id) + R"(,")" + kind +
           R"(":{"message_id":1,"date":0,"chat":{"id":9,"type":"private"}}})" + "\n";
  };
  pipeline->tell(line(1, "message"));
  EXPECT_TRUE(pipeline->wait_for_line("chat:9 message 1")) << pipeline->output();
  pipeline->tell("no update\n" + line(2, "message") + line(3, "edited_message"));
  pipeline->end_input();
  EXPECT_EQ(pipeline->wait(), 0);
  EXPECT_THAT(pipeline->output(), HasSubstr("left out: "));
  EXPECT_LT(pipeline->output().find("chat:9 message 2"), pipeline->output().find("chat:9 edited_message 3"));
  EXPECT_THAT(pipeline->output(), Not(HasSubstr("chat:9 message 4")));
}

}  // namespace
}  // namespace tgkeep::test
