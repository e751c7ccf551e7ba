// What the SQLite store makes of its files after a crash, and how it finds what is no longer in memory.
#include "store_under_test.hpp"

namespace tgkeep::store {
namespace {

using Kind = Settlement::Kind;

class SqliteRecovery : public testing::Test {
 protected:
  SqliteRecovery() : t(Backend::sqlite) {}
  StoreUnderTest t;
  TempFolder other;
};

TEST_F(SqliteRecovery, P3_after_a_crash_everything_acknowledged_is_handed_over_again) {
  std::vector<Update> updates;
  for (std::int64_t id = 1; id <= 500; ++id) updates.push_back(make_update(id));
  t.put(std::move(updates));
  t.begin(seqs_of(t.lease()));
  t.copy_files_to(other.path());
  t.close();
  t.store = t.open(SqliteOptions(other.path())).value();
  const auto heads = t.lease();
  EXPECT_EQ(heads.size(), 500U);
  for (const Head& head : heads) EXPECT_EQ(head.crashes, 1U);
  EXPECT_EQ(t.counts().in_flight, 0);
  t.expect_balance();
  t.close();
}

TEST_F(SqliteRecovery, P2_duplicates_are_known_after_a_restart) {
  const Seq seq = t.put(make_update(1));
  t.reopen();
  std::vector<Update> updates;
  updates.push_back(make_update(1));
  const auto put = t.put(std::move(updates));
  EXPECT_TRUE(put[0].duplicate);
  EXPECT_EQ(put[0].seq, seq);
}

TEST_F(SqliteRecovery, P7_crashes_are_counted_apart_and_survived_forgets_them) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  t.reopen();
  EXPECT_EQ(t.lease()[0].crashes, 1U);
  EXPECT_EQ(t.lease()[0].attempts, 0U);
  const Item item = t.begin_one(seq);
  EXPECT_EQ(item.crashes, 1U);
  EXPECT_EQ(item.attempt, 1U);
  t.settle(settlement(seq, Kind::release));
  t.reopen();
  EXPECT_EQ(t.lease()[0].crashes, 1U) << "a drain counts nothing";
  t.begin_one(seq);
  Settlement retry = settlement(seq, Kind::retry);
  retry.survived = true;
  t.settle(std::move(retry));
  t.reopen();
  EXPECT_EQ(t.lease()[0].crashes, 0U);
  EXPECT_EQ(t.lease()[0].attempts, 1U);
  t.expect_balance();
}

TEST_F(SqliteRecovery, P7_a_crash_beside_a_suspect_is_the_suspects_alone) {
  const Seq neighbour = t.put(make_update(1, {"chat:1"}));
  const Seq suspect = t.put(make_update(2, {"chat:2"}));
  const Seq behind = t.put(make_update(3, {"chat:2"}));
  t.begin_one(neighbour);
  t.begin_one(suspect, Queue::inbox, Mark::solo);
  t.reopen();
  const auto heads = t.lease();
  ASSERT_EQ(heads.size(), 2U);
  EXPECT_EQ(heads[0].seq, neighbour);
  EXPECT_EQ(heads[0].crashes, 0U);
  const auto letters = t.dead_letters();
  ASSERT_EQ(letters.size(), 1U);
  EXPECT_EQ(letters[0].seq, suspect);
  EXPECT_EQ(letters[0].reason, "crashed");
  EXPECT_EQ(letters[0].crashes, 1U);
  EXPECT_TRUE(t.begin_one(behind).order_gap);
  t.expect_balance();
}

TEST_F(SqliteRecovery, P7_a_renewed_suspect_is_one_among_others) {
  const Seq neighbour = t.put(make_update(1));
  const Seq suspect = t.put(make_update(2));
  t.begin_one(suspect, Queue::inbox, Mark::solo);
  t.renew({suspect});
  t.begin_one(neighbour);
  t.reopen();
  const auto heads = t.lease();
  ASSERT_EQ(heads.size(), 2U);
  EXPECT_EQ(heads[0].crashes, 1U);
  EXPECT_EQ(heads[1].crashes, 1U);
  EXPECT_TRUE(t.dead_letters().empty());
}

TEST_F(SqliteRecovery, P12_calls_in_flight_at_a_crash_are_in_doubt) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  Settlement done = settlement(seq, Kind::done);
  done.calls.emplace_back("sendMessage", R"({"chat_id":5})");
  done.calls.emplace_back("sendGift", R"({"chat_id":5})");
  done.calls.emplace_back("sendChatAction", R"({"chat_id":5})", DoubtPolicy::skip);
  done.calls.emplace_back("sendMessage", R"({"chat_id":6})");
  done.state.emplace_back("s", "k", "v");
  t.settle(std::move(done));
  const auto calls = t.lease(Queue::outbox);
  ASSERT_EQ(calls.size(), 4U);
  t.begin({calls[0].seq, calls[1].seq, calls[2].seq}, Queue::outbox);
  t.reopen();
  const QueueCounts counts = t.counts(Queue::outbox);
  EXPECT_EQ(counts.in_doubt, 3);
  EXPECT_EQ(counts.held, 1);
  EXPECT_EQ(counts.dead.at("skipped"), 1);
  EXPECT_EQ(seqs_of(t.lease(Queue::outbox)), (std::vector<Seq>{calls[0].seq, calls[3].seq}));
  EXPECT_EQ(t.state("s", "k"), "v");
  t.expect_balance();
}

TEST_F(SqliteRecovery, P4_a_settlement_from_before_a_reopening_is_refused) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  t.reopen();
  EXPECT_FALSE(t.settle(settlement(seq, Kind::done)));
  EXPECT_EQ(t.heads().size(), 1U);
}

TEST_F(SqliteRecovery, P2_a_seq_is_never_used_again) {
  const Seq first = t.put(make_update(1));
  t.begin_one(first);
  t.settle(settlement(first, Kind::done));
  t.reopen();
  EXPECT_GT(t.put(make_update(2)), first);
}

TEST_F(SqliteRecovery, P11_a_backlog_is_leased_in_pages_and_by_key_after_a_restart) {
  for (int batch = 0; batch < 30; ++batch) {
    std::vector<Update> updates;
    for (int i = 0; i < 300; ++i)
      updates.push_back(make_update(batch * 300 + i, {"chat:" + std::to_string(i)}));
    t.put(std::move(updates));
  }
  t.reopen();
  Seq after;
  std::size_t found = 0;
  while (found < 9000) {
    const auto heads = t.lease(Queue::inbox, after, 1000);
    EXPECT_EQ(heads.size(), 1000U);
    found += heads.size();
    after = heads.back().seq;
  }
  EXPECT_EQ(t.lease_key("chat:17").size(), 30U);
}

TEST_F(SqliteRecovery, what_nobody_leased_in_time_is_found_in_the_database) {
  for (int batch = 0; batch < 40; ++batch) {  // more than the heads kept in memory
    std::vector<Update> updates;
    for (int i = 0; i < 300; ++i) updates.push_back(make_update(batch * 300 + i));
    t.put(std::move(updates));
  }
  Seq after;
  std::size_t found = 0;
  while (found < 12000) {
    for (const Head& head : t.lease(Queue::inbox, after, 700)) {
      EXPECT_GT(head.seq, after);
      after = head.seq;
      ++found;
    }
  }
}

}  // namespace
}  // namespace tgkeep::store
