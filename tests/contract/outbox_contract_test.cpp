// What every store must do with the calls that a settlement leaves.
#include "store_under_test.hpp"

namespace tgkeep::store {
namespace {

using Kind = Settlement::Kind;
using std::chrono::seconds;

class OutboxContract : public StoreContract {
 protected:
  // One call of each kind of doubt, left by update 1.
  void leave_calls() {
    const Seq seq = t.put(make_update(1));
    t.begin_one(seq);
    Settlement done = settlement(seq, Kind::done);
    done.calls.emplace_back("sendMessage", R"({"chat_id":5,"text":"a"})");
    done.calls.emplace_back("sendGift", R"({"chat_id":"@name","gift_id":"g"})");
    done.calls.emplace_back("setMyName", R"({"name":"n"})", DoubtPolicy::skip);
    ASSERT_TRUE(t.settle(std::move(done)));
    calls = t.lease(Queue::outbox);
    ASSERT_EQ(calls.size(), 3U);
  }
  std::vector<Head> calls;
};

INSTANTIATE_TEST_SUITE_P(Stores, OutboxContract, testing::Values(Backend::memory, Backend::sqlite),
                         [](const auto& info) {
                           return info.param == Backend::memory ? "memory" : "sqlite";
                         });

TEST_P(OutboxContract, P12_calls_and_state_are_committed_with_done) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  Settlement done = settlement(seq, Kind::done);
  done.calls.emplace_back("sendMessage", R"({"chat_id":5,"text":"a"})");
  done.calls.emplace_back("sendMessage", R"({"chat_id":5,"text":"b"})");
  done.state.emplace_back("session", "5", "one");
  ASSERT_TRUE(t.settle(std::move(done)));
  const auto heads = t.lease(Queue::outbox);
  const auto items = t.begin(seqs_of(heads), Queue::outbox);
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].queue, Queue::outbox);
  EXPECT_EQ(items[0].kind, "sendMessage");
  EXPECT_EQ(items[0].body, R"({"chat_id":5,"text":"a"})");
  EXPECT_EQ(items[0].bot, BotId(7));
  EXPECT_EQ(items[0].update_id, UpdateId(1));
  EXPECT_EQ(items[0].call, 0U);
  EXPECT_EQ(items[1].call, 1U);
  EXPECT_EQ(t.state("session", "5"), "one");
  EXPECT_EQ(t.state("session", "6"), std::nullopt);
  EXPECT_EQ(t.state("session", "5", 8), std::nullopt) << "state belongs to the bot";
  t.expect_balance();
}

TEST_P(OutboxContract, P12_only_done_commits_calls_and_state) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  Settlement retry = settlement(seq, Kind::retry);
  retry.calls.emplace_back("sendMessage", R"({"chat_id":5})");
  retry.state.emplace_back("session", "5", "one");
  ASSERT_TRUE(t.settle(std::move(retry)));
  EXPECT_EQ(t.counts(Queue::outbox).stored, 0);
  EXPECT_EQ(t.state("session", "5"), std::nullopt);
}

TEST_P(OutboxContract, P12_a_stale_settlement_commits_nothing) {
  const Seq seq = t.put(make_update(1));
  Settlement done = settlement(seq, Kind::done);
  done.calls.emplace_back("sendMessage", R"({"chat_id":5})");
  done.state.emplace_back("session", "5", "one");
  EXPECT_FALSE(t.settle(std::move(done)));
  EXPECT_EQ(t.counts(Queue::outbox).stored, 0);
  EXPECT_EQ(t.state("session", "5"), std::nullopt);
}

TEST_P(OutboxContract, state_is_overwritten_and_deleted) {
  for (std::int64_t id = 1; id <= 3; ++id) {
    const Seq seq = t.put(make_update(id));
    t.begin_one(seq);
    Settlement done = settlement(seq, Kind::done);
    std::optional<std::string> bytes;
    if (id < 3) bytes = std::string(static_cast<std::size_t>(id), '\0');
    done.state.emplace_back("s", "k", bytes);
    t.settle(std::move(done));
    EXPECT_EQ(t.state("s", "k"), bytes);
  }
}

