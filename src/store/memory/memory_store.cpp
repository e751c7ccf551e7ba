#include <array>
#include <deque>
#include <list>
#include <tgkeep/memory_store.hpp>

#include "loop/event.hpp"
#include "rules/mutant.hpp"
#include "store/memory/memory_queue.hpp"

namespace tgkeep::store {

namespace {

constexpr std::chrono::hours kDedupWindow{72};

class MemoryStore final : public Store, public StoreBrowser {
 public:
  MemoryStore(asio::any_io_executor loop, Clock& clock) : loop_(std::move(loop)), clock_(clock) {}

  asio::awaitable<Result<std::vector<PutResult>>> put(std::vector<Update> updates) override;
  asio::awaitable<Result<std::vector<Head>>> lease(LeaseRequest request) override;
  asio::awaitable<Result<std::vector<Item>>> begin(Queue queue, std::vector<Seq> seqs, Mark) override;
  asio::awaitable<Result<void>> renew(Queue, std::vector<Seq>) override { co_return Result<void>(); }
  asio::awaitable<Result<std::vector<bool>>> settle(std::vector<Settlement> settlements) override;
  asio::awaitable<Result<StoreCounts>> counts() override;
  Epoch epoch() const noexcept override { return Epoch(1); }
  StoreBrowser* browser() noexcept override { return this; }

  asio::awaitable<Result<std::vector<DeadLetter>>> dead_letters(Queue queue, Seq after,
                                                                std::size_t limit) override;
  asio::awaitable<Result<Seq>> retry(Queue queue, Seq seq) override;
  asio::awaitable<Result<std::optional<std::string>>> state(BotId bot, std::string space,
                                                            std::string key) override;
  asio::awaitable<Result<void>> audit() override;

 private:
  using Id = std::pair<BotId, UpdateId>;
  class Seen {
   public:
    Seen(Seq seq, WallTime at) : seq(seq), at(at) {}
    Seq seq;
    WallTime at;
  };

  MemoryQueue& queue(Queue name) noexcept { return name == Queue::inbox ? inbox_ : outbox_; }
  PutResult put_one(Update& update, WallTime now);
  bool settle_one(const Settlement& settlement, WallTime now);
  void finish(const Settlement& settlement, const Row& row, WallTime now);
  void die(MemoryQueue& rows, const Settlement& settlement, const Row& row, std::string reason, WallTime now);
  void forget_old(WallTime now);
  void wake();

