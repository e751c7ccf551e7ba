#include "examples/example_room.hpp"

namespace tgkeep::test {
namespace {

using Example01 = ExampleRoom;

TEST_F(Example01, echoes_each_text_to_its_chat) {
  const auto bot = start("01_echo");
  telegram_.send(7, "hello");
  telegram_.send(8, "привет");
  telegram_.send(9, "/start");
  telegram_.wait_for("sendMessage", 3);
  stop(*bot);
  EXPECT_THAT(telegram_.sent(), testing::UnorderedElementsAre("7:hello", "8:привет", "9:Write something."));
}

}  // namespace
}  // namespace tgkeep::test
