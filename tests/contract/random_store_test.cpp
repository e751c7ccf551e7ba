// Random verbs on a store and on the naive one: they must agree after each, through crashes at any point.
#include <algorithm>

#include "naive_store.hpp"
#include "store/sqlite/archive_now.hpp"
#include "support/random.hpp"

namespace tgkeep::store {
namespace {

using State = NaiveItem::State;
using Kind = Settlement::Kind;

class RandomStore : public StoreContract {
 protected:
  void step() {
    switch (random.between(0, 9)) {
      case 0:
      case 1:
      case 2:
        return put();
      case 3:
      case 4:
        return begin(random.chance(0.3) ? Queue::outbox : Queue::inbox);
      case 5:
      case 6:
      case 7:
        return settle();
      case 8:
        return random.chance(0.2) ? retry() : renew();
      default:
        if (random.chance(0.3)) archive_now(*t.store);
        return random.chance(0.3) ? crash() : compare();
    }
  }

  void put() {
    std::vector<Update> updates;
    std::vector<NaiveItem> expected;
    for (std::int64_t n = random.between(1, 6); n > 0; --n) {
      NaiveItem item;
      item.update_id = random.between(1, 400);
      for (std::int64_t k = random.between(0, 2); k > 0; --k) {
        const std::string key = "chat:" + std::to_string(random.between(1, 5));
        if (std::ranges::find(item.keys, key) == item.keys.end()) item.keys.push_back(key);
      }
      updates.push_back(make_update(item.update_id, item.keys));
      item.body = updates.back().raw;
      expected.push_back(std::move(item));
    }
    const auto results = t.put(std::move(updates));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const bool duplicate = !naive.seen.insert(expected[i].update_id).second;
      ASSERT_EQ(results[i].duplicate, duplicate);
      if (duplicate) {
        ++naive.duplicates;
        continue;
      }
      expected[i].seq = results[i].seq;
      naive.add(Queue::inbox, std::move(expected[i]));
    }
  }

  void begin(Queue queue) {
    auto seqs = naive.leasable(queue);
    std::ranges::shuffle(seqs, shuffle);
    if (seqs.size() > 4) seqs.resize(4);
    const Mark mark = random.chance(0.1) ? Mark::solo : Mark::shared;
    const auto items = t.begin(seqs, queue, mark);
    ASSERT_EQ(items.size(), seqs.size());
    for (const Item& item : items) {
      NaiveItem& expected = naive.items(queue).at(item.seq);
      ASSERT_EQ(item.body, expected.body);
      ASSERT_EQ(item.update_id.value(), expected.update_id);
      ASSERT_EQ(item.keys, expected.keys);
      ASSERT_EQ(item.attempt, expected.attempts + 1);
      ASSERT_EQ(item.crashes, expected.crashes);
      ASSERT_EQ(item.run, expected.run);
      ASSERT_EQ(item.corrupt, "");
      ASSERT_EQ(item.order_gap, queue == Queue::inbox && naive.has_gap(expected));
      expected.state = State::in_flight;
      expected.mark = mark;
    }
  }

  Settlement random_settlement(Queue queue, Seq seq) {
    Settlement chosen(queue, seq, static_cast<Kind>(random.between(0, 4)));
    if (random.chance(0.5)) chosen.kind = Kind::done;
    chosen.due = t.clock.wall() + std::chrono::milliseconds(random.between(0, 100000));
    chosen.reason = random.chance(0.3) ? "expired" : "attempts";
    chosen.survived = random.chance(0.2);
    if (queue == Queue::outbox) return chosen;
    for (std::int64_t n = random.between(0, 2); n > 0; --n) {
      const auto doubt = static_cast<DoubtPolicy>(random.between(0, 2));
      chosen.calls.emplace_back("sendMessage", R"({"chat_id":5,"n":)" + std::to_string(n) + "}", doubt);
    }
    if (random.chance(0.3)) {
      std::optional<std::string> bytes;
      if (random.chance(0.8)) bytes = std::to_string(random.between(0, 1000));
      chosen.state.emplace_back("s", std::to_string(random.between(0, 3)), bytes);
    }
    return chosen;
  }