  asio::any_io_executor loop_;
  Clock& clock_;
  MemoryQueue inbox_{Queue::inbox};
  MemoryQueue outbox_{Queue::outbox};
  std::map<Id, Seen> seen_;
  std::deque<std::pair<WallTime, Id>> seen_order_;
  std::unordered_set<KeyHash> gaps_;
  std::map<std::tuple<BotId, std::string, std::string>, std::string> state_;
  std::list<loop::Event*> waiting_;
};

void MemoryStore::wake() {
  for (loop::Event* event : waiting_) event->notify();
}

void MemoryStore::forget_old(WallTime now) {
  while (!seen_order_.empty() && seen_order_.front().first < now - kDedupWindow) {
    const auto found = seen_.find(seen_order_.front().second);
    if (found != seen_.end() && found->second.at == seen_order_.front().first) seen_.erase(found);
    seen_order_.pop_front();
  }
}

PutResult MemoryStore::put_one(Update& update, WallTime now) {
  const Id id(update.bot, update.id);
  const auto found = seen_.find(id);
  if (found != seen_.end() && !rules::mutant("no_dedup")) {
    ++inbox_.totals().duplicates;
    return PutResult(inbox_.contains(found->second.seq) ? found->second.seq : Seq(), true);
  }
  const Seq seq = inbox_.next_seq();
  seen_.insert_or_assign(id, Seen(seq, now));
  seen_order_.emplace_back(now, id);
  std::string unreadable = std::move(update.unreadable);
  Row row = row_of(std::move(update), seq);
  if (unreadable.empty()) {
    inbox_.add(std::move(row));
  } else {
    inbox_.add_dead(std::move(row), "unreadable", std::move(unreadable), now);
  }
  return PutResult(seq, false);
}

asio::awaitable<Result<std::vector<PutResult>>> MemoryStore::put(std::vector<Update> updates) {
  const WallTime now = clock_.wall();
  forget_old(now);
  std::vector<PutResult> results;
  results.reserve(updates.size());
  for (Update& update : updates) results.push_back(put_one(update, now));
  wake();
  co_return results;
}

asio::awaitable<Result<std::vector<Head>>> MemoryStore::lease(LeaseRequest request) {
  class Waiting {
   public:
    Waiting(std::list<loop::Event*>& list, loop::Event& event)
        : list_(list), place_(list.insert(list.end(), &event)) {}
    ~Waiting() { list_.erase(place_); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    std::list<loop::Event*>& list_;
    std::list<loop::Event*>::iterator place_;
  };
  loop::Event arrived(loop_);
  const Waiting waiting(waiting_, arrived);
  for (;;) {
    std::vector<Head> heads = queue(request.queue).heads(request);
    if (!heads.empty() || request.key || request.limit == 0) co_return heads;
    co_await arrived.wait();
  }
}

asio::awaitable<Result<std::vector<Item>>> MemoryStore::begin(Queue name, std::vector<Seq> seqs, Mark) {
  std::vector<Item> items;
  items.reserve(seqs.size());
  for (const Seq seq : seqs) {
    Row* row = queue(name).begin(seq);
    if (row == nullptr) continue;
    bool gap = false;
    for (const auto& key : row->keys) gap = gap || (name == Queue::inbox && gaps_.contains(key.hash()));
    std::string body = row->body;
    items.push_back(item_of(name, *row, epoch(), gap));
    row->body = std::move(body);
  }
  co_return items;
}

void MemoryStore::finish(const Settlement& settlement, const Row& row, WallTime now) {
  for (const auto& key : row.keys) {
    if (settlement.queue == Queue::inbox) gaps_.erase(key.hash());
  }
  std::uint32_t n = 0;
  for (const Call& call : settlement.calls) outbox_.add(row_of(call, row, n++, outbox_.next_seq(), now));
  for (const StateWrite& write : settlement.state) {
    auto key = std::make_tuple(row.bot, write.space, write.key);
    if (write.bytes) {
      state_.insert_or_assign(std::move(key), *write.bytes);
    } else {
      state_.erase(key);
    }
  }
  queue(settlement.queue).done(row.seq);
}

void MemoryStore::die(MemoryQueue& rows, const Settlement& settlement, const Row& row, std::string reason,
                      WallTime now) {
  if (leaves_gap(settlement.queue, reason)) {
    for (const auto& key : row.keys) gaps_.insert(key.hash());
  }
  rows.die(row.seq, std::move(reason), settlement.error, now);
}

bool MemoryStore::settle_one(const Settlement& settlement, WallTime now) {
  MemoryQueue& rows = queue(settlement.queue);
  Row* row = rows.in_flight(settlement.seq);
  if (row == nullptr) return false;
  if (settlement.survived) row->crashes = 0;
  const bool doubt = settlement.kind == Settlement::Kind::doubt && settlement.queue == Queue::outbox;
  if (doubt) ++rows.totals().in_doubt;
  if (settlement.kind == Settlement::Kind::done) {
    finish(settlement, *row, now);
  } else if (settlement.kind == Settlement::Kind::dead) {
    die(rows, settlement, *row, settlement.reason.empty() ? "unknown" : settlement.reason, now);
  } else if (doubt && row->doubt == DoubtPolicy::skip) {
    die(rows, settlement, *row, "skipped", now);
  } else if (doubt && row->doubt == DoubtPolicy::ask) {
    rows.hold(row->seq, settlement.error, now);
  } else {
    row->due = settlement.due;
    if (settlement.kind != Settlement::Kind::release && settlement.counts) {
      ++row->attempts;
      if (!row->first_failed) row->first_failed = now;
    }
    rows.put_back(*row);
  }
  return true;
}

asio::awaitable<Result<std::vector<bool>>> MemoryStore::settle(std::vector<Settlement> settlements) {
  const WallTime now = clock_.wall();
  std::vector<bool> written;
  written.reserve(settlements.size());
  for (const Settlement& settlement : settlements) written.push_back(settle_one(settlement, now));
  wake();
  co_return written;
}

asio::awaitable<Result<StoreCounts>> MemoryStore::counts() {
  StoreCounts counts;
  counts.inbox = inbox_.counts();
  counts.outbox = outbox_.counts();
  co_return counts;
}

asio::awaitable<Result<std::vector<DeadLetter>>> MemoryStore::dead_letters(Queue name, Seq after,
                                                                           std::size_t limit) {
  std::vector<DeadLetter> letters;
  const auto& dead = queue(name).dead();
  for (auto it = dead.upper_bound(after); it != dead.end() && letters.size() < limit; ++it) {
    const Row& row = it->second.row;
    DeadLetter letter;
    letter.queue = name;
    letter.seq = row.seq;
    letter.bot = row.bot;
    letter.update_id = row.update_id;
    letter.kind = row.kind;
    if (!row.keys.empty()) letter.key = row.keys.front().text();
    letter.reason = it->second.reason;
    letter.error = it->second.error;
    letter.attempts = row.attempts;
    letter.crashes = row.crashes;
    letter.received = row.received;
    letter.died = it->second.died;
    letter.body = row.body;
    letters.push_back(std::move(letter));
  }
  co_return letters;
}

asio::awaitable<Result<Seq>> MemoryStore::retry(Queue name, Seq seq) {
  MemoryQueue& rows = queue(name);
  const auto found = rows.dead().find(seq);
  if (found == rows.dead().end()) {
    co_return Error(Errc::not_found, std::string(to_string(name)) + " has no dead letter or held call " +
                                         std::to_string(seq.value()) + "; list them to see which there are");
  }
  const Id id(found->second.row.bot, found->second.row.update_id);
  const Seq revived = *rows.revive(seq);
  const auto original = seen_.find(id);
  if (name == Queue::inbox && original != seen_.end() && original->second.seq == seq)
    original->second.seq = revived;
  wake();
  co_return revived;
}

asio::awaitable<Result<std::optional<std::string>>> MemoryStore::state(BotId bot, std::string space,
                                                                       std::string key) {
  const auto found = state_.find(std::make_tuple(bot, std::move(space), std::move(key)));
  std::optional<std::string> bytes;
  if (found != state_.end()) bytes = found->second;
  co_return bytes;
}

asio::awaitable<Result<void>> MemoryStore::audit() {
  std::string difference = inbox_.audit();
  if (difference.empty()) difference = outbox_.audit();
  if (difference.empty()) co_return Result<void>();
  co_return Error(Errc::corrupt, "the memory store's books do not balance: " + difference);
}

}  // namespace

std::unique_ptr<Store> make_memory_store(const asio::any_io_executor& loop, Clock& clock) {
  return std::make_unique<MemoryStore>(loop, clock);
}

}  // namespace tgkeep::store
