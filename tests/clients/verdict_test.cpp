// The judge of the client tests finds each kind of broken promise, in a story that is whole but for it.

#include "clients/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tgkeep::test {
namespace {

using Lines = std::vector<std::string>;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

const Chats kChats = {{7, {1, 2}}};

std::vector<Event> tell(const Lines& lines) {
  std::vector<Event> story;
  for (const std::string& line : lines) {
    story.push_back(line == "killed" ? Event(Event::Kind::killed) : read_line(line));
  }
  return story;
}

Lines judge(const Lines& lines) {
  return broken_promises(tell(lines), kChats, 1000);
}

const Lines kFirst = {"10 request 1 1 1", "11 start 1", "12 end 1", "13 answer 1 200"};
const Lines kSecond = {"20 request 2 1 1", "21 start 2", "22 end 2", "23 answer 2 204"};

Lines operator+(Lines some, const Lines& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

TEST(ClientVerdict, every_update_in_order_keeps_all_promises) {
  EXPECT_THAT(judge(kFirst + kSecond), IsEmpty());
}

TEST(ClientVerdict, a_repeat_after_a_failure_or_a_kill_is_no_fault) {
  EXPECT_THAT(judge(Lines{"1 request 1 1 1", "2 answer 1 500", "3 request 1 1 1", "4 start 1", "killed"} +
                    kFirst + kSecond),
              IsEmpty());
}

TEST(ClientVerdict, an_update_that_is_not_handled_or_not_answered_is_missed) {
  EXPECT_THAT(judge(kFirst), Contains(HasSubstr("update 2 was never handled")));
  EXPECT_THAT(judge(kFirst + Lines{"20 request 2 1 1", "21 start 2", "22 end 2"}),
              Contains(HasSubstr("update 2 got no answer")));
}

TEST(ClientVerdict, a_chat_out_of_order_is_found) {
  EXPECT_THAT(judge(kSecond + kFirst), Contains(HasSubstr("update 2 came out of order")));
}

TEST(ClientVerdict, one_that_does_not_wait_for_the_one_before_is_found) {
  EXPECT_THAT(
      judge({"1 request 1 1 1", "2 start 1", "3 request 2 1 1", "4 start 2", "5 end 2", "6 answer 2 200"}),
      testing::AllOf(Contains(HasSubstr("before the one before was done")),
                     Contains(HasSubstr("update 2 started while 1 of its chat was running"))));
}

TEST(ClientVerdict, a_repeat_without_a_reason_is_found) {
  EXPECT_THAT(judge(kFirst + Lines{"14 request 1 2 1", "15 answer 1 200"} + kSecond),
              Contains(HasSubstr("though nothing had failed")));
  EXPECT_THAT(judge(kFirst + kSecond + Lines{"killed", "30 request 1 2 1", "31 answer 1 200"}),
              Contains(HasSubstr("after a later one of its chat")));
}

TEST(ClientVerdict, an_attempt_that_counts_down_is_found) {
  EXPECT_THAT(judge(Lines{"1 request 1 2 1", "2 answer 1 500"} + kFirst + kSecond),
              Contains(HasSubstr("lower attempt")));
}

TEST(ClientVerdict, a_retry_after_that_is_not_obeyed_is_found) {
  EXPECT_THAT(judge(Lines{"1 request 1 1 1", "2 answer 1 429", "900 request 1 1 1", "901 start 1",
                          "902 end 1", "903 answer 1 200"} +
                    kSecond),
              Contains(HasSubstr("before its Retry-After")));
}

TEST(ClientVerdict, an_update_nobody_put_is_found) {
  EXPECT_THAT(judge(kFirst + kSecond + Lines{"30 request 3 1 1"}),
              Contains(HasSubstr("update 3 was never put")));
}

}  // namespace
}  // namespace tgkeep::test
