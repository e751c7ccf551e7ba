#include <string>

#include "examples/example_room.hpp"

namespace tgkeep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Example06 = ExampleRoom;

TEST_F(Example06, P9_the_first_signal_lets_the_handler_finish_and_its_answer_go_out) {
  for (const int number : {SIGTERM, SIGINT}) {
    const auto bot = start("06_graceful_stop");
    telegram_.send(7, "what?");
    ASSERT_TRUE(bot->wait_for_line("thinking")) << bot->output();
    bot->signal(number);
    EXPECT_EQ(bot->wait(), 0) << bot->output();
  }
  EXPECT_THAT(telegram_.sent(), ElementsAre("7:Hm.", "7:Hm."));
}

TEST_F(Example06, P9_a_second_signal_ends_it_at_once_and_the_update_comes_again) {
  telegram_.send(7, "what?");
  {
    const auto bot = start("06_graceful_stop");
    ASSERT_TRUE(bot->wait_for_line("thinking")) << bot->output();
    bot->signal(SIGTERM);
    ASSERT_TRUE(bot->wait_for_line("stopping")) << bot->output();
    bot->signal(SIGINT);
    EXPECT_EQ(bot->wait(), 128 + SIGINT) << bot->output();
  }
  EXPECT_THAT(telegram_.sent(), ElementsAre());
  const auto bot = start("06_graceful_stop");
  telegram_.wait_for("sendMessage");
  stop(*bot);
  EXPECT_THAT(telegram_.sent(), ElementsAre("7:Hm."));
}

}  // namespace
}  // namespace tgkeep::test
