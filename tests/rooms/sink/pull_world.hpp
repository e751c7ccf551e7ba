#pragma once
// A store, the runner, the pull sink and a bot that polls, in virtual time; the bot and tgkeep die at any
// moment. What must not happen is checked as it happens.

#include <algorithm>
#include <memory>
#include <tgkeep/memory_store.hpp>
#include <tgkeep/runner.hpp>

#include "rooms/runner/runner_bench.hpp"
#include "rooms/sink/pull_bench.hpp"
#include "store/memory/memory_shelf.hpp"
#include "support/random.hpp"

namespace tgkeep::test {

/// What has happened to the updates, over all lives.
class Diary {
 public:
  std::map<std::int64_t, std::string> keys;  ///< of every update put, by its id
  std::map<std::int64_t, int> handled;       ///< how often the bot finished it
  std::set<std::int64_t> done;               ///< durably

  void handle(std::int64_t id) {
    for (const auto& [other, key] : keys) {
      if (other >= id) break;
      EXPECT_TRUE(key != keys.at(id) || done.contains(other))
          << id << " was handled before " << other << " of the same chat was done";
    }
    EXPECT_FALSE(done.contains(id)) << id << " was done already";
    ++handled[id];
  }
  /// Would be handled again if the bot forgot now.
  std::size_t handled_not_done() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(handled, [this](const auto& entry) { return !done.contains(entry.first); }));
  }
  std::size_t repeats() const {
    std::size_t repeats = 0;
    for (const auto& [id, times] : handled) repeats += static_cast<std::size_t>(times - 1);
    return repeats;
  }
};

/// After `kill` nothing reaches the shelf any more.
class MortalStore final : public Store {
 public:
  MortalStore(Store& real, Diary& diary, BookShelf& book) : real_(real), diary_(diary), book_(book) {}
  void kill() { killed_ = true; }

  asio::awaitable<Result<std::vector<PutResult>>> put(std::vector<Update> updates) override {
    return real_.put(std::move(updates));
  }
  asio::awaitable<Result<std::vector<Head>>> lease(LeaseRequest request) override {
    return real_.lease(request);
  }
  asio::awaitable<Result<std::vector<Item>>> begin(Queue queue, std::vector<Seq> seqs, Mark mark) override {
    if (killed_) co_return dead();
    auto items = co_await real_.begin(queue, std::move(seqs), mark);
    if (items) {
      for (const Item& item : *items) ids_[item.seq] = item.update_id.value();
    }
    co_return items;
  }
  asio::awaitable<Result<void>> renew(Queue queue, std::vector<Seq> seqs) override {
    return real_.renew(queue, std::move(seqs));
  }
  asio::awaitable<Result<std::vector<bool>>> settle(std::vector<Settlement> settlements) override {
    if (killed_) co_return dead();
    for (const Settlement& settlement : settlements) {
      if (settlement.kind != Settlement::Kind::done) continue;
      const std::int64_t id = ids_.at(settlement.seq);
      EXPECT_TRUE(diary_.handled.contains(id)) << id << " is done, but the bot never handled it";
      diary_.done.insert(id);
      book_.settled.insert(settlement.seq);
    }
    auto written = co_await real_.settle(std::move(settlements));
    co_return written;
  }
  asio::awaitable<Result<StoreCounts>> counts() override { return real_.counts(); }
  Epoch epoch() const noexcept override { return real_.epoch(); }

 private:
  static Error dead() { return Error(Errc::store_broken, "killed"); }

  Store& real_;
  Diary& diary_;
  BookShelf& book_;
  std::map<Seq, std::int64_t> ids_;
  bool killed_ = false;
};

/// tgkeep, from its start to its death.
class Keeper {
 public:
  Keeper(asio::io_context& io, loop::VirtualClock& clock, std::shared_ptr<store::MemoryShelf> shelf,
         BookShelf& handouts, Diary& diary)
      : io_(io),
        clock_(clock),
        real_(store::open_memory_store(io.get_executor(), clock, std::move(shelf))),
        store(*real_, diary, handouts),
        book(io.get_executor(), handouts),
        sink(sink::make_pull_sink(io.get_executor(), clock, &book, options(), Log())),
        runner_(make_runner(io.get_executor(), clock, store, Queue::inbox, *sink, inbox(), Log())) {
    runner_->start();
  }
  ~Keeper() { stop(*runner_, io_, clock_, Duration::zero()); }
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  void kill() {
    store.kill();
    book.fail = true;
  }

 private:
  static sink::PullOptions options() {
    sink::PullOptions options;
    options.max_lone_restarts = 1'000'000;  // here the bot dies by chance
    return options;
  }
  static RunnerOptions inbox() {
    RunnerOptions options;
    options.limit = 20;
    options.timeout = std::chrono::hours(100'000);
    options.suspect_after = options.max_crashes = 1'000'000;
    options.seed = 1;
    return options;
  }

  asio::io_context& io_;
  loop::VirtualClock& clock_;
  std::unique_ptr<Store> real_;

 public:
  MortalStore store;
  FakeHandouts book;
  std::unique_ptr<sink::PullSink> sink;

 private:
  std::unique_ptr<Runner> runner_;
};

/// Everything, and the bot's process: what it has been given and not yet done, and its offset.
class PullWorld {
 public:
  PullWorld(Random& random, bool settles) : random_(random), settles_(settles) { start(); }
  ~PullWorld() { end_poll(); }
  PullWorld(const PullWorld&) = delete;
  PullWorld& operator=(const PullWorld&) = delete;

