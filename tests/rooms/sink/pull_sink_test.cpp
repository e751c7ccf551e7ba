#include "rooms/sink/pull_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

class PullSinkTest : public PullBench {};

TEST_F(PullSinkTest, P4_a_delivery_waits_without_limit_of_time_and_is_done_when_an_offset_confirms_it) {
  Handing& first = come(11);
  Handing& second = come(12);
  pass(100h);
  EXPECT_EQ(end(first), "waits");
  EXPECT_EQ(get(0), "1:11 2:12");
  pass(100h);
  EXPECT_EQ(end(first), "waits");
  EXPECT_EQ(get(2), "2:12");
  EXPECT_EQ(end(first), "done");
  EXPECT_EQ(end(second), "waits");
  EXPECT_EQ(get(3), "");
  EXPECT_EQ(end(second), "done");
  EXPECT_EQ(sink->stats().handed_out, 3);
  EXPECT_EQ(sink->stats().polls, 3);
  EXPECT_EQ(sink->stats().unconfirmed, 0U);
}

TEST_F(PullSinkTest, P3_an_offset_never_ends_what_was_not_handed_out) {
  Handing& first = come(1);
  Handing& second = come(2);
  EXPECT_EQ(get(0, 1), "1:1");
  EXPECT_EQ(get(50, 1), "1:1");
  EXPECT_EQ(end(second), "waits");
  EXPECT_EQ(get(2, 1), "2:2");
  EXPECT_EQ(end(first), "done");
  EXPECT_EQ(end(second), "waits");
}

TEST_F(PullSinkTest, a_poll_waits_for_the_first_update_and_a_moment_for_those_that_come_with_it) {
  Fetch& fetch = poll(request(0, 30s));
  EXPECT_EQ(sink->stats().pollers, 1U);
  pass(10s);
  come(1);
  EXPECT_EQ(text(fetch), "waits");
  pass(1ms);
  come(2);
  pass(1ms);
  EXPECT_EQ(text(fetch), "1:1 2:2");
  EXPECT_EQ(sink->stats().pollers, 0U);
}

TEST_F(PullSinkTest, a_poll_that_can_be_answered_in_full_does_not_wait_for_more) {
  Fetch& fetch = poll(request(0, 30s, 2));
  come(1, 2);
  EXPECT_EQ(text(fetch), "1:1 2:2");
}

TEST_F(PullSinkTest, a_poll_that_confirmed_something_waits_a_moment_for_what_that_set_free) {
  come(1, 2);
  EXPECT_EQ(get(0, 1), "1:1");
  Fetch& fetch = poll(request(2, 30s));
  EXPECT_EQ(text(fetch), "waits");
  come(3);
  pass(2ms);
  EXPECT_EQ(text(fetch), "2:2 3:3");
}

TEST_F(PullSinkTest, a_poll_without_updates_ends_empty_after_its_wait) {
  Fetch& fetch = poll(request(0, 30s));
  pass(30s - 1ms);
  EXPECT_EQ(text(fetch), "waits");
  pass(1ms);
  EXPECT_EQ(text(fetch), "");
  EXPECT_FALSE(fetch.result->restarted);
}

TEST_F(PullSinkTest, a_second_poller_that_waits_replaces_the_first_and_gets_what_comes) {
  Fetch& first = poll(request(0, 30s));
  EXPECT_EQ(get(0), "") << "one that does not wait disturbs nobody";
  EXPECT_EQ(text(first), "waits");
  Fetch& second = poll(request(0, 30s));
  EXPECT_EQ(text(first), "replaced");
  come(1);
  pass(2ms);
  EXPECT_EQ(text(second), "1:1");
}

TEST_F(PullSinkTest, P3_two_pollers_at_the_same_moment_do_not_both_get_what_comes) {
  Fetch& first = poll(request(0, 30s));
  come(1);
  EXPECT_EQ(get(0), "1:1");
  pass(2ms);
  EXPECT_EQ(text(first), "replaced");
}

TEST_F(PullSinkTest, P3_numbers_are_in_the_book_before_they_leave) {
  come(1);
  book.hold = true;
  Fetch& fetch = poll(request(0, 30s));
  pass(1h);
  EXPECT_EQ(text(fetch), "waits");
  EXPECT_TRUE(shelf.handouts.empty());
  book.hold = false;
  book.free.notify();
  pass(0s);
  EXPECT_EQ(text(fetch), "1:1");
  ASSERT_EQ(shelf.handouts.size(), 1U);
  EXPECT_EQ(shelf.handouts.begin()->second.seq, Seq(1));
  EXPECT_EQ(shelf.handouts.begin()->second.id, PullId(1));
}

TEST_F(PullSinkTest, P3_a_number_is_noted_once_and_again_only_when_that_failed) {
  come(1, 2);
  get(0);
  get(2);
  EXPECT_EQ(book.notes, 1);
  come(3);
  book.fail = true;
  EXPECT_EQ(get(2), "failed");
  EXPECT_EQ(get(2), "failed");
  book.fail = false;
  EXPECT_EQ(get(4), "2:2 3:3") << "the third was never handed out: not confirmed";
  EXPECT_EQ(shelf.handouts.size(), 3U);
  EXPECT_EQ(end(handings[2]), "waits");
}

