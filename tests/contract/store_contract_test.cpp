// What every store must do. The names carry the promise (docs: the delivery contract) that they prove.
#include "store_under_test.hpp"

namespace tgkeep::store {
namespace {

using Kind = Settlement::Kind;
using std::chrono::hours;
using std::chrono::seconds;

INSTANTIATE_TEST_SUITE_P(Stores, StoreContract, testing::Values(Backend::memory, Backend::sqlite),
                         [](const auto& info) {
                           return info.param == Backend::memory ? "memory" : "sqlite";
                         });

TEST_P(StoreContract, P3_what_is_put_is_leased_in_put_order_and_begun_with_its_bytes) {
  const auto put = t.put(updates_of({5, 3, 9}));
  ASSERT_EQ(put.size(), 3U);
  const auto heads = t.lease();
  EXPECT_EQ(seqs_of(heads), (std::vector<Seq>{put[0].seq, put[1].seq, put[2].seq}));
  EXPECT_EQ(heads[0].keys, std::vector<KeyHash>{hash_of("chat:1")});
  const auto items = t.begin({put[2].seq, put[0].seq});
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].seq, put[2].seq);
  EXPECT_EQ(items[0].update_id, UpdateId(9));
  EXPECT_EQ(items[0].body, make_update(9).raw);
  EXPECT_EQ(items[0].kind, "message");
  EXPECT_EQ(items[0].keys, std::vector<std::string>{"chat:1"});
  EXPECT_EQ(items[0].received, make_update(9).received);
  EXPECT_EQ(items[0].attempt, 1U);
  EXPECT_EQ(items[0].epoch, t.store->epoch());
  EXPECT_EQ(items[1].update_id, UpdateId(5));
}

TEST_P(StoreContract, P2_a_second_copy_is_a_duplicate_of_the_first_one) {
  const auto first = t.put(updates_of({1, 2, 1}));
  EXPECT_FALSE(first[0].duplicate);
  EXPECT_TRUE(first[2].duplicate);
  EXPECT_EQ(first[2].seq, first[0].seq);
  const auto again = t.put(updates_of({2, 3}));
  EXPECT_TRUE(again[0].duplicate);
  EXPECT_FALSE(again[1].duplicate);
  EXPECT_EQ(t.heads().size(), 3U);
  EXPECT_EQ(t.counts().stored, 3);
  EXPECT_EQ(t.counts().duplicates, 2);
  t.expect_balance();
}

TEST_P(StoreContract, P2_a_copy_of_a_settled_update_is_a_duplicate_without_a_seq) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  t.settle(settlement(seq, Kind::done));
  const auto again = t.put(updates_of({1}));
  EXPECT_TRUE(again[0].duplicate);
  EXPECT_EQ(again[0].seq, Seq());
  EXPECT_EQ(t.counts().stored, 1);
}

TEST_P(StoreContract, P2_another_bot_may_have_the_same_update_id) {
  t.put(make_update(1));
  std::vector<Update> other;
  other.push_back(make_update(1, {"chat:1"}, 8));
  EXPECT_FALSE(t.put(std::move(other))[0].duplicate);
}

TEST_P(StoreContract, P2_an_id_is_remembered_two_days_and_may_come_again_after_the_window) {
  t.put(make_update(1));
  t.clock.advance(hours(48));
  EXPECT_TRUE(t.put(updates_of({1}))[0].duplicate);
  t.clock.advance(hours(25));
  EXPECT_FALSE(t.put(updates_of({1}))[0].duplicate);
  t.expect_balance();
}

TEST_P(StoreContract, P2_ids_that_jump_down_are_no_duplicates) {
  t.put(make_update(1000));
  EXPECT_FALSE(t.put(updates_of({10}))[0].duplicate);
}

TEST_P(StoreContract, P8_an_unreadable_update_is_a_dead_letter_at_once) {
  Update update = make_update(-5, {});
  update.unreadable = "byte 3: no value";
  update.kind = "";
  update.raw = std::string("{\0\xff", 3);
  const Seq seq = t.put(std::move(update));
  EXPECT_TRUE(t.heads().empty());
  const auto letters = t.dead_letters();
  ASSERT_EQ(letters.size(), 1U);
  EXPECT_EQ(letters[0].seq, seq);
  EXPECT_EQ(letters[0].reason, "unreadable");
  EXPECT_EQ(letters[0].error, "byte 3: no value");
  EXPECT_EQ(letters[0].body, std::string("{\0\xff", 3));
  EXPECT_EQ(t.counts().dead.at("unreadable"), 1);
  t.expect_balance();
}

