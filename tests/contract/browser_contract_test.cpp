// What people may ask of every store that can be searched.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "browser_test.hpp"

namespace tgkeep::store {
namespace {

using Kind = Settlement::Kind;
using std::chrono::milliseconds;
using std::chrono::seconds;

class BrowserContract : public testing::TestWithParam<Backend> {
 protected:
  BrowserContract() : t(GetParam()) {}
  bool sqlite() const { return GetParam() == Backend::sqlite; }
  BrowserUnderTest t;
};

INSTANTIATE_TEST_SUITE_P(Stores, BrowserContract, testing::Values(Backend::memory, Backend::sqlite),
                         [](const auto& info) {
                           return info.param == Backend::memory ? "memory" : "sqlite";
                         });

TEST_P(BrowserContract, P8_every_item_is_found_by_its_state) {
  const Seq dead = t.die(1);
  const Seq retrying = t.put(make_update(2));
  t.fail(retrying, "no luck");
  const Seq flying = t.put(make_update(3));
  t.begin_one(flying);
  const Seq pending = t.put(make_update(4));
  const Seq done = t.finish(5);
  EXPECT_EQ(t.find_seqs(in_states({ItemState::dead})), std::vector<Seq>{dead});
  EXPECT_EQ(t.find_seqs(in_states({ItemState::retrying})), std::vector<Seq>{retrying});
  EXPECT_EQ(t.find_seqs(in_states({ItemState::in_flight})), std::vector<Seq>{flying});
  EXPECT_EQ(t.find_seqs(in_states({ItemState::pending})), std::vector<Seq>{pending});
  EXPECT_EQ(t.find_seqs(in_states({ItemState::pending, ItemState::dead})), (std::vector<Seq>{dead, pending}));
  if (sqlite()) {
    EXPECT_EQ(t.find_seqs(in_states({ItemState::done})), std::vector<Seq>{done});
    archive_now(*t.store);
    EXPECT_EQ(t.find_seqs(in_states({ItemState::done})), std::vector<Seq>{done}) << "in a day file";
    EXPECT_EQ(t.find_seqs(), (std::vector<Seq>{dead, retrying, flying, pending, done}));
  }
  EXPECT_TRUE(t.find(ItemFilter(Queue::outbox)).empty());
}

TEST_P(BrowserContract, an_item_shows_what_happened_to_it) {
  const Seq seq = t.put(make_update(7, {"chat:1", "user:2"}));
  t.fail(seq, "first");
  t.clock.advance(seconds(3));
  t.begin_one(seq);
  t.settle(dead_settlement(seq, "attempts"));
  const StoredItem item = test::run(t.io, t.browser().item(Queue::inbox, seq)).value();
  EXPECT_EQ(item.seq, seq);
  EXPECT_EQ(item.bot, BotId(7));
  EXPECT_EQ(item.update_id, UpdateId(7));
  EXPECT_EQ(item.state, ItemState::dead);
  EXPECT_EQ(item.kind, "message");
  EXPECT_EQ(item.keys, (std::vector<std::string>{"chat:1", "user:2"}));
  EXPECT_EQ(item.reason, "attempts");
  EXPECT_EQ(item.error, "it failed");
  EXPECT_EQ(item.attempts, 1U);
  EXPECT_EQ(item.starts, 1U);
  EXPECT_EQ(item.received, make_update(7).received);
  EXPECT_EQ(item.ended, t.clock.wall());
  EXPECT_EQ(item.body, make_update(7).raw);
  EXPECT_EQ(item.corrupt, "");
  EXPECT_EQ(test::run(t.io, t.browser().item(Queue::inbox, Seq(99))).error().code(), Errc::not_found);
  EXPECT_EQ(test::run(t.io, t.browser().item(Queue::outbox, seq)).error().code(), Errc::not_found);
  const ItemPage page = test::run(t.io, t.browser().find(ItemFilter(), Seq(), 10, false, false)).value();
  EXPECT_EQ(page.items.at(0).body, "") << "when it is not asked for";
}

TEST_P(BrowserContract, filters_narrow_the_search) {
  std::vector<Seq> seqs;
  for (const std::int64_t id : {10, 20, 30, 40}) {
    std::vector<std::string> keys{id % 20 == 0 ? "chat:1" : "chat:2"};
    if (id == 30) keys.emplace_back("user:5");
    Update update = make_update(id, keys);
    if (id == 40) update.kind = "callback_query";
    seqs.push_back(t.put(std::move(update)));
  }
  ItemFilter filter;
  filter.key = "chat:1";
  EXPECT_EQ(t.find_seqs(filter), (std::vector<Seq>{seqs[1], seqs[3]}));
  filter.key = "user:5";
  EXPECT_EQ(t.find_seqs(filter), std::vector<Seq>{seqs[2]}) << "a further key";
  filter.key = "chat:3";
  EXPECT_TRUE(t.find(filter).empty());
  filter.key = "";
  filter.kind = "callback_query";
  EXPECT_EQ(t.find_seqs(filter), std::vector<Seq>{seqs[3]});
  filter.kind = "";
  filter.first_id = UpdateId(20);
  filter.last_id = UpdateId(30);
  EXPECT_EQ(t.find_seqs(filter), (std::vector<Seq>{seqs[1], seqs[2]}));
  ItemFilter times;
  times.from = make_update(20).received;
  times.to = make_update(30).received;
  EXPECT_EQ(t.find_seqs(times), std::vector<Seq>{seqs[1]}) << "from, and before to";
  t.begin({seqs[0], seqs[1]});
  t.settle(dead_settlement(seqs[0], "refused"));
  t.settle(dead_settlement(seqs[1], "attempts"));
  ItemFilter reason;
  reason.reason = "refused";
  EXPECT_EQ(t.find_seqs(reason), std::vector<Seq>{seqs[0]});
  ItemFilter dead_of_key;
  dead_of_key.key = "chat:1";
  dead_of_key.states = {ItemState::dead};
  EXPECT_EQ(t.find_seqs(dead_of_key), std::vector<Seq>{seqs[1]});
}

TEST_P(BrowserContract, pages_go_on_from_both_ends) {
  std::vector<Seq> seqs;
  for (std::int64_t id = 1; id <= 5; ++id) seqs.push_back(id == 3 ? t.die(id) : t.put(make_update(id)));
  const auto page = [&](Seq after, std::size_t limit, bool newest) {
    return test::run(t.io, t.browser().find(ItemFilter(), after, limit, newest, false)).value();
  };
  ItemPage first = page(Seq(), 2, false);
  EXPECT_EQ(t.seqs(first.items), (std::vector<Seq>{seqs[0], seqs[1]}));
  ASSERT_EQ(first.next, seqs[1]);
  EXPECT_EQ(t.seqs(page(*first.next, 2, false).items), (std::vector<Seq>{seqs[2], seqs[3]}));
  const ItemPage last = page(seqs[3], 2, false);
  EXPECT_EQ(t.seqs(last.items), std::vector<Seq>{seqs[4]});
  EXPECT_FALSE(last.next.has_value());
  const ItemPage newest = page(Seq(), 3, true);
  EXPECT_EQ(t.seqs(newest.items), (std::vector<Seq>{seqs[4], seqs[3], seqs[2]}));
  ASSERT_EQ(newest.next, seqs[2]);
  EXPECT_EQ(t.seqs(page(*newest.next, 3, true).items), (std::vector<Seq>{seqs[1], seqs[0]}));
  EXPECT_FALSE(page(Seq(), 5, false).next.has_value()) << "exactly all";
}

TEST_P(BrowserContract, P12_a_trace_shows_all_runs_their_failures_and_calls) {
  const Seq first = t.put(make_update(1));
  t.put(make_update(2));
  t.fail(first, "no luck");
  t.fail(first, "again none");
  t.begin_one(first);
  t.settle(dead_settlement(first, "attempts"));
  const auto before = t.trace(1);
  ASSERT_EQ(before.size(), 1U);
  ASSERT_EQ(before[0].failures.size(), 2U);
  EXPECT_EQ(before[0].failures[1].attempt, 2U);
  EXPECT_EQ(before[0].failures[1].error, "again none");
  const Seq second = t.retry(first).value();
  EXPECT_EQ(t.trace(1).at(0).item.seq, second) << "the dead letter is the new run now";
  EXPECT_EQ(t.trace(1).at(0).item.earlier, first);
  t.begin_one(second);
  Settlement done = settlement(second, Kind::done);
  done.calls.emplace_back("sendMessage", R"({"chat_id":1,"text":"a"})");
  done.calls.emplace_back("sendMessage", R"({"chat_id":1,"text":"b"})");
  t.settle(std::move(done));
  const auto after = t.trace(1);
  EXPECT_EQ(t.trace(404).size(), 0U);
  if (!sqlite()) return;  // what is done is forgotten there
  ASSERT_EQ(after.size(), 1U);
  EXPECT_EQ(after[0].item.state, ItemState::done);
  EXPECT_EQ(after[0].item.run, 1U);
  ASSERT_EQ(after[0].calls.size(), 2U);
  EXPECT_EQ(after[0].calls[0].origin, second);
  EXPECT_EQ(after[0].calls[1].body, R"({"chat_id":1,"text":"b"})");
  archive_now(*t.store);
  EXPECT_EQ(t.replay(second).skipped, "replayed") << "it is a second run already";
  const Seq third = t.replay(second, true).as;
  const auto runs = t.trace(1);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].item.seq, second);
  EXPECT_EQ(runs[0].calls.size(), 2U) << "still waiting, while their update lies in a day file";
  EXPECT_EQ(runs[1].item.seq, third);
  EXPECT_EQ(runs[1].item.run, 2U);
  EXPECT_EQ(runs[1].item.earlier, second);
}