TEST_F(PullSinkTest, P3_a_poller_that_hangs_up_loses_nothing) {
  Fetch& waiting = poll(request(0, 30s));
  waiting.cancel.emit(asio::cancellation_type::terminal);
  pass(0s);
  EXPECT_TRUE(waiting.aborted());
  Fetch& gathering = poll(request(0, 30s));
  come(1);
  gathering.cancel.emit(asio::cancellation_type::terminal);
  pass(0s);
  EXPECT_TRUE(gathering.aborted());
  book.hold = true;
  Fetch& noting = poll(request(0, 30s));
  noting.cancel.emit(asio::cancellation_type::terminal);
  Fetch& next = poll(request(0, 30s));
  EXPECT_EQ(text(next), "waits") << "for the book";
  book.hold = false;
  book.free.notify();
  pass(2ms);
  EXPECT_EQ(text(next), "1:1");
  EXPECT_EQ(book.notes, 1);
  EXPECT_EQ(sink->stats().pollers, 0U);
}

TEST_F(PullSinkTest, a_book_that_cannot_be_read_hands_out_nothing_until_it_can) {
  book.fail = true;
  come(1);
  EXPECT_EQ(get(0), "failed");
  ASSERT_FALSE(logged.empty());
  EXPECT_EQ(logged.front(), "handouts_unread");
  book.fail = false;
  EXPECT_EQ(get(0), "1:1");
}

TEST_F(PullSinkTest, without_a_book_numbers_start_at_1_and_last_for_this_life) {
  sink = sink::make_pull_sink(io.get_executor(), clock, nullptr, options, Log(note));
  Handing& first = come(5);
  EXPECT_EQ(get(0), "1:5");
  EXPECT_EQ(get(2), "");
  EXPECT_EQ(end(first), "done");
}

TEST_F(PullSinkTest, P3_a_bot_that_starts_anew_gets_everything_again_and_that_is_told_once) {
  come(1, 3);
  get(0, 2);
  get(2, 1);
  Fetch& fetch = poll(request(0));
  EXPECT_EQ(text(fetch), "2:2 3:3");
  EXPECT_TRUE(fetch.result->restarted);
  EXPECT_FALSE(poll(request(2)).result->restarted);
  EXPECT_EQ(sink->stats().restarts, 1);
  EXPECT_EQ(logged, (std::vector<std::string>{"bot_started_anew"}));
}

TEST_F(PullSinkTest, a_restart_that_a_cancelled_poll_showed_is_told_to_the_next_one) {
  come(1);
  get(0);
  get(2);
  Fetch& gone = poll(request(0, 30s));
  gone.cancel.emit(asio::cancellation_type::terminal);
  pass(0s);
  EXPECT_TRUE(poll(request(0)).result->restarted);
}

TEST_F(PullSinkTest, P7_an_update_that_ends_the_bot_again_and_again_is_dead_and_spares_its_neighbours) {
  come(1, 3);
  for (int start = 0; start < 3; ++start) get(0);
  EXPECT_EQ(get(2), "2:2") << "alone";
  for (int start = 0; start < 2; ++start) EXPECT_EQ(get(0), "2:2");
  EXPECT_EQ(get(0), "3:3");
  EXPECT_EQ(end(handings[0]), "done");
  EXPECT_EQ(end(handings[1]), "dead crashed");
  EXPECT_EQ(get(4), "");
  EXPECT_EQ(end(handings[2]), "done");
}

TEST_F(PullSinkTest, P3_kinds_whose_answer_came_too_late_before_they_were_handed_out_end_as_expired) {
  Item query = item(1);
  query.kind = "inline_query";
  query.received = clock.wall();
  query.lifetime = 30s;
  Item fresh = query;
  fresh.seq = Seq(2);
  fresh.lifetime = 60s;
  come(query);
  come(fresh);
  come(3);
  pass(30s);
  EXPECT_EQ(get(0), "1:2 2:3");
  EXPECT_EQ(end(handings[0]), "dead expired");
  pass(1h);
  EXPECT_EQ(get(0), "1:2 2:3") << "what the bot has, it may still answer";
}

TEST_F(PullSinkTest, a_poll_goes_on_waiting_when_all_there_was_had_expired) {
  Item query = item(1);
  query.kind = "inline_query";
  query.received = clock.wall() - 1h;
  query.lifetime = 30s;
  Fetch& fetch = poll(request(0, 30s));
  come(query);
  pass(10s);
  EXPECT_EQ(text(fetch), "waits");
  EXPECT_EQ(end(handings[0]), "dead expired");
  come(2);
  pass(2ms);
  EXPECT_EQ(text(fetch), "1:2");
}

TEST_F(PullSinkTest, P8_what_is_dropped_ends_as_drop_pending_also_when_it_comes_later) {
  come(1, 3);
  get(0, 1);
  sink->drop_until(Seq(2));
  pass(0s);
  EXPECT_EQ(end(handings[0]), "dead drop_pending");
  EXPECT_EQ(end(handings[1]), "dead drop_pending");
  EXPECT_EQ(end(come(2)), "dead drop_pending");
  EXPECT_EQ(get(0), "3:3");
}