TEST_P(StoreContract, P4_done_is_final_and_only_what_is_in_flight_can_be_settled) {
  const Seq seq = t.put(make_update(1));
  EXPECT_FALSE(t.settle(settlement(seq, Kind::done))) << "not in flight yet";
  t.begin_one(seq);
  std::vector<Settlement> twice;
  twice.push_back(settlement(seq, Kind::done));
  twice.push_back(settlement(seq, Kind::done));
  twice.push_back(settlement(Seq(77), Kind::done));
  EXPECT_EQ(t.settle(std::move(twice)), (std::vector<bool>{true, false, false}));
  EXPECT_TRUE(t.begin({seq}).empty());
  EXPECT_EQ(t.counts().done, 1);
  t.expect_balance();
}

TEST_P(StoreContract, P7_a_retry_counts_the_attempt_and_is_due_later) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  t.clock.advance(seconds(5));
  Settlement retry = settlement(seq, Kind::retry);
  retry.due = t.clock.wall() + seconds(2);
  t.settle(retry);
  const auto heads = t.lease();
  ASSERT_EQ(heads.size(), 1U);
  EXPECT_EQ(heads[0].attempts, 1U);
  EXPECT_EQ(heads[0].due, retry.due);
  EXPECT_EQ(heads[0].first_failed, t.clock.wall());
  EXPECT_EQ(t.counts().retrying, 1);
  const WallTime first_failed = t.clock.wall();
  EXPECT_EQ(t.begin_one(seq).attempt, 2U);
  t.clock.advance(seconds(5));
  t.settle(retry);
  EXPECT_EQ(t.lease()[0].first_failed, first_failed) << "the first failure is kept";
  t.expect_balance();
}

TEST_P(StoreContract, P7_a_release_counts_nothing) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  Settlement release = settlement(seq, Kind::release);
  release.due = t.clock.wall() + seconds(30);
  t.settle(release);
  const auto heads = t.lease();
  EXPECT_EQ(heads[0].attempts, 0U);
  EXPECT_EQ(heads[0].due, release.due);
  EXPECT_FALSE(heads[0].first_failed.has_value());
  EXPECT_EQ(t.counts().pending, 1);
  const Item again = t.begin_one(seq);
  EXPECT_EQ(again.body, make_update(1).raw);
  EXPECT_EQ(again.starts, 1U) << "so that a repeat is marked as one (P5)";
  t.expect_balance();
}

TEST_P(StoreContract, P3_kinds_whose_answer_expires_say_when) {
  Update update = make_update(1);
  update.lifetime = seconds(30);
  update.answer_expires = true;
  const WallTime received = update.received;
  t.put(std::move(update));
  t.put(make_update(2));
  const auto heads = t.lease();
  EXPECT_EQ(heads[0].expires, received + seconds(30));
  EXPECT_FALSE(heads[1].expires.has_value());
  EXPECT_EQ(t.begin_one(heads[0].seq).lifetime, seconds(30));
}

TEST_P(StoreContract, P8_a_dead_letter_keeps_everything_and_its_reason_is_counted) {
  const Seq seq = t.put(make_update(1, {"chat:5", "user:6"}));
  t.begin_one(seq);
  t.clock.advance(seconds(1));
  t.settle(dead_settlement(seq, "attempts"));
  EXPECT_TRUE(t.heads().empty());
  EXPECT_TRUE(t.lease_key("chat:5").empty());
  EXPECT_TRUE(t.lease_key("user:6").empty());
  const auto letters = t.dead_letters();
  ASSERT_EQ(letters.size(), 1U);
  EXPECT_EQ(letters[0].seq, seq);
  EXPECT_EQ(letters[0].update_id, UpdateId(1));
  EXPECT_EQ(letters[0].keys.at(0), "chat:5");
  EXPECT_EQ(letters[0].reason, "attempts");
  EXPECT_EQ(letters[0].error, "it failed");
  EXPECT_EQ(letters[0].body, make_update(1).raw);
  EXPECT_EQ(letters[0].ended, t.clock.wall());
  EXPECT_EQ(t.counts().dead.at("attempts"), 1);
  EXPECT_EQ(t.put(updates_of({1}))[0].seq, seq) << "a copy of a dead letter names it";
  t.expect_balance();
}

