#include "rules/suspects.hpp"

#include <gtest/gtest.h>

namespace tgkeep::rules {
namespace {

using namespace std::chrono_literals;
using Next = Suspects::Next;

const MonoTime kStart{std::chrono::hours(1)};

TEST(Suspects, P7_a_suspect_runs_with_nothing_beside_it_until_it_ended) {
  Suspects suspects(10s);
  EXPECT_EQ(suspects.next(kStart, false, std::nullopt), Next::others);
  EXPECT_EQ(suspects.next(kStart, true, std::nullopt), Next::suspect);
  suspects.started(kStart);
  EXPECT_EQ(suspects.next(kStart + 9s, true, kStart), Next::nothing);
  suspects.ended(kStart + 9s);
  EXPECT_EQ(suspects.next(kStart + 9s, true, std::nullopt), Next::suspect) << "the next one follows at once";
}

TEST(Suspects, P7_what_runs_already_delays_a_suspect_by_at_most_one_window) {
  Suspects suspects(10s);
  EXPECT_EQ(suspects.next(kStart + 1s, true, kStart), Next::nothing);
  EXPECT_EQ(suspects.ask_again(kStart + 1s, true, kStart), kStart + 10s);
  EXPECT_EQ(suspects.next(kStart + 10s, true, kStart), Next::suspect);
}

TEST(Suspects, P6_a_suspect_that_outlives_its_window_gives_the_others_a_turn_before_the_next_one) {
  Suspects suspects(10s);
  suspects.started(kStart);
  EXPECT_FALSE(suspects.is_over(kStart + 9s));
  EXPECT_TRUE(suspects.is_over(kStart + 10s));
  suspects.outlived(kStart + 10s);
  EXPECT_EQ(suspects.next(kStart + 19s, true, kStart), Next::others);
  EXPECT_EQ(suspects.ask_again(kStart + 19s, true, kStart), kStart + 20s);
  EXPECT_EQ(suspects.next(kStart + 20s, true, kStart + 19s), Next::nothing);
  EXPECT_EQ(suspects.next(kStart + 29s, true, kStart + 19s), Next::suspect);
}

TEST(Suspects, P6_suspects_in_a_row_keep_the_others_out_for_one_window_and_not_for_all_of_theirs) {
  Suspects suspects(10s);
  MonoTime now = kStart;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(suspects.next(now, true, std::nullopt), Next::suspect);
    suspects.started(now);
    now += 6s;
    suspects.ended(now);
  }
  EXPECT_EQ(suspects.next(now, true, std::nullopt), Next::others);
  EXPECT_TRUE(suspects.end_turn()) << "none of them is ready";
  EXPECT_EQ(suspects.next(now, true, std::nullopt), Next::suspect);
  EXPECT_FALSE(suspects.end_turn());
}

}  // namespace
}  // namespace tgkeep::rules