  void put(std::int64_t count) {
    std::vector<Update> updates;
    for (; count > 0; --count) {
      const std::int64_t id = static_cast<std::int64_t>(diary.keys.size()) + 1;
      const std::string key = std::to_string(random_.between(1, 12));
      diary.keys.emplace(id, "chat:" + key);
      updates.push_back(make_update(id, {key}, clock_.wall()));
    }
    ASSERT_TRUE(run(io_, keeper_->store.put(std::move(updates))));
  }

  /// Starts a poll, or looks what became of it.
  void poll() {
    if (!fetch_) {
      sink::PullRequest request;
      request.offset = offset_;
      request.limit = static_cast<std::size_t>(random_.between(1, 10));
      request.wait = random_.chance(0.5) ? Duration::zero() : std::chrono::seconds(random_.between(1, 20));
      request.settles = settles_;
      fetch_.emplace();
      auto on_end = [this](const std::exception_ptr& failure, sink::PullAnswer answer) {
        fetch_->failure = failure;
        if (!failure) fetch_->result = std::move(answer);
      };
      asio::co_spawn(io_, keeper_->sink->pull(std::move(request)),
                     asio::bind_cancellation_slot(fetch_->cancel.slot(), std::move(on_end)));
    }
    pass(Duration::zero());
    if (!fetch_->ended()) return;
    const bool reply_lost = random_.chance(0.1);
    if (fetch_->result && !reply_lost) {
      for (const sink::PulledUpdate& update : fetch_->result->updates) {
        const std::int64_t number = shown(update.id);
        EXPECT_GE(number, offset_) << "a bot may ignore what is below its offset";
        hand_.insert_or_assign(number, update.delivery->item.update_id.value());
      }
    }
    fetch_.reset();
    if (!settles_ && hand_.empty()) return;
    if (settles_) advance();
  }

  /// Handles one of what it has, in order, or in any order when it settles.
  void work() {
    if (hand_.empty()) return;
    auto one = hand_.begin();
    if (settles_) std::advance(one, random_.between(0, static_cast<std::int64_t>(hand_.size()) - 1));
    const auto [number, id] = *one;
    if (!finished_.contains(number)) diary.handle(id);
    finished_.insert(number);
    if (settles_) {
      http::ServerRequest request;
      request.method = "POST";
      request.body = R"({"update_id":)" + std::to_string(number) + R"(,"action":"done"})";
      const int status = settle(request);
      if (status == 0 || status == 503) return;
      EXPECT_TRUE(status == 200 || status == 404) << status;
      EXPECT_TRUE(status != 200 || diary.done.contains(id)) << id << " was answered before it was written";
    } else {
      offset_ = number + 1;
    }
    hand_.erase(one);
    finished_.erase(number);
  }

  void kill_bot() {
    may_repeat += diary.handled_not_done();
    end_poll();
    hand_.clear();
    finished_.clear();
    offset_ = 0;
  }
  void kill_tgkeep() {
    // What an offset confirms, the bot says again, and what was settled with 200 is done.
    if (settles_) may_repeat += diary.handled_not_done();
    keeper_->kill();
    end_poll();
    start();
  }
  void pass(Duration duration) { loop::run_for(io_, clock_, duration); }

  /// Whether the bot polls: one that confirms by offsets first finishes what it has.
  bool may_poll() const { return settles_ || hand_.empty() || fetch_; }
  QueueCounts counts() { return run(io_, keeper_->store.counts())->inbox; }

  Diary diary;
  std::size_t may_repeat = 0;

 private:
  /// The status, or 0 when the bot hangs up because it has to wait.
  int settle(const http::ServerRequest& request) {
    sink::SettleReply taken = keeper_->sink->settle(request);
    Started<http::ServerReply> asking;
    auto on_end = [&asking](const std::exception_ptr& failure, http::ServerReply reply) {
      asking.failure = failure;
      if (!failure) asking.result = std::move(reply);
    };
    asio::co_spawn(io_, taken.when_written(clock_),
                   asio::bind_cancellation_slot(asking.cancel.slot(), std::move(on_end)));
    pass(Duration::zero());
    asking.cancel.emit(asio::cancellation_type::terminal);
    pass(Duration::zero());
    return asking.result ? asking.result->status : 0;
  }
  void advance() {
    if (!hand_.empty()) offset_ = std::max(offset_, hand_.rbegin()->first + 1);
  }
  void start() {
    keeper_.reset();
    if (shelf_->epoch() >= Epoch()) shelf_->open(clock_.wall());
    keeper_.emplace(io_, clock_, shelf_, handouts_, diary);
    pass(Duration::zero());
  }
  void end_poll() {
    if (!fetch_) return;
    fetch_->cancel.emit(asio::cancellation_type::terminal);
    pass(Duration::zero());
    EXPECT_TRUE(fetch_->ended());
    fetch_.reset();
  }

  Random& random_;
  const bool settles_;
  asio::io_context io_{1};
  loop::VirtualClock clock_;
  std::shared_ptr<store::MemoryShelf> shelf_ = std::make_shared<store::MemoryShelf>();
  BookShelf handouts_;
  std::optional<Keeper> keeper_;
  std::optional<Fetch> fetch_;
  std::map<std::int64_t, std::int64_t> hand_;  // number → update_id
  std::set<std::int64_t> finished_;            // of these, not yet settled
  std::int64_t offset_ = 0;
};

}  // namespace tgkeep::test