TEST_F(PullSinkTest, P3_P9_closed_it_gives_back_what_was_not_handed_out_and_goes_on_confirming) {
  come(1, 3);
  get(0, 2);
  Fetch& waiting = poll(request(3, 30s, 1));
  pass(2ms);
  EXPECT_EQ(text(waiting), "3:3");
  Fetch& idle = poll(request(4, 30s));
  come(4, 5);
  sink->close(false);
  pass(0s);
  EXPECT_EQ(text(idle), "closed");
  EXPECT_EQ(end(handings[3]), "postponed");
  EXPECT_EQ(end(come(6)), "postponed");
  EXPECT_EQ(handings.back().result->after, Duration(1s)) << "not at once, again and again";
  EXPECT_EQ(get(4), "closed");
  sink->open();
  come(4);
  EXPECT_EQ(get(4), "4:4");
  sink->close(true);
  pass(0s);
  EXPECT_EQ(end(handings.back()), "postponed");
}

TEST_F(PullSinkTest, P9_a_cancelled_delivery_is_postponed_and_one_in_the_bot_s_hand_can_still_be_confirmed) {
  Handing& waiting = come(1);
  waiting.cancel.emit(asio::cancellation_type::terminal);
  pass(0s);
  EXPECT_EQ(end(waiting), "postponed");
  Handing& held = come(2);
  EXPECT_EQ(get(0), "1:2");
  held.cancel.emit(asio::cancellation_type::terminal);
  pass(0s);
  EXPECT_EQ(end(held), "aborted");
  EXPECT_EQ(get(2), "");
  EXPECT_EQ(end(come(2)), "done") << "the bot has said so in the meantime";
}

TEST_F(PullSinkTest, P4_a_confirmation_and_a_cancellation_at_the_same_moment_is_a_confirmation) {
  Handing& handing = come(1);
  get(0);
  asio::co_spawn(io, sink->pull(request(2)), [](std::exception_ptr, sink::PullAnswer) {});
  while (sink->stats().unconfirmed > 0) io.run_one();
  handing.cancel.emit(asio::cancellation_type::terminal);
  pass(0s);
  EXPECT_EQ(end(handing), "done");
}

TEST_F(PullSinkTest, P3_after_our_restart_an_offset_confirms_what_the_life_before_had_handed_out) {
  come(1, 4);
  EXPECT_EQ(get(0, 3), "1:1 2:2 3:3");
  restart_tgkeep();
  Handing& early = come(1);
  EXPECT_EQ(get(3), "");
  EXPECT_EQ(end(early), "done");
  EXPECT_EQ(end(come(2)), "done");
  Handing& third = come(3);
  come(4);
  EXPECT_EQ(get(3), "1004:3 1005:4") << "not confirmed: a new number, above all the bot has seen";
  EXPECT_EQ(end(third), "waits");
  EXPECT_EQ(get(1006), "");
  EXPECT_EQ(end(third), "done");
}

TEST_F(PullSinkTest, P3_after_a_restart_of_both_everything_unconfirmed_comes_again) {
  come(1, 2);
  get(0);
  restart_tgkeep();
  come(1, 2);
  Fetch& fetch = poll(request(0));
  EXPECT_EQ(text(fetch), "1003:1 1004:2");
  EXPECT_TRUE(fetch.result->restarted);
}

TEST_F(PullSinkTest, P3_a_number_that_was_forgotten_is_not_confirmed_in_a_later_life) {
  come(1, 2);
  EXPECT_EQ(get(0), "1:1 2:2");
  restart_tgkeep();
  come(3);
  EXPECT_EQ(get(0), "1003:3") << "the bot has lost 1 and 2, which are not back in line yet";
  restart_tgkeep();
  come(1, 3);
  EXPECT_EQ(get(1004), "2006:1 2007:2");
  EXPECT_EQ(end(handings[3]), "waits");
}

TEST_F(PullSinkTest, P3_what_goes_back_when_a_webhook_is_set_is_not_confirmed_in_a_later_life) {
  come(1);
  EXPECT_EQ(get(0), "1:1");
  sink->close(true);
  pass(0s);
  EXPECT_EQ(end(handings[0]), "postponed");
  ASSERT_EQ(shelf.handouts.size(), 2U) << "the number no longer counts, and that was noted first";
  EXPECT_EQ(shelf.handouts.rbegin()->second.at, WallTime());
  restart_tgkeep();
  Handing& again = come(1);
  EXPECT_EQ(get(2), "1003:1");
  EXPECT_EQ(end(again), "waits");
}

TEST_F(PullSinkTest, an_answer_is_cut_at_4_MiB_of_updates) {
  for (std::int64_t seq = 1; seq <= 5; ++seq) come(item(seq, 1U << 20));
  come(item(6, 5U << 20));
  EXPECT_EQ(get(0), "1:1 2:2 3:3 4:4");
  EXPECT_EQ(get(5), "5:5");
  EXPECT_EQ(get(6), "6:6");
}

}  // namespace
}  // namespace tgkeep::test
