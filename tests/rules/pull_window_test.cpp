#include <limits>

#include "rules/pull_number.hpp"
#include "rules/pull_window_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

class PullWindowTest : public PullWindowBench {};

TEST_F(PullWindowTest, P4_an_offset_ends_what_was_handed_out_below_it_and_nothing_else) {
  come(11, 15);
  EXPECT_EQ(get(0, 3), (Ids{1, 2, 3}));
  EXPECT_EQ(get(3, 3), (Ids{3, 4, 5}));
  EXPECT_EQ(done(), (Ids{11, 12}));
  come(16, 17);
  EXPECT_EQ(get(6), (Ids{6, 7}));
  EXPECT_EQ(done(), (Ids{13, 14, 15}));
}

TEST_F(PullWindowTest, P3_an_offset_confirms_nothing_that_was_not_handed_out) {
  come(11, 15);
  EXPECT_EQ(get(0, 2), (Ids{1, 2}));
  EXPECT_EQ(get(9, 2), (Ids{1, 2})) << "too high: not believed";
  EXPECT_EQ(done(), Ids());
  EXPECT_FALSE(restarted);
  window.choose(PullWindow::Limits(5, 1 << 20, 0), now, ended);  // numbered, but the poller hung up
  EXPECT_EQ(get(6), (Ids{1, 2, 3, 4, 5}));
  EXPECT_EQ(done(), Ids());
  EXPECT_EQ(get(4'000'000'000), (Ids{1, 2, 3, 4, 5}));
  EXPECT_EQ(get(std::numeric_limits<std::int64_t>::max()), (Ids{1, 2, 3, 4, 5}));
  EXPECT_EQ(done(), Ids());
}

TEST_F(PullWindowTest, P3_the_same_offset_gives_the_same_again_and_counts_as_nothing) {
  come(1, 3);
  get(0);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(get(2), (Ids{2, 3}));
    EXPECT_FALSE(restarted);
  }
  come(4, 4);
  EXPECT_EQ(get(2), (Ids{2, 3, 4}));
}

TEST_F(PullWindowTest, P3_numbers_follow_the_order_of_handing_out_and_stay) {
  come(5, 6);
  EXPECT_EQ(get(0, 1), (Ids{1}));
  come(2, 3);
  EXPECT_EQ(hand_out(), (Ids{1, 2, 3, 4}));
  EXPECT_EQ(get(3), (Ids{3, 4}));
  EXPECT_EQ(done(), (Ids{5, 2})) << "2 came later, and was handed out before 6";
}

TEST_F(PullWindowTest, P3_without_an_offset_everything_unconfirmed_comes_again_lowest_first) {
  come(1, 6);
  get(0, 4);
  get(3, 2);
  EXPECT_EQ(done(), (Ids{1, 2}));
  EXPECT_EQ(get(0, 2), (Ids{3, 4}));
  EXPECT_TRUE(restarted);
  EXPECT_EQ(get(5), (Ids{5, 6}));
  EXPECT_FALSE(restarted);
  EXPECT_EQ(done(), (Ids{3, 4}));
}

TEST_F(PullWindowTest, P3_an_offset_below_the_highest_one_is_a_restart_too) {
  come(1, 6);
  get(0, 4);
  get(5);
  done();
  EXPECT_EQ(get(3), (Ids{5, 6}));
  EXPECT_TRUE(restarted);
  EXPECT_EQ(get(3), (Ids{5, 6}));
  EXPECT_FALSE(restarted) << "a repeated poll";
}

TEST_F(PullWindowTest, P3_what_was_not_handed_out_again_since_a_restart_is_not_confirmed) {
  come(1, 5);
  get(0);
  EXPECT_EQ(get(0, 2), (Ids{1, 2}));
  EXPECT_EQ(get(6), (Ids{3, 4, 5}));
  EXPECT_EQ(done(), (Ids{1, 2}));
}

TEST_F(PullWindowTest, polls_without_an_offset_are_no_restart_as_long_as_there_was_nothing) {
  EXPECT_EQ(get(0), Ids());
  EXPECT_EQ(get(0), Ids());
  EXPECT_FALSE(restarted);
  come(1, 1);
  get(0);
  EXPECT_FALSE(restarted);
  EXPECT_EQ(get(2), Ids());
  EXPECT_EQ(get(0), Ids());
  EXPECT_TRUE(restarted) << "nothing is in hand, but there was an offset";
  get(0);
  EXPECT_FALSE(restarted);
}

TEST_F(PullWindowTest, P7_what_was_in_hand_at_two_restarts_is_handed_out_alone) {
  come(1, 3);
  get(0, 2);
  get(0, 2);
  get(0, 2);
  EXPECT_EQ(hand_out(), (Ids{1}));
  EXPECT_EQ(window.ready(100), Ready::full) << "waiting would add nothing";
  EXPECT_EQ(get(2), (Ids{2})) << "the next suspect, not the third beside it";
  EXPECT_EQ(get(3), (Ids{3}));
  EXPECT_EQ(done(), (Ids{1, 2}));
}

TEST_F(PullWindowTest, P7_a_suspect_waits_for_those_before_it_and_nothing_is_handed_out_beside_it) {
  come(1, 1);
  get(0);
  EXPECT_EQ(get(2), Ids());
  come(2, 3);
  get(2, 1);
  come(4, 4);
  EXPECT_EQ(get(0, 1), (Ids{2}));
  EXPECT_EQ(get(0, 1), (Ids{2})) << "at two restarts in hand";
  EXPECT_EQ(get(2), (Ids{2}));
  EXPECT_EQ(get(3), (Ids{3, 4}));
}

TEST_F(PullWindowTest, P7_three_restarts_with_a_suspect_alone_end_it_as_crashed_and_spare_its_neighbours) {
  come(1, 4);
  for (int start = 0; start < 3; ++start) get(0);
  EXPECT_EQ(hand_out(), (Ids{1}));
  EXPECT_EQ(get(2), (Ids{2}));
  EXPECT_EQ(done(), (Ids{1}));
  EXPECT_EQ(get(0), (Ids{2}));
  EXPECT_EQ(get(0), (Ids{2}));
  EXPECT_EQ(taken(How::crashed), Ids());
  EXPECT_EQ(get(0), (Ids{3}));
  EXPECT_EQ(taken(How::crashed), (Ids{2}));
  EXPECT_EQ(get(4), (Ids{4}));
  EXPECT_EQ(get(5), Ids());
  EXPECT_EQ(done(), (Ids{3, 4}));
}

TEST_F(PullWindowTest, P7_a_bot_that_begins_with_1_as_its_offset_is_seen_to_start_anew_each_time) {
  come(1, 2);
  get(1);
  for (int start = 0; start < 5; ++start) {
    get(1);
    EXPECT_TRUE(restarted) << start;
  }
  EXPECT_EQ(taken(How::crashed), (Ids{1}));
  EXPECT_EQ(hand_out(), (Ids{2})) << "the others go on";
}

TEST_F(PullWindowTest, P6_a_suspect_that_takes_long_lets_the_others_pass_and_a_restart_then_does_not_count) {
  come(1, 3);
  settles = true;
  for (int start = 0; start < 3; ++start) get(0);
  EXPECT_EQ(window.lone(), Seq(1));
  EXPECT_EQ(get(2), Ids()) << "alone";
  window.let_others_pass();
  EXPECT_FALSE(window.lone());
  EXPECT_EQ(get(2), (Ids{2})) << "a suspect, too: beside nothing but the first";
  window.let_others_pass();
  EXPECT_EQ(get(3), (Ids{3}));
  for (int start = 0; start < 2; ++start) {
    get(0);
    window.let_others_pass();
  }
  get(0);
  EXPECT_EQ(taken(How::crashed), Ids()) << "it was not alone";
}

TEST_F(PullWindowTest,
       P3_after_our_own_start_what_is_below_the_first_offset_is_done_also_when_it_comes_later) {
  const std::vector<std::pair<PullId, Seq>> open = {
      {PullId(7), Seq(1)}, {PullId(8), Seq(2)}, {PullId(9), Seq(3)}, {PullId(10), Seq(4)}};
  come(1, 1);
  window.begin(PullId(10), open);
  come(3, 3);
  EXPECT_EQ(get(9), (Ids{1011})) << "3 was not confirmed: a new number, above all of the life before";
  EXPECT_EQ(done(), (Ids{1}));
  EXPECT_FALSE(restarted);
  EXPECT_EQ(window.arrive(Seq(2), 1, std::nullopt), Arrival::early);
  EXPECT_EQ(window.arrive(Seq(2), 1, std::nullopt), Arrival::waits) << "once";
  EXPECT_EQ(window.arrive(Seq(4), 1, std::nullopt), Arrival::waits);
}

TEST_F(PullWindowTest, P3_after_our_own_start_a_bot_that_starts_too_gets_everything_under_new_numbers) {
  const std::vector<std::pair<PullId, Seq>> open = {{PullId(9), Seq(1)}, {PullId(10), Seq(2)}};
  window.begin(PullId(10), open);
  come(1, 2);
  EXPECT_EQ(get(0), (Ids{1011, 1012}));
  EXPECT_TRUE(restarted);
  EXPECT_EQ(done(), Ids());
}

TEST_F(PullWindowTest, P3_a_first_offset_from_another_server_confirms_nothing_and_numbers_go_on_from_there) {
  const std::vector<std::pair<PullId, Seq>> open = {{PullId(9), Seq(1)}};
  window.begin(PullId(10), open);
  come(1, 2);
  EXPECT_EQ(get(812'345'678), (Ids{812'345'678, 812'345'679}));
  EXPECT_EQ(done(), Ids());
  EXPECT_EQ(get(812'345'680), Ids());
  EXPECT_EQ(done(), (Ids{1, 2}));
  EXPECT_FALSE(restarted);
}

TEST_F(PullWindowTest, P4_a_bot_that_settles_ends_updates_one_by_one_and_its_offset_confirms_nothing) {
  settles = true;
  come(1, 4);
  EXPECT_EQ(get(0, 2), (Ids{1, 2}));
  EXPECT_EQ(get(3), (Ids{3, 4}));
  EXPECT_EQ(get(3), (Ids{3, 4})) << "a repeated poll";
  EXPECT_EQ(get(5), Ids());
  EXPECT_EQ(done(), Ids());
  EXPECT_EQ(window.in_hand(), 4U);
  EXPECT_TRUE(window.settle(2, true));
  EXPECT_FALSE(window.settle(2, true)) << "once";
  EXPECT_FALSE(window.settle(5, true));
  EXPECT_FALSE(window.settle(0, true));
  EXPECT_EQ(window.in_hand(), 3U);
  EXPECT_EQ(get(0), (Ids{1, 3, 4}));
  EXPECT_TRUE(restarted);
}

TEST_F(PullWindowTest, P3_a_bot_that_says_it_has_restarted_gets_everything_again_whatever_its_offset) {
  settles = true;
  come(1, 4);
  get(0);
  get(5);
  window.restart(ended);
  EXPECT_EQ(get(3), (Ids{1, 2, 3, 4}));
  EXPECT_FALSE(restarted);
  EXPECT_EQ(get(5), Ids());
}

TEST_F(PullWindowTest, P7_a_suspect_of_a_bot_that_settles_waits_until_nothing_else_is_in_hand) {
  settles = true;
  come(1, 1);
  get(0);
  get(0);
  come(2, 2);
  EXPECT_EQ(hand_out(), (Ids{1, 2}));
  get(3);
  come(3, 3);
  EXPECT_EQ(get(0), (Ids{1})) << "in hand at two restarts";
  EXPECT_EQ(get(2), Ids()) << "nothing after it until it ends";
  window.settle(1, true);
  EXPECT_EQ(get(2), (Ids{2, 3}));
  EXPECT_EQ(get(0), (Ids{2}));
  window.settle(2, true);
  EXPECT_EQ(get(3), (Ids{3}));
}

TEST_F(PullWindowTest, P4_after_our_own_start_a_bot_may_settle_what_it_got_in_the_life_before) {
  settles = true;
  const std::vector<std::pair<PullId, Seq>> open = {
      {PullId(8), Seq(2)}, {PullId(9), Seq(3)}, {PullId(10), Seq(4)}};
  window.begin(PullId(10), open);
  const auto held = window.settle(9, true);
  ASSERT_TRUE(held);
  EXPECT_EQ(held->seq, Seq(3));
  EXPECT_FALSE(held->present);
  EXPECT_EQ(window.arrive(Seq(3), 1, std::nullopt), Arrival::early);
  come(2, 2);
  come(4, 4);
  EXPECT_EQ(get(10), (Ids{1011})) << "8 has arrived; 10 had not";
  EXPECT_TRUE(window.settle(8, true)->present);
}

TEST_F(PullWindowTest, P3_what_is_taken_away_while_in_hand_can_still_be_confirmed) {
  come(1, 3);
  get(0, 2);
  window.leave(Seq(1));
  window.leave(Seq(3));
  EXPECT_EQ(hand_out(), (Ids{2}));
  come(2, 2);
  EXPECT_EQ(get(3), Ids());
  EXPECT_EQ(done(), (Ids{2}));
  EXPECT_EQ(window.arrive(Seq(1), 1, std::nullopt), Arrival::early);
  EXPECT_EQ(window.waiting() + window.in_hand(), 0U);
}

TEST_F(PullWindowTest, P3_what_expires_before_it_is_handed_out_ends_and_the_rest_goes_on) {
  window.arrive(Seq(1), 1, kNow + 30s);
  window.arrive(Seq(2), 1, kNow + 60s);
  come(3, 3);
  now = kNow + 30s;
  EXPECT_EQ(hand_out(), (Ids{1, 2}));
  EXPECT_EQ(taken(How::expired), (Ids{1}));
  now = kNow + 1h;
  EXPECT_EQ(hand_out(), (Ids{1, 2})) << "the bot has it already: it comes again";
}

TEST_F(PullWindowTest, P8_what_is_dropped_ends_as_dropped_now_and_when_it_comes_later) {
  come(1, 4);
  get(0, 2);
  window.drop_until(Seq(3), ended);
  EXPECT_EQ(taken(How::dropped), (Ids{1, 2, 3}));
  EXPECT_EQ(window.arrive(Seq(2), 1, std::nullopt), Arrival::dropped);
  EXPECT_EQ(get(0), (Ids{3}));
}

TEST_F(PullWindowTest, P3_closed_it_gives_back_what_was_not_handed_out_and_still_confirms) {
  come(1, 3);
  get(0, 2);
  window.close(false, ended);
  EXPECT_EQ(taken(How::back), (Ids{3}));
  EXPECT_EQ(window.arrive(Seq(3), 1, std::nullopt), Arrival::closed);
  EXPECT_EQ(window.ready(100), Ready::nothing);
  EXPECT_EQ(get(2), Ids());
  EXPECT_EQ(done(), (Ids{1}));
  window.open();
  EXPECT_EQ(get(2), (Ids{2}));
  window.close(true, ended);
  EXPECT_EQ(taken(How::back), (Ids{2}));
  window.open();
  come(2, 3);
  EXPECT_EQ(get(3), (Ids{3, 4}));
  EXPECT_EQ(done(), Ids()) << "the number of before is forgotten";
}

TEST_F(PullWindowTest, a_batch_is_bounded_in_bytes_but_never_empty) {
  come(1, 3);
  EXPECT_EQ(hand_out(100, 250), (Ids{1, 2}));
  EXPECT_EQ(hand_out(100, 1), (Ids{1}));
}

TEST_F(PullWindowTest, numbers_are_shown_below_two_thousand_million_and_confirmed_over_the_turn) {
  EXPECT_EQ(shown(PullId(1)), 1);
  EXPECT_EQ(shown(PullId(1'999'999'999)), 1'999'999'999);
  EXPECT_EQ(shown(PullId(2'000'000'000)), 1);
  window.begin(PullId(1'999'998'997), {});
  come(1, 4);
  EXPECT_EQ(get(1'999'998'998), (Ids{1'999'999'998, 1'999'999'999})) << "a batch ends at the turn";
  EXPECT_EQ(get(2'000'000'000), (Ids{2'000'000'000, 2'000'000'001}));
  EXPECT_EQ(done(), (Ids{1, 2}));
  EXPECT_EQ(get(2), (Ids{2'000'000'001}));
  EXPECT_EQ(done(), (Ids{3}));
  EXPECT_FALSE(restarted);
  EXPECT_EQ(get(3), Ids());
  EXPECT_FALSE(restarted);
  EXPECT_EQ(get(1'999'999'999), Ids());
  EXPECT_TRUE(restarted) << "of the turn before";
}

TEST(PullNumber, the_nearest_number_that_is_shown_so_is_meant) {
  for (const std::int64_t near : {1LL, 500LL, 1'999'999'999LL, 2'000'000'000LL, 7'000'000'123LL}) {
    for (const std::int64_t away : {-999'999'000LL, -1000LL, -1LL, 0LL, 1LL, 999'999'000LL}) {
      const PullId id(near + away);
      if (id < PullId(1)) continue;
      EXPECT_EQ(rules::number_shown_as(shown(id), PullId(near)), id) << near << " " << away;
    }
  }
  EXPECT_EQ(rules::number_shown_as(1'800'000'000, PullId(5)), PullId(1'800'000'000))
      << "there is none before the first";
  EXPECT_EQ(rules::number_shown_as(2'000'000'000, PullId(1'999'999'990)), PullId(2'000'000'000));
}

}  // namespace
}  // namespace tgkeep::test
