// Random life of a store with people in it: what they find, replay, drop and erase must be what a plain list
// says, in inbox.db, in day files and after every reopening.
#include <algorithm>
#include <map>

#include "browser_test.hpp"
#include "support/random.hpp"

namespace tgkeep::store {
namespace {

using Kind = Settlement::Kind;

class Known {
 public:
  Seq seq;
  std::int64_t id = 0;
  std::vector<std::string> keys;
  ItemState state = ItemState::pending;
  std::string reason;
  std::uint32_t run = 0;
  std::uint32_t attempts = 0;
};

class RandomBrowser : public testing::Test {
 protected:
  RandomBrowser() : t(Backend::sqlite) {}

  void step() {
    switch (random.between(0, 9)) {
      case 0:
      case 1:
        return put();
      case 2:
      case 3:
      case 4:
        return handle();
      case 5:
        return replay();
      case 6:
        return random.chance(0.5) ? retry() : drop();
      case 7:
        if (random.chance(0.2)) return erase();
        return random.chance(0.3) ? reopen() : archive_now(*t.store);
      default:
        return find();
    }
  }

  void put() {
    Known item;
    item.id = next_id++;
    for (std::int64_t n = random.between(0, 2); n > 0; --n) {
      const std::string key = "chat:" + std::to_string(random.between(1, 4));
      if (std::ranges::find(item.keys, key) == item.keys.end()) item.keys.push_back(key);
    }
    item.seq = t.put(make_update(item.id, item.keys));
    items[item.seq] = item;
    latest[item.id] = item.seq;
    ++stored;
  }

  Known* any(std::initializer_list<ItemState> states) {
    std::vector<Known*> fit;
    for (auto& [seq, item] : items) {
      if (std::ranges::find(states, item.state) != states.end()) fit.push_back(&item);
    }
    return fit.empty()
               ? nullptr
               : fit[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(fit.size()) - 1))];
  }

  void handle() {
    Known* const item = any({ItemState::pending, ItemState::retrying});
    if (item == nullptr) return;
    ASSERT_EQ(t.begin_one(item->seq).run, item->run);
    switch (random.between(0, 4)) {
      case 0:
        item->state = ItemState::dead;
        item->reason = random.chance(0.5) ? "attempts" : "refused";
        t.settle(dead_settlement(item->seq, item->reason));
        return;
      case 1:
        item->state = ItemState::retrying;
        ++item->attempts;
        t.settle(settlement(item->seq, Kind::retry));
        return;
      default:
        item->state = ItemState::done;
        t.settle(settlement(item->seq, Kind::done));
    }
  }

  bool waits(Seq seq) {
    const auto found = items.find(seq);
    return found != items.end() &&
           (found->second.state == ItemState::pending || found->second.state == ItemState::retrying);
  }

  void revive(Known item, Seq as, bool moved) {
    if (moved) {
      items.erase(item.seq);
    } else {
      ++stored;
    }
    item.seq = as;
    item.state = ItemState::pending;
    item.reason.clear();
    item.attempts = 0;
    const StoredItem there = test::run(t.io, t.browser().item(Queue::inbox, as)).value();
    ASSERT_GT(there.run, item.run);
    item.run = there.run;
    items[as] = item;
    latest[item.id] = as;
  }

  void replay() {
    const std::int64_t last = items.empty() ? 1 : items.rbegin()->first.value();
    const Seq seq(random.between(1, last));
    const bool force = random.chance(0.3);
    const Replayed replayed = t.replay(seq, force);
    const auto found = items.find(seq);
    if (found == items.end()) {
      ASSERT_EQ(replayed.skipped, "not_found");
      return;
    }
    const Known item = found->second;
    if (waits(seq) || waits(latest[item.id])) {
      ASSERT_EQ(replayed.skipped, "waiting");
    } else if (!force && (latest[item.id] != seq || (item.run > 0 && item.state != ItemState::dead))) {
      ASSERT_EQ(replayed.skipped, "replayed");
    } else {
      ASSERT_EQ(replayed.skipped, "") << seq.value();
      revive(item, replayed.as, item.state == ItemState::dead);
    }
  }

  void retry() {
    Known* const item = any({ItemState::dead});
    if (item == nullptr) return;
    const Result<Seq> as = t.retry(item->seq);
    ASSERT_TRUE(as);
    const Known before = *item;
    revive(before, *as, true);
  }