TEST_P(BrowserContract, P8_dropping_gives_up_dead_letters_and_held_calls_for_good) {
  const Seq dead = t.die(1);
  const Seq waiting = t.put(make_update(2));
  EXPECT_EQ(t.drop({dead, waiting, Seq(99)}), (std::vector<bool>{true, false, false}));
  EXPECT_TRUE(t.counts().dead.empty());
  EXPECT_EQ(t.counts().dropped.at("operator"), 1);
  EXPECT_EQ(t.counts().stored, 2);
  EXPECT_EQ(t.drop({dead}), std::vector<bool>{false});
  EXPECT_EQ(t.retry(dead).error().code(), Errc::not_found);
  std::vector<Call> calls;
  calls.emplace_back("sendGift", R"({"user_id":1})");
  t.finish(make_update(3), std::move(calls));
  const Seq call = t.find_seqs(ItemFilter(Queue::outbox)).at(0);
  t.begin_one(call, Queue::outbox);
  t.settle(settlement(call, Kind::doubt, Queue::outbox));
  EXPECT_EQ(t.find_seqs(in_states({ItemState::held}, Queue::outbox)), std::vector<Seq>{call});
  EXPECT_EQ(t.drop({call}, Queue::outbox, "ann"), std::vector<bool>{true});
  EXPECT_EQ(t.counts(Queue::outbox).held, 0);
  EXPECT_EQ(t.counts(Queue::outbox).dropped.at("ann"), 1);
  EXPECT_TRUE(t.put(updates_of({1}))[0].duplicate) << "P2: it stays known";
  t.expect_balance();
  t.reopen();
  t.expect_balance();
}

