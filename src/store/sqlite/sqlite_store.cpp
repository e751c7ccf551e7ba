// The verbs as coroutines: each makes a request, hands it to the store thread and waits for it on the loop.
#include <tgkeep/sqlite_store.hpp>

#include "store/sqlite/archive_now.hpp"
#include "store/sqlite/open.hpp"
#include "store/sqlite/sqlite_browser.hpp"
#include "store/sqlite/sqlite_handouts.hpp"

namespace tgkeep::store {

namespace {

class SqliteStore final : public Store {
 public:
  SqliteStore(asio::any_io_executor loop, Clock& clock, std::string vfs, Files files, Log log)
      : loop_(loop),
        epoch_(files.ledger->books().epoch()),
        folder_(files.folder),
        arrivals_(std::make_shared<Arrivals>(last(files))),
        thread_(loop, clock, std::move(files), arrivals_, std::move(log)),
        browser_(loop, clock, folder_, vfs, &thread_),
        handouts_(std::move(loop), folder_, std::move(vfs), thread_) {}

  asio::awaitable<Result<std::vector<PutResult>>> put(std::vector<Update> updates) override {
    const auto kept =
        std::make_shared<std::vector<Update>>(std::move(updates));  // the ledger takes its strings
    auto work = [kept](Ledger& ledger, Changes& changes) { return ledger.put(*kept, changes); };
    auto request = submit<std::vector<PutResult>>(Effect::synced, true, std::move(work));
    co_await request->done.wait();
    co_return request->take();
  }

  asio::awaitable<Result<std::vector<Head>>> lease(LeaseRequest request) override;

  asio::awaitable<Result<std::vector<Item>>> begin(Queue queue, std::vector<Seq> seqs, Mark mark) override {
    const Effect effect = queue == Queue::inbox ? Effect::unsynced : Effect::synced;
    auto work = [queue, mark, seqs = std::move(seqs)](Ledger& ledger, Changes& changes) {
      return ledger.begin(queue, seqs, mark, changes);
    };
    auto request = submit<std::vector<Item>>(effect, false, std::move(work));
    co_await request->done.wait();
    co_return request->take();
  }

  asio::awaitable<Result<void>> renew(Queue queue, std::vector<Seq> seqs) override {
    auto work = [queue, seqs = std::move(seqs)](Ledger& ledger, Changes&) {
      ledger.renew(queue, seqs);
      return true;
    };
    auto request = submit<bool>(Effect::unsynced, false, std::move(work));
    co_await request->done.wait();
    const Result<bool> renewed = request->take();
    if (!renewed) co_return renewed.error();
    co_return Result<void>();
  }

  asio::awaitable<Result<std::vector<bool>>> settle(std::vector<Settlement> settlements) override {
    auto work = [settlements = std::move(settlements)](Ledger& ledger, Changes& changes) {
      return ledger.settle(settlements, changes);
    };
    auto request = submit<std::vector<bool>>(Effect::synced, false, std::move(work));
    co_await request->done.wait();
    co_return request->take();
  }

  asio::awaitable<Result<StoreCounts>> counts() override {
    auto work = [](Ledger& ledger, Changes&) { return ledger.counts(); };
    auto request = submit<StoreCounts>(Effect::none, false, std::move(work));
    co_await request->done.wait();
    co_return request->take();
  }

  void archive_now() {
    if (thread_.archiver() != nullptr) thread_.handover().run_pass();
  }
  StoreStats stats() const override { return thread_.stats(); }
  Epoch epoch() const noexcept override { return epoch_; }
  StoreBrowser* browser() noexcept override { return &browser_; }
  Handouts* handouts() noexcept override { return &handouts_; }

 private:
  static std::array<Seq, 2> last(const Files& files) {
    const Books& books = files.ledger->books();
    return {books.last_seq(Queue::inbox), books.last_seq(Queue::outbox)};
  }

  template <class T>
  std::shared_ptr<Verb<T>> submit(Effect effect, bool takes_room, typename Verb<T>::Work work) {
    auto request = std::make_shared<Verb<T>>(loop_, effect, takes_room, std::move(work));
    thread_.submit(request);
    return request;
  }

  asio::awaitable<Result<std::vector<Head>>> ask(LeaseRequest lease) {
    auto work = [lease](Ledger& ledger, Changes&) { return ledger.heads(lease); };
    auto request = submit<std::vector<Head>>(Effect::none, false, std::move(work));
    co_await request->done.wait();
    co_return request->take();
  }

  asio::any_io_executor loop_;
  Epoch epoch_;
  std::string folder_;
  std::shared_ptr<Arrivals> arrivals_;
  StoreThread thread_;
  SqliteBrowser browser_;  // before the thread: as long as it reads, the WAL can't be written back
  SqliteHandouts handouts_;
};

asio::awaitable<Result<std::vector<Head>>> SqliteStore::lease(LeaseRequest request) {
  Arrivals::Waiting waiting(*arrivals_, request.queue, request.after, loop_);
  for (;;) {
    if (arrivals_->failure()) co_return *arrivals_->failure();
    if (!request.key && arrivals_->covers(request.queue, request.after)) {
      std::vector<Head> heads = arrivals_->take(request.queue, request.after, request.limit);
      if (!heads.empty() || request.limit == 0) co_return heads;
    } else {
      Result<std::vector<Head>> heads = co_await ask(request);
      if (!heads || !heads->empty() || request.key || request.limit == 0) co_return heads;
    }
    co_await waiting.arrived.wait();
  }
}

}  // namespace

void archive_now(Store& store) {
  if (auto* const sqlite = dynamic_cast<SqliteStore*>(&store)) sqlite->archive_now();
}

Result<std::unique_ptr<Store>> open_sqlite_store(const asio::any_io_executor& loop, Clock& clock,
                                                 SqliteOptions options, Log log) {
  Result<Files> files = open_files(clock, options, log);
  if (!files) return files.error();
  return std::make_unique<SqliteStore>(loop, clock, options.vfs, std::move(*files), std::move(log));
}

}  // namespace tgkeep::store
