#include "prove/scenario.hpp"

#include <algorithm>
#include <tgkeep/store_browser.hpp>
#include <utility>

#include "loop/virtual_clock.hpp"
#include "prove/dice.hpp"
#include "store/sqlite/archive_now.hpp"

namespace tgkeep::prove {

namespace asio = boost::asio;
using Kind = Settlement::Kind;

namespace {

constexpr std::size_t kAll = 1'000'000;
constexpr std::int64_t kChats = 6;

WallTime now() {
  return loop::VirtualClock().wall();
}

Update make_update(std::int64_t id, Dice& dice) {
  Update update;
  update.bot = BotId(42);
  update.id = UpdateId(id);
  update.kind = "message";
  for (std::int64_t keys = dice.between(0, 2); keys > 0; --keys) {
    OrderingKey key(update.bot, "chat:" + std::to_string(dice.between(1, kChats)));
    if (std::ranges::find(update.keys, key) == update.keys.end()) update.keys.push_back(std::move(key));
  }
  update.received = now();
  // Some are longer than a page.
  const std::size_t length = dice.chance(0.1) ? 9000 : 20;
  update.raw = R"({"update_id":)" + std::to_string(id) + R"(,"message":{"text":")" +
               std::string(length, static_cast<char>('a' + id % 26)) + R"("}})";
  if (dice.chance(0.05)) update.unreadable = "a test";
  return update;
}

std::vector<Seq> waiting(store::MemoryShelf& shelf, Queue queue) {
  std::vector<Seq> seqs;
  for (const Head& head : shelf.heads(LeaseRequest(queue, Seq(), kAll))) seqs.push_back(head.seq);
  return seqs;
}

std::vector<Seq> some_of(std::vector<Seq> seqs, std::size_t most, Dice& dice) {
  while (seqs.size() > most)
    seqs.erase(seqs.begin() + static_cast<std::ptrdiff_t>(dice.next() % seqs.size()));
  return seqs;
}

Settlement choose_settlement(Queue queue, Seq seq, Dice& dice) {
  const auto kinds = queue == Queue::outbox ? 4 : 3;
  Settlement chosen(queue, seq, dice.chance(0.5) ? Kind::done : static_cast<Kind>(dice.between(0, kinds)));
  chosen.due = now() + std::chrono::milliseconds(dice.between(0, 1000));
  chosen.reason = "given_up";
  chosen.error = "an error";
  if (chosen.kind != Kind::done || queue == Queue::outbox) return chosen;
  for (std::int64_t n = dice.between(0, 2); n > 0; --n) {
    chosen.calls.emplace_back("sendMessage", R"({"chat_id":)" + std::to_string(dice.between(1, kChats)) + "}",
                              static_cast<DoubtPolicy>(dice.between(0, 2)));
  }
  chosen.state.emplace_back("s", std::to_string(dice.between(0, 3)), std::to_string(dice.between(0, 1000)));
  return chosen;
}

void apply(const Step& step, store::MemoryShelf& shelf) {
  switch (step.kind) {
    case Step::Kind::put:
      shelf.put(step.updates, now());
      break;
    case Step::Kind::begin:
      shelf.begin(step.queue, step.seqs, step.mark);
      break;
    case Step::Kind::renew:
      shelf.renew(step.queue, step.seqs);
      break;
    case Step::Kind::settle:
      shelf.settle(step.settlements, now());
      break;
    case Step::Kind::retry:
      shelf.retry(step.queue, step.seqs.front());
      break;
    case Step::Kind::note:
      shelf.note(step.handouts);
      break;
    case Step::Kind::archive:  // nothing that can be asked for changes
      break;
    case Step::Kind::reopen:
      shelf.open(now());
      break;
  }
}

}  // namespace

Scenario::Scenario(std::uint64_t seed, std::size_t steps) {
  Dice dice(seed);
  store::MemoryShelf shelf;
  shelf.open(now());
  while (steps_.size() < steps) {
    Step step = choose_step(dice.next() % 100, shelf, dice);
    apply(step, shelf);
    steps_.push_back(std::move(step));
  }
}

