#include "store_under_test.hpp"

namespace tgkeep::store {
namespace {

TEST(MemoryStore, puts_leases_begins_and_settles) {
  asio::io_context io;
  loop::VirtualClock clock;
  const auto store = make_memory_store(io.get_executor(), clock);
  std::vector<Update> updates;
  updates.push_back(make_update(1));
  updates.push_back(make_update(1));
  const auto put = test::run(io, store->put(std::move(updates))).value();
  ASSERT_EQ(put.size(), 2U);
  EXPECT_FALSE(put[0].duplicate);
  EXPECT_TRUE(put[1].duplicate);
  const auto heads = test::run(io, store->lease(LeaseRequest(Queue::inbox, Seq(), 10))).value();
  ASSERT_EQ(heads.size(), 1U);
  const auto items = test::run(io, store->begin(Queue::inbox, {heads[0].seq}, Mark::shared)).value();
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].body, make_update(1).raw);
  std::vector<Settlement> settlements;
  settlements.emplace_back(Queue::inbox, items[0].seq, Settlement::Kind::done);
  EXPECT_EQ(test::run(io, store->settle(std::move(settlements))).value(), std::vector<bool>{true});
  EXPECT_TRUE(test::run(io, store->browser()->audit()));
}

}  // namespace
}  // namespace tgkeep::store
