#include "rules/pull_window_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

class PullWindowAhead : public PullWindowBench {};

TEST_F(PullWindowAhead, numbers_noted_ahead_are_handed_out_later_and_noted_no_more) {
  come(1, 8);
  ahead = 4;
  EXPECT_EQ(get(0, 2), (Ids{1, 2}));
  EXPECT_EQ(noted, 6U);
  EXPECT_EQ(fresh, 2U);
  EXPECT_EQ(get(3, 2), (Ids{3, 4}));
  EXPECT_EQ(noted, 0U);
  EXPECT_EQ(fresh, 2U);
  EXPECT_EQ(get(3, 3), (Ids{3, 4, 5}));
  EXPECT_EQ(fresh, 1U) << "the others came again";
  EXPECT_EQ(get(6, 1), (Ids{6}));
  EXPECT_EQ(noted, 0U);
  EXPECT_EQ(get(7, 1), (Ids{7}));
  EXPECT_EQ(noted, 2U) << "of 7, and of 8 ahead";
}

TEST_F(PullWindowAhead, P3_an_offset_confirms_nothing_whose_number_was_only_noted_ahead) {
  come(1, 6);
  ahead = 10;
  EXPECT_EQ(get(0, 2), (Ids{1, 2}));
  EXPECT_EQ(noted, 6U);
  EXPECT_EQ(get(4, 2), (Ids{1, 2})) << "too high: not believed";
  EXPECT_EQ(get(7, 2), (Ids{1, 2}));
  EXPECT_EQ(done(), Ids());
  EXPECT_FALSE(window.settle(3, true));
  EXPECT_EQ(get(3, 2), (Ids{3, 4}));
  EXPECT_EQ(done(), (Ids{1, 2}));
}

TEST_F(PullWindowAhead, P3_what_comes_later_is_handed_out_after_what_has_its_number_ahead) {
  come(5, 7);
  ahead = 1;
  EXPECT_EQ(get(0, 1), (Ids{1}));
  come(2, 2);
  EXPECT_EQ(get(2), (Ids{2, 3, 4}));
  get(5);
  EXPECT_EQ(done(), (Ids{5, 6, 2, 7}));
}

TEST_F(PullWindowAhead, P3_what_expires_with_its_number_noted_ahead_is_not_handed_out_first_but_again) {
  for (const std::int64_t seq : {1, 2, 3}) window.arrive(Seq(seq), 1, kNow + 30s);
  come(4, 4);
  ahead = 10;
  EXPECT_EQ(get(0, 1), (Ids{1}));
  now = kNow + 30s;
  EXPECT_EQ(get(2), (Ids{4}));
  EXPECT_EQ(ended, (std::vector<Ended>{Ended(Seq(1), How::done), Ended(Seq(2), How::expired),
                                       Ended(Seq(3), How::expired)}));
  EXPECT_EQ(forgotten, 2U);
  ended.clear();
  window.arrive(Seq(5), 1, now + 30s);
  EXPECT_EQ(get(5), (Ids{7})) << "5 and 6 say in the book that 2 and 3 have no numbers";
  now += 1h;
  EXPECT_EQ(get(0), (Ids{7})) << "the bot had it before it started anew";
}

TEST_F(PullWindowAhead,
       P3_what_leaves_with_its_number_noted_ahead_is_forgotten_before_a_higher_one_goes_out) {
  come(1, 4);
  ahead = 10;
  get(0, 1);
  EXPECT_FALSE(window.leave(Seq(2)));
  EXPECT_TRUE(window.must_note());
  EXPECT_EQ(get(2), (Ids{3, 4}));
  EXPECT_EQ(forgotten, 1U);
}

TEST_F(PullWindowAhead, P7_a_suspect_is_handed_out_alone_whatever_is_noted_ahead) {
  come(1, 4);
  ahead = 10;
  get(0, 1);
  for (int start = 0; start < 2; ++start) get(0, 1);
  EXPECT_EQ(hand_out(), (Ids{1})) << "nothing beside it";
  EXPECT_EQ(get(2), (Ids{2, 3, 4}));
}

TEST_F(PullWindowAhead, P3_after_our_own_start_what_was_only_noted_ahead_gets_a_new_number) {
  const std::vector<std::pair<PullId, Seq>> open = {
      {PullId(7), Seq(1)}, {PullId(8), Seq(2)}, {PullId(9), Seq(3)}};
  window.begin(PullId(9), open);
  window.arrive(Seq(1), 1, std::nullopt);
  window.arrive(Seq(2), 1, std::nullopt);
  window.arrive(Seq(3), 1, kNow);
  EXPECT_EQ(get(8), (Ids{1010})) << "the bot was handed out 7, and not yet 8";
  EXPECT_EQ(ended, (std::vector<Ended>{Ended(Seq(1), How::done), Ended(Seq(3), How::expired)}));
}

}  // namespace
}  // namespace tgkeep::test
