// The book of handouts, of either store: the same numbers after whatever happens.
#include <map>
#include <set>

#include "browser_test.hpp"
#include "handout_words.hpp"
#include "support/random.hpp"

namespace tgkeep::store {
namespace {

using Kind = Settlement::Kind;
using std::chrono::seconds;

class HandoutContract : public testing::TestWithParam<Backend> {
 protected:
  HandoutContract() : t(GetParam()) {}
  BrowserUnderTest t;
  HandoutWords book{t};
};

TEST_P(HandoutContract, a_new_store_has_handed_out_nothing) {
  EXPECT_EQ(book.last(), 0);
  EXPECT_TRUE(book.open().empty());
  EXPECT_TRUE(book.done_since(WallTime()).empty());
  EXPECT_EQ(book.find(1), std::nullopt);
  EXPECT_TRUE(book.of(Seq(1)).empty());
}

TEST_P(HandoutContract, P3_what_is_noted_is_known_by_number_and_by_item_also_after_a_restart) {
  const Seq first = t.put(make_update(1));
  const Seq second = t.put(make_update(2));
  const WallTime at = t.clock.wall();
  book.note({{1, first}, {2, second}});
  t.clock.advance(seconds(5));
  book.note({{1001, first}});
  for (int life = 0; life < 2; ++life) {
    EXPECT_EQ(book.last(), 1001);
    const auto two = book.find(2);
    ASSERT_TRUE(two);
    EXPECT_EQ(two->seq, second);
    EXPECT_EQ(two->at, at);
    EXPECT_EQ(book.find(3), std::nullopt);
    EXPECT_EQ(ids_of(book.of(first)), (std::vector<std::int64_t>{1, 1001}));
    EXPECT_EQ(book.of(first)[1].at, at + seconds(5));
    t.reopen();
  }
}

TEST_P(HandoutContract, P3_open_are_those_whose_item_is_not_settled_and_of_several_the_last) {
  std::vector<Seq> seqs;
  for (std::int64_t id = 1; id <= 5; ++id)
    seqs.push_back(t.put(make_update(id, {"chat:" + std::to_string(id)})));
  t.begin(seqs);
  book.note({{1, seqs[0]}, {2, seqs[1]}, {3, seqs[2]}, {4, seqs[3]}});
  book.note({{10, seqs[0]}});
  EXPECT_EQ(ids_of(book.open()), (std::vector<std::int64_t>{2, 3, 4, 10}));
  t.settle(settlement(seqs[1], Kind::done));
  t.settle(dead_settlement(seqs[2], "attempts"));
  t.settle(settlement(seqs[3], Kind::retry));
  EXPECT_EQ(ids_of(book.open()), (std::vector<std::int64_t>{4, 10})) << "one that failed waits";
  t.reopen();
  EXPECT_EQ(ids_of(book.open()), (std::vector<std::int64_t>{4, 10}));
}

TEST_P(HandoutContract, P5_a_new_run_of_an_item_has_no_number_yet) {
  const Seq seq = t.die(1);
  book.note({{1, seq}});
  const Seq again = t.retry(seq).value();
  EXPECT_TRUE(book.open().empty());
  EXPECT_TRUE(book.of(again).empty());
  EXPECT_EQ(ids_of(book.of(seq)), std::vector<std::int64_t>{1});
}

TEST_P(HandoutContract, P3_done_since_are_those_handed_out_then_or_later_that_are_done) {
  std::vector<Seq> seqs;
  for (std::int64_t id = 1; id <= 6; ++id)
    seqs.push_back(t.put(make_update(id, {"chat:" + std::to_string(id)})));
  t.begin(seqs);
  book.note({{1, seqs[0]}});
  t.clock.advance(seconds(10));
  const WallTime from = t.clock.wall();
  book.note({{2, seqs[1]}, {3, seqs[2]}, {4, seqs[3]}, {5, seqs[4]}});
  for (const std::size_t i : {0U, 4U, 1U, 3U}) t.settle(settlement(seqs[i], Kind::done));
  t.settle(dead_settlement(seqs[2], "attempts"));
  EXPECT_EQ(ids_of(book.done_since(from)), (std::vector<std::int64_t>{2, 4, 5}));
  EXPECT_EQ(ids_of(book.done_since(from, 2)), (std::vector<std::int64_t>{4, 5}));
  EXPECT_EQ(ids_of(book.done_since(from, 0)), std::vector<std::int64_t>{});
  EXPECT_EQ(ids_of(book.done_since(WallTime())), (std::vector<std::int64_t>{1, 2, 4, 5}));
  EXPECT_EQ(ids_of(book.done_since(from + seconds(1))), std::vector<std::int64_t>{});
}

TEST_P(HandoutContract, P2_a_number_is_never_given_twice_and_a_batch_that_would_is_refused_whole) {
  const Seq seq = t.put(make_update(1));
  book.note({{5, seq}});
  for (const auto& wrong : std::vector<std::vector<NumberOf>>{
           {{5, seq}}, {{4, seq}}, {{6, seq}, {6, seq}}, {{8, seq}, {7, seq}}, {{0, seq}}}) {
    const Result<void> refused = book.try_note(wrong);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), Errc::misuse);
  }
  EXPECT_EQ(book.last(), 5);
  EXPECT_EQ(ids_of(book.of(seq)), std::vector<std::int64_t>{5});
  book.note({});
  book.note({{6, seq}});
  EXPECT_EQ(book.last(), 6);
}

