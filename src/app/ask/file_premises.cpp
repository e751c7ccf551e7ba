#include "app/ask/file_premises.hpp"

#include <array>
#include <tgkeep/sqlite_files.hpp>
#include <tgkeep/sqlite_store.hpp>
#include <utility>

namespace tgkeep::app {

namespace {

namespace asio = boost::asio;

Error is_down() {
  return Error(Errc::misuse,
               "no tgkeep is running on this configuration; start it with `tgkeep serve`, or name the "
               "folder of the one that runs");
}

/// One bot's files, read or owned.
class StoredBot : public admin::OperatedBot {
 public:
  explicit StoredBot(admin::BotFacts facts) : facts_(std::move(facts)) {}

  const admin::BotFacts& facts() const override { return facts_; }
  bool paused(Queue queue) const override { return paused_[index(queue)]; }

  asio::awaitable<Result<void>> set_paused(Queue queue, bool paused) override {
    Result<void> written = co_await browser()->set_paused(queue, paused);
    if (written.has_value()) paused_[index(queue)] = paused;
    co_return written;
  }

  /// Reads what only the store knows.
  asio::awaitable<Result<void>> look() {
    for (const Queue queue : {Queue::inbox, Queue::outbox}) {
      const Result<bool> paused = co_await browser()->paused(queue);
      if (paused.has_error()) co_return paused.error();
      paused_[index(queue)] = *paused;
    }
    if (facts_.id == BotId()) {
      ItemFilter any;
      const Result<ItemPage> first = co_await browser()->find(any, Seq(), 1, false, false);
      if (first.has_value() && !first->items.empty()) facts_.id = first->items.front().bot;
    }
    Result<void> success;
    co_return success;
  }

 private:
  static std::size_t index(Queue queue) { return queue == Queue::inbox ? 0 : 1; }

  admin::BotFacts facts_;
  std::array<bool, 2> paused_{};
};

class OwnedBot final : public StoredBot {
 public:
  OwnedBot(admin::BotFacts facts, std::unique_ptr<Store> store)
      : StoredBot(std::move(facts)), store_(std::move(store)) {}
  asio::awaitable<Result<StoreCounts>> counts() override { return store_->counts(); }
  StoreStats store_stats() const override { return store_->stats(); }
  Epoch epoch() const override { return store_->epoch(); }
  StoreBrowser* browser() override { return store_->browser(); }

 private:
  std::unique_ptr<Store> store_;
};

class ReadBot final : public StoredBot {
 public:
  ReadBot(admin::BotFacts facts, std::unique_ptr<store::SqliteReader> reader, std::uint64_t reserve)
      : StoredBot(std::move(facts)), reader_(std::move(reader)), reserve_(reserve) {}
  asio::awaitable<Result<StoreCounts>> counts() override { return reader_->counts(); }
  StoreStats store_stats() const override {
    StoreStats stats = reader_->stats();
    stats.reserve = reserve_;
    return stats;
  }
  Epoch epoch() const override { return reader_->epoch(); }
  StoreBrowser* browser() override { return &reader_->browser(); }

 private:
  std::unique_ptr<store::SqliteReader> reader_;
  std::uint64_t reserve_;
};

Result<std::unique_ptr<StoredBot>> open_bot(const asio::any_io_executor& loop, Clock& clock, StoredFacts& bot,
                                            Access access, const Log& log) {
  if (access == Access::read) {
    auto reader = store::open_sqlite_reader(loop, clock, bot.facts.folder);
    if (reader.has_error()) return reader.error();
    return std::unique_ptr<StoredBot>(
        std::make_unique<ReadBot>(std::move(bot.facts), std::move(*reader), bot.store.reserve));
  }
  auto store = store::open_sqlite_store(loop, clock, std::move(bot.store), log);
  if (store.has_error()) return store.error();
  return std::unique_ptr<StoredBot>(std::make_unique<OwnedBot>(std::move(bot.facts), std::move(*store)));
}

class FilePremises final : public admin::Premises {
 public:
  FilePremises(asio::any_io_executor loop, Clock& clock) : loop_(std::move(loop)), clock_(clock) {}

  bool live() const override { return false; }
  asio::any_io_executor loop() const override { return loop_; }
  Clock& clock() override { return clock_; }
  WallTime started() const override { return WallTime(); }
  std::vector<admin::OperatedBot*> bots() override {
    std::vector<admin::OperatedBot*> all;
    for (const auto& bot : bots_) all.push_back(bot.get());
    return all;
  }
  asio::awaitable<Result<void>> drain() override { co_return is_down(); }
  asio::awaitable<Result<void>> resume_receiving() override { co_return is_down(); }
  Result<void> stop() override { return is_down(); }
  asio::awaitable<Result<std::vector<std::string>>> reload() override { co_return is_down(); }

  StoredBot& add(std::unique_ptr<StoredBot> bot) { return *bots_.emplace_back(std::move(bot)); }

 private:
  asio::any_io_executor loop_;
  Clock& clock_;
  std::vector<std::unique_ptr<StoredBot>> bots_;
};

}  // namespace

asio::awaitable<Result<std::unique_ptr<admin::Premises>>> open_files(asio::any_io_executor loop, Clock& clock,
                                                                     std::vector<StoredFacts> bots,
                                                                     Access access, Log log) {
  auto premises = std::make_unique<FilePremises>(loop, clock);
  for (StoredFacts& bot : bots) {
    Result<std::unique_ptr<StoredBot>> opened = open_bot(loop, clock, bot, access, log);
    if (opened.has_error()) co_return opened.error();
    StoredBot& added = premises->add(std::move(*opened));
    const Result<void> looked = co_await added.look();
    if (looked.has_error()) co_return looked.error();
  }
  std::unique_ptr<admin::Premises> all = std::move(premises);
  Result<std::unique_ptr<admin::Premises>> result(std::move(all));
  co_return result;
}

}  // namespace tgkeep::app