TEST_P(BrowserContract, P5_a_replay_goes_to_the_tail_marked_and_once) {
  const Seq dead = t.die(1);
  const Seq other = t.put(make_update(2));
  EXPECT_EQ(t.replay(other).skipped, "waiting");
  EXPECT_EQ(t.replay(Seq(99)).skipped, "not_found");
  const Replayed replayed = t.replay(dead);
  ASSERT_EQ(replayed.skipped, "");
  EXPECT_GT(replayed.as, other);
  EXPECT_EQ(t.counts().stored, 2) << "a dead letter moves";
  EXPECT_TRUE(t.counts().dead.empty());
  const Item again = t.begin_one(replayed.as);
  EXPECT_EQ(again.run, 1U);
  EXPECT_EQ(again.starts, 0U);
  EXPECT_EQ(again.body, make_update(1).raw);
  EXPECT_EQ(t.replay(dead, true).skipped, "not_found") << "it lives on as another";
  t.expect_balance();
}

TEST_P(BrowserContract, a_pause_is_remembered) {
  const auto paused = [&](Queue queue) { return test::run(t.io, t.browser().paused(queue)).value(); };
  EXPECT_FALSE(paused(Queue::inbox));
  test::run(t.io, t.browser().set_paused(Queue::inbox, true)).value();
  t.reopen();
  EXPECT_TRUE(paused(Queue::inbox));
  EXPECT_FALSE(paused(Queue::outbox));
  test::run(t.io, t.browser().set_paused(Queue::inbox, false)).value();
  t.reopen();
  EXPECT_FALSE(paused(Queue::inbox));
}