TEST_P(HandoutContract, P11_old_numbers_of_settled_items_go_and_those_of_the_others_stay) {
  std::vector<Update> updates;
  for (std::int64_t id = 1; id <= 50; ++id)
    updates.push_back(make_update(id, {"chat:" + std::to_string(id)}));
  std::vector<Seq> seqs;
  for (const PutResult& put : t.put(std::move(updates))) seqs.push_back(put.seq);
  t.begin(seqs);
  std::int64_t number = 0;
  std::vector<NumberOf> numbers;
  for (const Seq seq : seqs) numbers.emplace_back(++number, seq);
  book.note(numbers);
  const auto settle_every_other = [&](std::size_t from) {
    std::vector<Settlement> done;
    for (std::size_t i = from; i < seqs.size(); i += 2) done.push_back(settlement(seqs[i], Kind::done));
    t.settle(std::move(done));
  };
  settle_every_other(0);
  const Seq last = t.put(make_update(51));
  book.note({{100'024, last}});
  book.note({{100'025, last}});
  EXPECT_EQ(ids_of(book.done_since(WallTime())).size(), 13U) << "25 and later are among the last 100,000";
  EXPECT_EQ(book.open().size(), 26U);
  EXPECT_EQ(book.find(1), std::nullopt);
  EXPECT_TRUE(book.find(2)) << "it waits";
  EXPECT_TRUE(book.find(25));
  EXPECT_TRUE(book.of(seqs[0]).empty());
  // Those that waited then go when they are settled, too.
  settle_every_other(1);
  book.note({{100'026, last}});
  book.note({{200'200, last}});
  book.note({{200'201, last}});
  book.note({{200'202, last}});
  book.note({{200'203, last}});
  EXPECT_TRUE(book.done_since(WallTime()).empty());
  EXPECT_EQ(ids_of(book.of(last)),
            (std::vector<std::int64_t>{100'024, 100'025, 100'026, 200'200, 200'201, 200'202, 200'203}));
  EXPECT_EQ(book.last(), 200'203);
}

TEST_P(HandoutContract, an_update_is_found_by_what_the_bot_saw_and_its_trace_says_what_that_was) {
  const Seq first = t.put(make_update(1));
  const Seq second = t.put(make_update(2));
  const auto seen = [&](std::int64_t id) { return test::run(t.io, t.browser().seen_as(id)).value(); };
  EXPECT_EQ(seen(1), std::nullopt);
  book.note({{5, first}, {7, first}});
  EXPECT_EQ(seen(5)->seq, first);
  EXPECT_EQ(seen(6), std::nullopt);
  for (const std::int64_t id : {std::int64_t{0}, std::int64_t{-5}, kShownPullIds, kShownPullIds + 5})
    EXPECT_EQ(seen(id), std::nullopt) << id;
  EXPECT_EQ(ids_of(t.trace(1).at(0).handouts), (std::vector<std::int64_t>{5, 7}));
  EXPECT_TRUE(t.trace(2).at(0).handouts.empty());
  book.note({{kShownPullIds + 5, second}});
  EXPECT_EQ(seen(5)->seq, second) << "the last one that was shown so";
  EXPECT_EQ(seen(5)->id, PullId(kShownPullIds + 5));
}

TEST_P(HandoutContract, P3_random_lives_agree_with_plain_lists) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  std::map<std::int64_t, Seq> numbers;
  std::map<Seq, Kind> settled;
  std::vector<Seq> seqs;
  std::int64_t last = 0;
  std::int64_t update = 0;
  for (int step = 0; step < 100; ++step) {
    const auto roll = random.between(0, 9);
    if (roll < 3 || seqs.empty()) {
      seqs.push_back(t.put(make_update(++update, {})));
      continue;
    }
    const Seq seq = seqs[static_cast<std::size_t>(random.between(0, static_cast<int>(seqs.size()) - 1))];
    if (roll < 7) {
      if (settled.contains(seq)) continue;
      last += random.between(1, 3);
      numbers[last] = seq;
      book.note({{last, seq}});
    } else if (roll < 9) {
      if (settled.contains(seq)) continue;
      const Kind kind = random.chance(0.7) ? Kind::done : Kind::dead;
      t.begin_one(seq);
      t.settle(settlement(seq, kind));
      settled[seq] = kind;
    } else {
      t.reopen();
    }
    if (step % 10 != 0) continue;
    std::map<Seq, std::int64_t> latest;
    for (const auto& [id, of] : numbers) latest[of] = id;
    std::set<std::int64_t> open;
    std::vector<std::int64_t> done;
    for (const auto& [of, id] : latest) {
      if (!settled.contains(of)) open.insert(id);
    }
    for (const auto& [id, of] : numbers) {
      if (settled.contains(of) && settled[of] == Kind::done) done.push_back(id);
    }
    EXPECT_EQ(book.last(), last);
    EXPECT_EQ(ids_of(book.open()), (std::vector<std::int64_t>(open.begin(), open.end())));
    EXPECT_EQ(ids_of(book.done_since(WallTime())), done);
  }
}

TEST(ShownNumbers, stay_within_31_bits_and_start_again_at_1) {
  EXPECT_EQ(shown(PullId(1)), 1);
  EXPECT_EQ(shown(PullId(1'999'999'999)), 1'999'999'999);
  EXPECT_EQ(shown(PullId(2'000'000'000)), 1);
  EXPECT_EQ(shown(PullId(4'000'000'000)), 2);
}

INSTANTIATE_TEST_SUITE_P(Stores, HandoutContract, testing::Values(Backend::memory, Backend::sqlite),
                         [](const auto& backend) {
                           return backend.param == Backend::memory ? "memory" : "sqlite";
                         });

}  // namespace
}  // namespace tgkeep::store