  void drop() {
    Known* const item = any({ItemState::dead});
    if (item == nullptr) return;
    ASSERT_EQ(t.drop({item->seq}), std::vector<bool>{true});
    ++dropped;
    items.erase(item->seq);
  }

  void erase() {
    const std::int64_t id = random.between(1, next_id);
    Erased expected;
    std::erase_if(items, [&](const auto& entry) {
      const Known& item = entry.second;
      if (item.id % 7 != id % 7) return false;
      ++(item.state == ItemState::done ? expected.finished : expected.waiting);
      return true;
    });
    const Result<Erased> erased =
        t.erase([id](const StoredItem& item) { return item.update_id.value() % 7 == id % 7; });
    ASSERT_TRUE(erased) << erased.error().text();
    ASSERT_EQ(erased->waiting, expected.waiting);
    ASSERT_EQ(erased->finished, expected.finished);
    dropped += expected.waiting;
  }

  void reopen() {
    t.reopen();
    t.expect_balance();
  }

  void find() {
    ItemFilter filter;
    if (random.chance(0.5)) filter.key = "chat:" + std::to_string(random.between(1, 5));
    if (random.chance(0.3)) filter.first_id = UpdateId(random.between(1, next_id));
    if (random.chance(0.3)) filter.last_id = UpdateId(random.between(1, next_id));
    if (random.chance(0.2)) filter.reason = "refused";
    for (const ItemState state :
         {ItemState::pending, ItemState::retrying, ItemState::dead, ItemState::done}) {
      if (random.chance(0.3)) filter.states.push_back(state);
    }
    const bool newest = random.chance(0.5);
    const auto limit = static_cast<std::size_t>(random.between(1, 12));
    std::vector<Seq> expected;
    for (const auto& [seq, item] : items) {
      const bool state =
          filter.states.empty() || std::ranges::find(filter.states, item.state) != filter.states.end();
      const bool key = filter.key.empty() || std::ranges::find(item.keys, filter.key) != item.keys.end();
      const bool ids = (!filter.first_id || item.id >= filter.first_id->value()) &&
                       (!filter.last_id || item.id <= filter.last_id->value());
      if (state && key && ids && (filter.reason.empty() || item.reason == filter.reason))
        expected.push_back(seq);
    }
    if (newest) std::ranges::reverse(expected);
    std::vector<Seq> found;
    const auto reader = t.reader();
    for (std::optional<Seq> after = Seq(); after;) {
      const ItemPage page = test::run(t.io, t.browser().find(filter, *after, limit, newest, true)).value();
      const ItemPage same =
          test::run(t.io, reader->browser().find(filter, *after, limit, newest, true)).value();
      ASSERT_EQ(t.seqs(page.items), t.seqs(same.items)) << "from outside";
      ASSERT_LE(page.items.size(), limit);
      for (const StoredItem& item : page.items) {
        const Known& known = items.at(item.seq);
        ASSERT_EQ(item.state, known.state);
        ASSERT_EQ(item.update_id.value(), known.id);
        ASSERT_EQ(item.run, known.run);
        ASSERT_EQ(item.attempts, known.attempts);
        ASSERT_EQ(item.body, make_update(known.id).raw);
        ASSERT_EQ(item.corrupt, "");
        found.push_back(item.seq);
      }
      after = page.next;
    }
    ASSERT_EQ(found, expected);
  }

  void compare() {
    const QueueCounts counts = t.counts();
    ASSERT_EQ(counts.stored, stored);
    const auto by = [](const std::map<std::string, std::int64_t>& labels) {
      std::int64_t sum = 0;
      for (const auto& [label, count] : labels) sum += count;
      return sum;
    };
    ASSERT_EQ(by(counts.dropped), dropped);
    ASSERT_EQ(by(counts.dead), std::ranges::count_if(items, [](const auto& entry) {
                return entry.second.state == ItemState::dead;
              }));
    t.expect_balance();
  }

  BrowserUnderTest t;
  test::Random random;
  std::map<Seq, Known> items;
  std::map<std::int64_t, Seq> latest;  ///< run of each update, also when that is gone
  std::int64_t next_id = 1;
  std::int64_t stored = 0;
  std::int64_t dropped = 0;
};

TEST_F(RandomBrowser, P5_P8_people_find_replay_drop_and_erase_what_is_there) {
  TGKEEP_TRACE_SEED(random);
  for (int i = 0; i < 400 && !HasFatalFailure(); ++i) {
    step();
    if (!HasFatalFailure() && i % 10 == 0) compare();
  }
}

}  // namespace
}  // namespace tgkeep::store
