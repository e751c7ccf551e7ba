#include "rules/lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "support/random.hpp"

namespace tgkeep::rules {
namespace {

std::vector<KeyHash> keys(std::initializer_list<std::int64_t> values) {
  std::vector<KeyHash> all;
  for (const std::int64_t value : values) all.emplace_back(value);
  return all;
}

TEST(Lanes, P5_items_of_one_key_are_first_one_after_another) {
  Lanes lanes;
  const auto a = lanes.add(keys({1}));
  const auto b = lanes.add(keys({1}));
  const auto c = lanes.add(keys({2}));
  EXPECT_TRUE(a.first);
  EXPECT_FALSE(b.first);
  EXPECT_TRUE(c.first);
  std::vector<Lanes::Slot> freed;
  lanes.remove(a.slot, freed);
  EXPECT_EQ(freed, std::vector<Lanes::Slot>{b.slot});
}

// grammY's sequentialize starts `ab` as soon as `a` has failed, while `b1` still runs, and lets `b2` overtake
// both.
TEST(Lanes, P5_a_failed_predecessor_does_not_let_a_later_one_overtake_a_third_that_still_runs) {
  Lanes lanes;
  const auto a = lanes.add(keys({1}));
  const auto b1 = lanes.add(keys({2}));
  const auto ab = lanes.add(keys({1, 2}));
  const auto b2 = lanes.add(keys({2}));
  std::vector<Lanes::Slot> freed;
  lanes.remove(a.slot, freed);  // failed for good
  EXPECT_TRUE(freed.empty()) << "b1 still runs";
  lanes.remove(b1.slot, freed);
  EXPECT_EQ(freed, std::vector<Lanes::Slot>{ab.slot});
  freed.clear();
  lanes.remove(ab.slot, freed);
  EXPECT_EQ(freed, std::vector<Lanes::Slot>{b2.slot});
}

TEST(Lanes, an_item_without_keys_is_first_at_once_and_a_key_named_twice_counts_once) {
  Lanes lanes;
  const auto twice = lanes.add(keys({7, 7}));
  EXPECT_TRUE(twice.first);
  EXPECT_TRUE(lanes.add({}).first);
  const auto next = lanes.add(keys({7}));
  EXPECT_FALSE(next.first);
  std::vector<Lanes::Slot> freed;
  lanes.remove(twice.slot, freed);
  EXPECT_EQ(freed, std::vector<Lanes::Slot>{next.slot});
}

TEST(Lanes, P11_nothing_is_kept_for_idle_keys) {
  Lanes lanes;
  std::vector<Lanes::Slot> freed;
  for (std::int64_t key = 0; key < 100'000; ++key) lanes.remove(lanes.add(keys({key, -key - 1})).slot, freed);
  EXPECT_EQ(lanes.items(), 0U);
  EXPECT_EQ(lanes.lanes(), 0U);
}

// 500 at once, ended in any order: each key's updates start one after another, in the order of their arrival.
TEST(Lanes, M6_a_million_updates_of_10000_keys_keep_the_order_of_each_key_and_leave_nothing_behind) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  constexpr std::uint32_t kUpdates = 1'000'000;
  constexpr std::uint32_t kKeys = 10'000;
  std::uint64_t state = random.seed();
  const auto draw = [&state] {  // cheap: there are millions of draws
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>(state >> 33);
  };
  Lanes lanes;
  std::vector<std::uint32_t> update_in;               // by slot
  std::vector<std::array<std::uint32_t, 2>> keys_in;  // by slot
  std::vector<std::uint32_t> last_started(kKeys);     // by key
  std::vector<char> busy(kKeys);
  std::vector<Lanes::Slot> running;
  std::vector<Lanes::Slot> freed;
  bool in_order = true;
  const auto start = [&](Lanes::Slot slot) {
    const auto [one, other] = keys_in[slot];
    in_order = in_order && !busy[one] && last_started[one] < update_in[slot];
    in_order = in_order && !busy[other] && last_started[other] < update_in[slot];
    busy[one] = busy[other] = 1;
    last_started[one] = last_started[other] = update_in[slot];
    running.push_back(slot);
  };
  for (std::uint32_t update = 1; update <= kUpdates || !running.empty();) {
    if (update <= kUpdates && lanes.items() < 500) {
      // Every fourth has two keys; some keys are hot.
      const std::uint32_t one = draw() % (update % 8 == 0 ? 16 : kKeys);
      const std::uint32_t other = update % 4 == 0 ? draw() % kKeys : one;
      const std::array<KeyHash, 2> hashes{KeyHash(one * 2654435761), KeyHash(other * 2654435761)};
      const auto added = lanes.add(std::span(hashes).first(one == other ? 1 : 2));
      if (added.slot == update_in.size()) {
        update_in.push_back(0);
        keys_in.push_back({});
      }
      update_in[added.slot] = update++;
      keys_in[added.slot] = {one, other};
      if (added.first) start(added.slot);
      continue;
    }
    std::swap(running[draw() % running.size()], running.back());
    const Lanes::Slot ended = running.back();
    running.pop_back();
    busy[keys_in[ended][0]] = busy[keys_in[ended][1]] = 0;
    freed.clear();
    lanes.remove(ended, freed);
    for (const Lanes::Slot slot : freed) start(slot);
  }
  EXPECT_TRUE(in_order);
  EXPECT_EQ(lanes.items(), 0U);
  EXPECT_EQ(lanes.lanes(), 0U);
}

// The naive model: an item may start when no earlier unfinished item shares a key with it.
TEST(Lanes, P5_random_operations_agree_with_a_naive_model) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  Lanes lanes;
  struct Item {
    std::vector<KeyHash> keys;
    Lanes::Slot slot;
  };
  std::map<int, Item> open;
  std::map<Lanes::Slot, int> by_slot;
  std::set<int> first;
  int next = 0;
  for (int step = 0; step < 20'000; ++step) {
    if (open.empty() || (open.size() < 200 && random.chance(0.5))) {
      std::vector<KeyHash> wanted;
      for (std::int64_t i = random.between(0, 3); i > 0; --i) wanted.emplace_back(random.between(1, 20));
      const auto added = lanes.add(wanted);
      if (added.first) first.insert(next);
      open.emplace(next, Item{wanted, added.slot});
      by_slot[added.slot] = next++;
    } else {
      ASSERT_FALSE(first.empty()) << "something must always be able to start";
      auto chosen = first.begin();
      std::advance(chosen, random.between(0, static_cast<std::int64_t>(first.size()) - 1));
      std::vector<Lanes::Slot> freed;
      lanes.remove(open.at(*chosen).slot, freed);
      open.erase(*chosen);
      first.erase(chosen);
      for (const Lanes::Slot slot : freed) first.insert(by_slot.at(slot));
    }
    if (step % 16 != 0) continue;
    std::set<int> expected;
    std::set<KeyHash> taken;
    for (const auto& [number, item] : open) {
      if (std::ranges::none_of(item.keys, [&](KeyHash key) { return taken.contains(key); }))
        expected.insert(number);
      taken.insert(item.keys.begin(), item.keys.end());
    }
    ASSERT_EQ(first, expected) << "at step " << step;
    ASSERT_EQ(lanes.lanes(), taken.size());
  }
}

}  // namespace
}  // namespace tgkeep::rules
