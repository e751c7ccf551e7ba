// What every store must do for those who lease. The suite is instantiated in store_contract_test.cpp.
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "store_under_test.hpp"

namespace tgkeep::store {
namespace {

using Kind = Settlement::Kind;

TEST_P(StoreContract, a_lease_returns_only_what_is_after_and_at_most_the_limit) {
  const auto put = t.put(updates_of({1, 2, 3, 4}));
  EXPECT_EQ(seqs_of(t.lease(Queue::inbox, put[0].seq, 2)), (std::vector<Seq>{put[1].seq, put[2].seq}));
  EXPECT_EQ(seqs_of(t.lease(Queue::inbox, put[2].seq, 9)), std::vector<Seq>{put[3].seq});
  EXPECT_EQ(t.lease().size(), 4U);
}

TEST_P(StoreContract, a_lease_leaves_out_what_is_in_flight) {
  const auto put = t.put(updates_of({1, 2, 3}));
  t.begin_one(put[1].seq);
  EXPECT_EQ(seqs_of(t.lease()), (std::vector<Seq>{put[0].seq, put[2].seq}));
  EXPECT_EQ(seqs_of(t.lease_key("chat:1")), (std::vector<Seq>{put[0].seq, put[2].seq}));
  EXPECT_TRUE(t.begin({put[1].seq}).empty()) << "an item is in flight once";
}

TEST_P(StoreContract, a_lease_waits_for_the_first_head_and_can_be_cancelled) {
  std::optional<std::size_t> leased;
  const auto on_lease = [&](std::exception_ptr, Result<std::vector<Head>> heads) { leased = heads->size(); };
  asio::co_spawn(t.io, t.store->lease(LeaseRequest(Queue::inbox, Seq(), 10)), on_lease);
  t.counts();
  EXPECT_FALSE(leased.has_value());
  t.put(make_update(1));
  t.counts();
  EXPECT_EQ(leased, 1U);

  asio::cancellation_signal cancel;
  std::exception_ptr failure;
  const auto on_cancel = [&](std::exception_ptr error, Result<std::vector<Head>>) { failure = error; };
  asio::co_spawn(t.io, t.store->lease(LeaseRequest(Queue::outbox, Seq(), 10)),
                 asio::bind_cancellation_slot(cancel.slot(), on_cancel));
  t.counts();
  cancel.emit(asio::cancellation_type::terminal);
  t.counts();
  EXPECT_TRUE(failure);
}

TEST_P(StoreContract, a_waiting_lease_gets_a_released_item) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  std::optional<std::size_t> leased;
  const auto on_lease = [&](std::exception_ptr, Result<std::vector<Head>> heads) { leased = heads->size(); };
  asio::co_spawn(t.io, t.store->lease(LeaseRequest(Queue::inbox, Seq(), 10)), on_lease);
  t.counts();
  EXPECT_FALSE(leased.has_value());
  t.settle(settlement(seq, Kind::release));
  t.counts();
  EXPECT_EQ(leased, 1U);
}

TEST_P(StoreContract, P5_a_lease_with_a_key_finds_items_under_their_first_and_further_keys) {
  const Seq a = t.put(make_update(1, {"chat:1", "user:9"}));
  const Seq b = t.put(make_update(2, {"user:9"}));
  const Seq c = t.put(make_update(3, {"chat:2", "user:9", "user:9", "chat:2"}));
  t.put(make_update(4, {}));
  EXPECT_EQ(seqs_of(t.lease_key("user:9")), (std::vector<Seq>{a, b, c}));
  EXPECT_EQ(seqs_of(t.lease_key("user:9", a)), (std::vector<Seq>{b, c}));
  EXPECT_EQ(seqs_of(t.lease_key("chat:2")), std::vector<Seq>{c});
  EXPECT_TRUE(t.lease_key("chat:404").empty()) << "with a key it does not wait";
  t.begin_one(b);
  t.settle(settlement(b, Kind::done));
  EXPECT_EQ(seqs_of(t.lease_key("user:9")), (std::vector<Seq>{a, c}));
}

TEST_P(StoreContract, keys_may_hold_any_character) {
  const Seq seq = t.put(make_update(1, {"chat:\n\\n", "", "user:\\"}));
  t.put(make_update(2));
  EXPECT_EQ(seqs_of(t.lease_key("chat:\n\\n")), std::vector<Seq>{seq});
  EXPECT_EQ(t.lease()[0].keys,
            (std::vector<KeyHash>{hash_of("chat:\n\\n"), hash_of(""), hash_of("user:\\")}));
  EXPECT_EQ(t.begin_one(seq).keys, (std::vector<std::string>{"chat:\n\\n", "", "user:\\"}));
}

}  // namespace
}  // namespace tgkeep::store