TEST_P(StoreContract, P5_a_retried_dead_letter_goes_to_the_tail_as_a_new_run) {
  const auto put = t.put(updates_of({1, 2}));
  t.begin_one(put[0].seq);
  t.settle(dead_settlement(put[0].seq, "attempts"));
  const Seq again = t.retry(put[0].seq).value();
  EXPECT_GT(again, put[1].seq);
  EXPECT_EQ(seqs_of(t.lease_key("chat:1")), (std::vector<Seq>{put[1].seq, again}));
  const Item item = t.begin_one(again);
  EXPECT_EQ(item.run, 1U);
  EXPECT_EQ(item.attempt, 1U);
  EXPECT_EQ(item.body, make_update(1).raw);
  EXPECT_TRUE(item.corrupt.empty()) << item.corrupt;
  EXPECT_EQ(t.counts().stored, 2);
  EXPECT_TRUE(t.counts().dead.empty());
  EXPECT_EQ(t.retry(put[0].seq).error().code(), Errc::not_found);
  EXPECT_EQ(t.put(updates_of({1}))[0].seq, again) << "a copy names the new run";
  t.expect_balance();
}

TEST_P(StoreContract, P6_items_behind_a_dead_letter_carry_order_gap_until_one_is_done) {
  const Seq a = t.put(make_update(1, {"chat:1", "user:1"}));
  const Seq b = t.put(make_update(2, {"chat:1"}));
  const Seq c = t.put(make_update(3, {"chat:1"}));
  const Seq d = t.put(make_update(4, {"user:1"}));
  const Seq e = t.put(make_update(5, {"chat:2"}));
  EXPECT_FALSE(t.begin_one(a).order_gap);
  t.settle(dead_settlement(a, "max_block"));
  EXPECT_TRUE(t.begin_one(b).order_gap);
  EXPECT_TRUE(t.begin_one(d).order_gap) << "further keys too";
  EXPECT_FALSE(t.begin_one(e).order_gap);
  t.settle(settlement(b, Kind::release));
  EXPECT_TRUE(t.begin_one(b).order_gap) << "a release does not close the gap";
  t.settle(settlement(b, Kind::done));
  EXPECT_FALSE(t.begin_one(c).order_gap);
}

TEST_P(StoreContract, P6_an_expired_update_leaves_no_gap) {
  const auto put = t.put(updates_of({1, 2}));
  t.begin_one(put[0].seq);
  t.settle(dead_settlement(put[0].seq, "expired"));
  EXPECT_FALSE(t.begin_one(put[1].seq).order_gap);
}

TEST_P(StoreContract, P8_the_totals_hold_and_the_oldest_is_the_first_not_settled) {
  EXPECT_FALSE(t.counts().oldest.has_value());
  const auto put = t.put(updates_of({1, 2, 3, 4, 5}));
  t.begin({put[0].seq, put[1].seq, put[2].seq});
  t.settle(settlement(put[0].seq, Kind::done));
  t.settle(settlement(put[1].seq, Kind::retry));
  const QueueCounts counts = t.counts();
  EXPECT_EQ(counts.stored, 5);
  EXPECT_EQ(counts.pending, 2);
  EXPECT_EQ(counts.in_flight, 1);
  EXPECT_EQ(counts.retrying, 1);
  EXPECT_EQ(counts.done, 1);
  EXPECT_EQ(counts.oldest, make_update(2).received);
  t.expect_balance();
}

TEST_P(StoreContract, empty_requests_return_at_once) {
  EXPECT_TRUE(t.put(std::vector<Update>()).empty());
  EXPECT_TRUE(t.begin({}).empty());
  EXPECT_TRUE(t.settle(std::vector<Settlement>()).empty());
  EXPECT_TRUE(t.lease(Queue::inbox, Seq(), 0).empty());
}

}  // namespace
}  // namespace tgkeep::store
