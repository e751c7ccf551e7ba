#include "prove/handler_log.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tgkeep::prove {
namespace {

TEST(HandlerLog, reads_back_what_it_writes) {
  LogReader reader;
  const std::string text = life_line(3, 4711) + start_line(UpdateId(7), "chat:-100", 2, true) +
                           end_line(UpdateId(7), "chat:-100") + settled_line(UpdateId(7), "chat:-100");
  const auto events = reader.read(text);
  ASSERT_TRUE(events);
  ASSERT_EQ(events->size(), 4U);
  EXPECT_EQ((*events)[0].life, 3);
  EXPECT_EQ((*events)[1].update, UpdateId(7));
  EXPECT_EQ((*events)[1].key, "chat:-100");
  EXPECT_EQ((*events)[1].attempt, 2U);
  EXPECT_TRUE((*events)[1].repeated);
  EXPECT_EQ((*events)[1].epoch, 0);
  EXPECT_EQ((*events)[2].kind, HandlerEvent::Kind::end);
  EXPECT_EQ((*events)[3].kind, HandlerEvent::Kind::settled);
  EXPECT_EQ((*events)[3].update, UpdateId(7));
}

TEST(HandlerLog, keeps_an_unfinished_line_for_the_next_piece) {
  LogReader reader;
  EXPECT_TRUE(reader.read("life 1 2\nend 7 ch")->size() == 1U);
  const auto events = reader.read("at:1\n");
  ASSERT_TRUE(events);
  ASSERT_EQ(events->size(), 1U);
  EXPECT_EQ((*events)[0].key, "chat:1");
}

TEST(HandlerLog, reads_the_epoch_that_a_receiver_adds) {
  EXPECT_EQ(read_line("start 1 chat:1 1 0 9")->epoch, 9);
  EXPECT_EQ(read_line("end 1 chat:1 8")->epoch, 8);
}

TEST(HandlerLog, refuses_a_line_it_does_not_know) {
  for (const std::string_view line :
       {"", "begin 1 chat:1", "start 1 chat:1 1", "start x chat:1 1 0", "end 1 ", "end 1 chat:1 x", "life 1",
        "start 1 chat:1 1 0 9 9", "end 1 chat:1 5 5"}) {
    EXPECT_FALSE(read_line(line)) << line;
  }
}

}  // namespace
}  // namespace tgkeep::prove