  void settle() {
    std::vector<Settlement> settlements;
    for (const Queue queue : {Queue::inbox, Queue::outbox}) {
      for (const auto& [seq, item] : naive.items(queue)) {
        const double chance = item.state == State::in_flight ? 0.4 : 0.01;  // some are not in flight at all
        if (random.chance(chance)) settlements.push_back(random_settlement(queue, seq));
      }
    }
    const auto written = t.settle(settlements);
    for (std::size_t i = 0; i < settlements.size(); ++i) ASSERT_EQ(written[i], naive.settle(settlements[i]));
  }

  void retry() {
    const Queue queue = random.chance(0.5) ? Queue::inbox : Queue::outbox;
    std::vector<Seq> buried;
    for (const auto& [seq, item] : naive.items(queue)) {
      if (item.state == State::dead || item.state == State::held) buried.push_back(seq);
    }
    if (buried.empty()) return;
    const Seq seq =
        buried[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(buried.size()) - 1))];
    NaiveItem item = std::move(naive.items(queue).at(seq));
    naive.items(queue).erase(seq);
    item.seq = t.retry(seq, queue).value();
    item.state = State::waiting;
    item.attempts = 0;
    item.crashes = 0;
    item.due = WallTime{};
    ++item.run;
    naive.add(queue, std::move(item));
  }

  void renew() {
    for (const Queue queue : {Queue::inbox, Queue::outbox}) {
      std::vector<Seq> seqs;
      for (auto& [seq, item] : naive.items(queue)) {
        if (item.state != State::in_flight || random.chance(0.5)) continue;
        seqs.push_back(seq);
        item.mark = Mark::shared;
      }
      t.renew(std::move(seqs), queue);
    }
  }

  void crash() {
    t.reopen();
    naive.crash();
    compare();
  }

  void compare() {
    t.expect_balance();
    for (const Queue queue : {Queue::inbox, Queue::outbox}) {
      const auto expected = naive.leasable(queue);
      const auto heads = t.heads(queue);
      ASSERT_EQ(seqs_of(heads), expected);
      for (const Head& head : heads) {
        const NaiveItem& item = naive.items(queue).at(head.seq);
        ASSERT_EQ(head.attempts, item.attempts);
        ASSERT_EQ(head.crashes, item.crashes);
        ASSERT_EQ(head.due, item.due);
      }
      for (int key = 1; key <= 5; ++key) {
        const std::string name = "chat:" + std::to_string(key);
        ASSERT_EQ(seqs_of(t.lease_key(name, Seq(), queue)), naive.leasable(queue, name));
      }
      const QueueCounts wanted = naive.counts(queue);
      const QueueCounts found = t.counts(queue);
      ASSERT_EQ(found.stored, wanted.stored);
      ASSERT_EQ(found.pending, wanted.pending);
      ASSERT_EQ(found.in_flight, wanted.in_flight);
      ASSERT_EQ(found.retrying, wanted.retrying);
      ASSERT_EQ(found.held, wanted.held);
      ASSERT_EQ(found.done, wanted.done);
      ASSERT_EQ(found.dead, wanted.dead);
      ASSERT_EQ(found.duplicates, wanted.duplicates);
      ASSERT_EQ(found.in_doubt, wanted.in_doubt);
    }
    for (int key = 0; key <= 3; ++key) {
      const auto found = naive.state.find(std::to_string(key));
      const auto state = t.state("s", std::to_string(key));
      ASSERT_EQ(state.has_value(), found != naive.state.end());
      if (state) {
        ASSERT_EQ(*state, found->second);
      }
    }
  }

  test::Random random;
  std::mt19937_64 shuffle{random.seed()};
  NaiveStore naive;
};

INSTANTIATE_TEST_SUITE_P(Stores, RandomStore, testing::Values(Backend::memory, Backend::sqlite),
                         [](const auto& info) {
                           return info.param == Backend::memory ? "memory" : "sqlite";
                         });

TEST_P(RandomStore, P8_agrees_with_the_contract_at_every_step_and_after_every_crash) {
  TGKEEP_TRACE_SEED(random);
  for (int i = 0; i < 600 && !HasFatalFailure(); ++i) step();
  if (!HasFatalFailure()) compare();
}

}  // namespace
}  // namespace tgkeep::store
