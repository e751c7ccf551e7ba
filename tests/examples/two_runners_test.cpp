#include <string>

#include "examples/example_room.hpp"

namespace tgkeep::test {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;
using Example04 = ExampleRoom;

TEST_F(Example04, echoes_and_stops_and_has_forgotten_nothing_at_its_next_start) {
  {
    const auto bot = start("04_two_runners");
    telegram_.send(7, "one");
    telegram_.send(8, "two");
    telegram_.wait_for("sendMessage", 2);
    stop(*bot);
  }
  telegram_.send(7, "three");
  const auto bot = start("04_two_runners");
  telegram_.wait_for("sendMessage", 3);
  stop(*bot);
  EXPECT_THAT(telegram_.sent(), UnorderedElementsAre("7:one", "8:two", "7:three"));
}

TEST_F(Example04, says_why_it_can_not_start) {
  const auto first = start("04_two_runners");
  ASSERT_TRUE(first->wait_for_line("poll_started")) << first->output();
  const auto second = start("04_two_runners");
  EXPECT_EQ(second->wait(), 1);
  EXPECT_THAT(second->output(), HasSubstr(folder_.file("store")));
  stop(*first);
}

}  // namespace
}  // namespace tgkeep::test