TEST_P(BrowserContract, P2_P8_erasing_takes_away_what_concerns_somebody_and_nothing_else) {
  const auto about = [](std::int64_t id) {
    return [id](const StoredItem& item) { return item.update_id == UpdateId(id); };
  };
  const Seq waiting = t.put(make_update(1, {"chat:1", "user:9"}));
  const Seq later = t.put(make_update(2, {"chat:1"}));
  const Seq dead = t.die(3);
  EXPECT_EQ(t.erase(about(3)).value().waiting, 1);
  EXPECT_EQ(t.erase(about(1)).value().waiting, 1);
  EXPECT_EQ(t.counts().dropped.at("erased"), 2);
  EXPECT_TRUE(t.lease_key("user:9").empty());
  EXPECT_EQ(seqs_of(t.lease_key("chat:1")), std::vector<Seq>{later}) << "the lane goes on";
  EXPECT_TRUE(t.begin({waiting, dead}).empty());
  EXPECT_TRUE(t.begin_one(later).order_gap) << "P6: one before it was never handled";
  EXPECT_TRUE(t.put(updates_of({1}))[0].duplicate) << "its id stays known";
  EXPECT_TRUE(t.trace(1).empty());
  EXPECT_EQ(t.erase(about(1)).value().waiting, 0);
  t.expect_balance();
  t.reopen();
  t.expect_balance();
  EXPECT_EQ(t.find_seqs(), std::vector<Seq>{later});
}

TEST_P(BrowserContract, erasing_takes_away_state_by_its_key) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  Settlement done = settlement(seq, Kind::done);
  done.state.emplace_back("session", "user:9", "about nine");
  done.state.emplace_back("cart", "user:9", "apples");
  done.state.emplace_back("session", "user:99", "about somebody else");
  t.settle(std::move(done));
  const Erased erased = t.erase([](const StoredItem&) { return false; }, {"user:9"}).value();
  EXPECT_EQ(erased.state, 2);
  EXPECT_EQ(erased.waiting + erased.finished, 0);
  EXPECT_FALSE(t.state("session", "user:9").has_value());
  EXPECT_EQ(t.state("session", "user:99"), "about somebody else");
}

// Waits for the deliveries that run, as the handler has the update in its hands.
class Erasing {
 public:
  Erasing(BrowserUnderTest& t, Result<Erased>& result) : t_(t), result_(result) {}
  asio::awaitable<void> run() {
    EraseRequest request;
    request.concerns = [](const StoredItem& item) { return item.update_id == UpdateId(1); };
    result_ = co_await t_.browser().erase(std::move(request));
    ended = true;
  }
  bool ended = false;

 private:
  BrowserUnderTest& t_;
  Result<Erased>& result_;
};

TEST_P(BrowserContract, erasing_waits_for_a_delivery_that_runs_and_takes_what_it_left) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  Result<Erased> result;
  Erasing erasing(t, result);
  asio::co_spawn(t.io, erasing.run(), asio::detached);
  // Other questions take their turns until it has found the item in flight.
  for (int turn = 0; turn < 50; ++turn) {
    EXPECT_EQ(t.counts().in_flight, 1);
    t.clock.advance(milliseconds(10));
  }
  EXPECT_FALSE(erasing.ended);
  Settlement done = settlement(seq, Kind::done);
  done.calls.emplace_back("sendMessage", R"({"chat_id":1})");
  EXPECT_TRUE(t.settle(std::move(done)));
  while (!erasing.ended) {
    t.clock.advance(milliseconds(250));
    t.counts();
  }
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->waiting, 1) << "the call";
  EXPECT_EQ(result->finished, sqlite() ? 1 : 0);
  EXPECT_TRUE(t.find(ItemFilter(Queue::outbox)).empty());
  t.expect_balance();
}

TEST_P(BrowserContract, erasing_says_which_delivery_does_not_end) {
  const Seq seq = t.put(make_update(1));
  t.begin_one(seq);
  Result<Erased> result;
  Erasing erasing(t, result);
  asio::co_spawn(t.io, erasing.run(), asio::detached);
  while (!erasing.ended) {
    t.clock.advance(seconds(1));
    t.counts();
  }
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().text().find("inbox " + std::to_string(seq.value())), std::string::npos)
      << result.error().text();
  EXPECT_NE(result.error().text().find("Pause"), std::string::npos);
  EXPECT_TRUE(t.settle(settlement(seq, Kind::done)));
  t.expect_balance();
}

}  // namespace
}  // namespace tgkeep::store