TEST_P(OutboxContract, P5_calls_to_one_chat_share_a_key_and_others_have_none) {
  leave_calls();
  EXPECT_EQ(calls[0].keys, std::vector<KeyHash>{hash_of("chat:5")});
  EXPECT_EQ(calls[1].keys, std::vector<KeyHash>{hash_of("chat:@name")});
  EXPECT_TRUE(calls[2].keys.empty());
  EXPECT_EQ(seqs_of(t.lease_key("chat:5", Seq(), Queue::outbox)), std::vector<Seq>{calls[0].seq});
  EXPECT_TRUE(t.lease_key("chat:5").empty()) << "the inbox has keys of its own";
}

TEST_P(OutboxContract, P12_in_doubt_the_policy_of_the_call_decides) {
  leave_calls();
  t.begin(seqs_of(calls), Queue::outbox);
  for (const Head& call : calls) {
    Settlement doubt = settlement(call.seq, Kind::doubt, Queue::outbox);
    doubt.due = t.clock.wall() + seconds(3);
    doubt.error = "no answer";
    EXPECT_TRUE(t.settle(std::move(doubt)));
  }
  const auto again = t.lease(Queue::outbox);
  ASSERT_EQ(again.size(), 1U) << "only resend is sent again";
  EXPECT_EQ(again[0].seq, calls[0].seq);
  EXPECT_EQ(again[0].due, t.clock.wall() + seconds(3));
  EXPECT_EQ(again[0].attempts, 1U);
  const QueueCounts counts = t.counts(Queue::outbox);
  EXPECT_EQ(counts.in_doubt, 3);
  EXPECT_EQ(counts.retrying, 1);
  EXPECT_EQ(counts.held, 1);
  EXPECT_EQ(counts.dead.at("skipped"), 1);
  const auto letters = t.dead_letters(Queue::outbox);
  ASSERT_EQ(letters.size(), 2U);
  EXPECT_EQ(letters[0].reason, "") << "held";
  EXPECT_EQ(letters[0].kind, "sendGift");
  EXPECT_EQ(letters[1].reason, "skipped");
  t.expect_balance();
}

TEST_P(OutboxContract, a_held_call_can_be_put_in_line_again) {
  leave_calls();
  t.begin_one(calls[1].seq, Queue::outbox);
  t.settle(settlement(calls[1].seq, Kind::doubt, Queue::outbox));
  const Seq again = t.retry(calls[1].seq, Queue::outbox).value();
  EXPECT_EQ(t.counts(Queue::outbox).held, 0);
  EXPECT_EQ(t.counts(Queue::outbox).stored, 3);
  const Item item = t.begin_one(again, Queue::outbox);
  EXPECT_EQ(item.kind, "sendGift");
  EXPECT_EQ(item.run, 1U);
  EXPECT_EQ(item.doubt, DoubtPolicy::ask);
  t.settle(settlement(again, Kind::done, Queue::outbox));
  EXPECT_EQ(t.counts(Queue::outbox).done, 1);
  t.expect_balance();
}

TEST_P(OutboxContract, P12_the_calls_of_a_new_run_are_new_calls) {
  const Seq first = t.put(make_update(1));
  t.begin_one(first);
  t.settle(dead_settlement(first, "attempts"));
  const Seq second = t.retry(first).value();
  t.begin_one(second);
  Settlement done = settlement(second, Kind::done);
  done.calls.emplace_back("sendMessage", R"({"chat_id":5})");
  ASSERT_TRUE(t.settle(std::move(done)));
  const Item item = t.begin_one(t.lease(Queue::outbox)[0].seq, Queue::outbox);
  EXPECT_EQ(item.run, 1U);
  EXPECT_EQ(item.update_id, UpdateId(1));
}

}  // namespace
}  // namespace tgkeep::store