Step Scenario::choose_step(std::uint64_t roll, store::MemoryShelf& shelf, Dice& dice) {
  const Queue queue = dice.chance(0.35) ? Queue::outbox : Queue::inbox;
  Step step(Step::Kind::put);
  step.queue = queue;
  const auto flying = shelf.in_flight(queue);
  const std::vector<Seq> lying = waiting(shelf, queue);
  if (roll < 25 && !lying.empty()) {
    step.kind = Step::Kind::begin;
    step.seqs = some_of(lying, static_cast<std::size_t>(dice.between(1, 4)), dice);
    step.mark = queue == Queue::inbox && dice.chance(0.15) ? Mark::solo : Mark::shared;
  } else if (roll < 30 && !flying.empty()) {
    step.kind = Step::Kind::renew;
    step.seqs = flying;
  } else if (roll < 60 && !flying.empty()) {
    step.kind = Step::Kind::settle;
    for (const Seq seq : some_of(flying, static_cast<std::size_t>(dice.between(1, 3)), dice))
      step.settlements.push_back(choose_settlement(queue, seq, dice));
  } else if (roll < 65) {
    const std::vector<StoredItem> dead = shelf.dead_letters(queue);
    if (!dead.empty()) {
      step.kind = Step::Kind::retry;
      step.seqs = {dead[dice.next() % dead.size()].seq};
    }
  } else if (roll < 68) {
    step.kind = Step::Kind::reopen;
  } else if (roll < 73) {
    step.kind = Step::Kind::archive;
  } else if (roll < 80) {
    for (const Seq seq : shelf.in_flight(Queue::inbox))
      step.handouts.emplace_back(PullId(next_number_++), seq, now());
    if (!step.handouts.empty()) step.kind = Step::Kind::note;
  }
  if (step.kind != Step::Kind::put) return step;
  for (std::int64_t count = dice.between(1, 5); count > 0; --count) {
    const bool again = next_update_ > 1 && dice.chance(0.1);
    step.updates.push_back(make_update(again ? dice.between(1, next_update_ - 1) : next_update_++, dice));
  }
  return step;
}

std::unique_ptr<store::MemoryShelf> Scenario::after(std::size_t count) const {
  auto shelf = std::make_unique<store::MemoryShelf>();
  shelf->open(now());
  for (std::size_t i = 0; i < count && i < steps_.size(); ++i) apply(steps_[i], *shelf);
  shelf->open(now());
  return shelf;
}

std::size_t Scenario::durable(std::size_t count) const {
  while (count > 0 && !steps_[count - 1].is_synced()) --count;
  return count;
}

asio::awaitable<Result<void>> perform(Store& store, Step step) {
  Result<void> done;
  if (step.kind == Step::Kind::put) {
    const auto put = co_await store.put(std::move(step.updates));
    if (!put) done = put.error();
  } else if (step.kind == Step::Kind::begin) {
    const auto begun = co_await store.begin(step.queue, std::move(step.seqs), step.mark);
    if (!begun) done = begun.error();
  } else if (step.kind == Step::Kind::renew) {
    done = co_await store.renew(step.queue, std::move(step.seqs));
  } else if (step.kind == Step::Kind::settle) {
    const auto settled = co_await store.settle(std::move(step.settlements));
    if (!settled) done = settled.error();
  } else if (step.kind == Step::Kind::retry) {
    const Seq seq = step.seqs.front();
    const auto revived = co_await store.browser()->retry(step.queue, seq);
    if (!revived) done = revived.error();
  } else if (step.kind == Step::Kind::note) {
    done = co_await store.handouts()->note(std::move(step.handouts));
  } else if (step.kind == Step::Kind::archive) {
    store::archive_now(store);
  }
  co_return done;
}

}  // namespace tgkeep::prove
