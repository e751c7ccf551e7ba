#include "rooms/sink/pull_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

/// Numbers that are in the book before their updates are handed out.
class PullAheadTest : public PullBench {};

TEST_F(PullAheadTest, P3_a_bot_that_takes_updates_fast_finds_their_numbers_noted) {
  come(1, 12);
  EXPECT_EQ(get(0, 3), "1:1 2:2 3:3");
  EXPECT_EQ(shelf.handouts.size(), 3U);
  EXPECT_EQ(get(4, 3), "4:4 5:5 6:6");
  EXPECT_EQ(shelf.handouts.size(), 9U) << "as many again as it took just before";
  EXPECT_EQ(book.notes, 2);
  book.hold = true;
  EXPECT_EQ(get(7, 3), "7:7 8:8 9:9") << "without a look at the book";
  EXPECT_EQ(end(handings[5]), "done");
  EXPECT_EQ(end(handings[6]), "waits");
  book.hold = false;
  EXPECT_EQ(get(10, 3), "10:10 11:11 12:12");
  EXPECT_EQ(book.notes, 3);
}

TEST_F(PullAheadTest, a_bot_that_takes_updates_slowly_gets_no_numbers_ahead) {
  come(1, 12);
  get(0, 3);
  for (std::int64_t offset = 4; offset <= 10; offset += 3) {
    pass(100ms);
    get(offset, 3);
    EXPECT_EQ(shelf.handouts.size(), static_cast<std::size_t>(offset + 2));
  }
}

TEST_F(PullAheadTest, none_is_noted_ahead_when_the_time_of_handing_out_must_be_exact) {
  options.ahead = 0;
  restart_tgkeep();
  come(1, 9);
  get(0, 3);
  get(4, 3);
  EXPECT_EQ(shelf.handouts.size(), 6U);
}

TEST_F(PullAheadTest, the_book_s_time_is_right_to_100_ms_while_the_bot_goes_on) {
  come(1, 300);
  const WallTime start = clock.wall();
  std::int64_t offset = 0;
  for (int poll = 0; poll < 60; ++poll) {
    Fetch& fetch = this->poll(request(offset, Duration::zero(), 5));
    ASSERT_TRUE(fetch.result);
    for (const sink::PulledUpdate& update : fetch.result->updates) {
      const WallTime at = shelf.handouts.at(update.id).at;
      EXPECT_LE(at, clock.wall());
      EXPECT_LE(clock.wall() - at, 100ms) << update.id.value();
      offset = update.id.value() + 1;
    }
    pass(10ms);
  }
  EXPECT_EQ(offset, 301) << "in " << (clock.wall() - start).count() << " ms";
  EXPECT_LT(book.notes, 15);
}

TEST_F(PullAheadTest, P3_what_was_only_noted_when_tgkeep_dies_is_not_done_and_gets_a_new_number) {
  come(1, 9);
  get(0, 3);
  EXPECT_EQ(get(4, 3), "4:4 5:5 6:6");
  ASSERT_EQ(shelf.handouts.size(), 9U);
  restart_tgkeep();
  come(1, 9);
  EXPECT_EQ(get(7), "1010:7 1011:8 1012:9");
  EXPECT_EQ(end(handings[14]), "done");
  EXPECT_EQ(end(handings[15]), "waits");
}

TEST_F(PullAheadTest, P3_what_leaves_before_its_turn_is_not_done_by_a_higher_offset_in_our_next_life) {
  come(1, 9);
  get(0, 3);
  get(4, 3);
  handings[6].cancel.emit(asio::cancellation_type::terminal);
  pass(0s);
  EXPECT_EQ(end(handings[6]), "postponed");
  EXPECT_EQ(get(7, 1), "8:8");
  EXPECT_EQ(shelf.handouts.rbegin()->second.seq, Seq(7))
      << "has no number any more, and that was noted first";
  restart_tgkeep();
  Handing& seventh = come(7);
  Handing& eighth = come(8);
  EXPECT_EQ(get(9), "1011:7");
  EXPECT_EQ(end(seventh), "waits");
  EXPECT_EQ(end(eighth), "done");
}

TEST_F(PullAheadTest, P3_what_leaves_while_the_book_is_written_is_not_done_in_our_next_life_either) {
  come(1, 3);
  book.hold = true;
  Fetch& fetch = poll(request(0));
  handings[0].cancel.emit(asio::cancellation_type::terminal);
  pass(0s);
  book.hold = false;
  book.free.notify();
  pass(0s);
  EXPECT_EQ(text(fetch), "2:2 3:3");
  restart_tgkeep();
  come(1, 3);
  EXPECT_EQ(get(4), "1005:1");
}

TEST_F(PullAheadTest, P3_what_expires_with_its_number_noted_ahead_ends_as_expired) {
  Item query = item(5);
  query.kind = "inline_query";
  query.received = clock.wall();
  query.lifetime = 30s;
  come(1, 4);
  come(query);
  come(6);
  get(0, 2);
  EXPECT_EQ(get(3, 1), "3:3");
  ASSERT_EQ(shelf.handouts.rbegin()->second.seq, Seq(5));
  pass(30s);
  EXPECT_EQ(get(4), "4:4 6:6");
  EXPECT_EQ(end(handings[4]), "dead expired");
}

TEST_F(PullAheadTest, P7_a_suspect_goes_out_alone_also_when_it_became_one_while_the_book_was_written) {
  come(1, 2);
  get(0);
  get(0);
  EXPECT_EQ(get(2), "2:2");
  come(3);
  book.hold = true;
  Fetch& before = poll(request(2));
  Fetch& after = poll(request(0));
  book.hold = false;
  book.free.notify();
  pass(0s);
  EXPECT_EQ(text(before), "2:2") << "in hand at two starts";
  EXPECT_EQ(text(after), "2:2");
  EXPECT_EQ(get(3), "3:3");
}

}  // namespace
}  // namespace tgkeep::test
