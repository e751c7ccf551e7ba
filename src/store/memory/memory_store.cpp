#include <tgkeep/memory_store.hpp>
#include <tgkeep/store_browser.hpp>

#include "loop/event_list.hpp"
#include "store/erase_patience.hpp"
#include "store/memory/memory_handouts.hpp"
#include "store/memory/memory_shelf.hpp"

namespace tgkeep::store {

namespace {

class MemoryStore final : public Store, public StoreBrowser {
 public:
  MemoryStore(asio::any_io_executor loop, Clock& clock, std::shared_ptr<MemoryShelf> shelf)
      : loop_(std::move(loop)),
        clock_(clock),
        shelf_(std::move(shelf)),
        epoch_(shelf_->epoch()),
        handouts_(shelf_) {}

  asio::awaitable<Result<std::vector<PutResult>>> put(std::vector<Update> updates) override {
    std::vector<PutResult> results = shelf_->put(std::move(updates), clock_.wall());
    waiting_.notify_all();
    co_return results;
  }
  asio::awaitable<Result<std::vector<Head>>> lease(LeaseRequest request) override;
  asio::awaitable<Result<std::vector<Item>>> begin(Queue queue, std::vector<Seq> seqs, Mark mark) override {
    co_return shelf_->begin(queue, seqs, mark);
  }
  asio::awaitable<Result<void>> renew(Queue queue, std::vector<Seq> seqs) override {
    shelf_->renew(queue, seqs);
    co_return Result<void>();
  }
  asio::awaitable<Result<std::vector<bool>>> settle(std::vector<Settlement> settlements) override {
    std::vector<bool> written = shelf_->settle(settlements, clock_.wall());
    waiting_.notify_all();
    co_return written;
  }
  asio::awaitable<Result<StoreCounts>> counts() override { co_return shelf_->counts(); }
  Epoch epoch() const noexcept override { return epoch_; }
  StoreBrowser* browser() noexcept override { return this; }
  Handouts* handouts() noexcept override { return &handouts_; }

  asio::awaitable<Result<ItemPage>> find(ItemFilter filter, Seq after, std::size_t limit, bool newest_first,
                                         bool with_bodies) override {
    co_return shelf_->find(filter, after, limit, newest_first, with_bodies);
  }
  asio::awaitable<Result<StoredItem>> item(Queue queue, Seq seq) override;
  asio::awaitable<Result<std::vector<ItemTrace>>> trace(UpdateId id) override { co_return shelf_->trace(id); }
  asio::awaitable<Result<std::optional<Handout>>> seen_as(std::int64_t update_id) override {
    co_return shelf_->handouts().find_seen_as(update_id);
  }
  asio::awaitable<Result<Seq>> retry(Queue queue, Seq seq) override;
  asio::awaitable<Result<std::vector<bool>>> drop(Queue queue, std::vector<Seq> seqs,
                                                  std::string by) override {
    co_return shelf_->drop(queue, seqs, by);
  }
  asio::awaitable<Result<std::vector<Replayed>>> replay(std::vector<Seq> seqs, bool force) override {
    std::vector<Replayed> replayed = shelf_->replay(seqs, force);
    waiting_.notify_all();
    co_return replayed;
  }
  asio::awaitable<Result<bool>> paused(Queue queue) override { co_return shelf_->paused(queue); }
  asio::awaitable<Result<void>> set_paused(Queue queue, bool paused) override {
    shelf_->set_paused(queue, paused);
    co_return Result<void>();
  }
  asio::awaitable<Result<Erased>> erase(EraseRequest request) override;
  asio::awaitable<Result<BackupReport>> backup(std::string folder, Progress progress) override;
  asio::awaitable<Result<std::optional<std::string>>> state(BotId bot, std::string space,
                                                            std::string key) override {
    co_return shelf_->state(bot, space, key);
  }
  asio::awaitable<Result<void>> audit() override;

 private:
  asio::any_io_executor loop_;
  Clock& clock_;
  std::shared_ptr<MemoryShelf> shelf_;
  Epoch epoch_;
  MemoryHandouts handouts_;
  loop::EventList waiting_;
};

asio::awaitable<Result<std::vector<Head>>> MemoryStore::lease(LeaseRequest request) {
  loop::Event arrived(loop_);
  const loop::EventList::Place place(waiting_, arrived);
  for (;;) {
    std::vector<Head> heads = shelf_->heads(request);
    if (!heads.empty() || request.key || request.limit == 0) co_return heads;
    co_await arrived.wait();
  }
}

asio::awaitable<Result<StoredItem>> MemoryStore::item(Queue queue, Seq seq) {
  std::optional<StoredItem> item = shelf_->item(queue, seq);
  if (!item) co_return no_such_item(queue, seq);
  co_return std::move(*item);
}

asio::awaitable<Result<Seq>> MemoryStore::retry(Queue queue, Seq seq) {
  const std::optional<Seq> revived = shelf_->retry(queue, seq);
  if (!revived) co_return no_such_letter(queue, seq);
  waiting_.notify_all();
  co_return *revived;
}

asio::awaitable<Result<Erased>> MemoryStore::erase(EraseRequest request) {
  Erased all;
  const ErasePatience patience(clock_.mono());
  for (;;) {
    std::vector<std::pair<Queue, Seq>> in_flight;
    add(all, shelf_->erase(request, in_flight));
    if (in_flight.empty()) co_return all;
    if (patience.ended(clock_.mono())) co_return still_in_flight(in_flight);
    co_await loop::sleep_for(clock_, ErasePatience::kPause);
  }
}

asio::awaitable<Result<BackupReport>> MemoryStore::backup(std::string, Progress) {
  co_return Error(Errc::misuse,
                  "this store keeps everything in memory, there are no files to copy; give the bot a folder "
                  "to have a store that can be backed up");
}

asio::awaitable<Result<void>> MemoryStore::audit() {
  const std::string difference = shelf_->audit();
  if (difference.empty()) co_return Result<void>();
  co_return Error(Errc::corrupt, "the memory store's books do not balance: " + difference);
}

}  // namespace

std::unique_ptr<Store> make_memory_store(const asio::any_io_executor& loop, Clock& clock) {
  return open_memory_store(loop, clock, std::make_shared<MemoryShelf>());
}

std::unique_ptr<Store> open_memory_store(const asio::any_io_executor& loop, Clock& clock,
                                         std::shared_ptr<MemoryShelf> shelf) {
  shelf->open(clock.wall());
  return std::make_unique<MemoryStore>(loop, clock, std::move(shelf));
}

}  // namespace tgkeep::store
