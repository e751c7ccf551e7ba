// The verbs as coroutines: each makes a request, hands it to the store thread and waits for it on the loop.
#include <functional>
#include <tgkeep/sqlite_store.hpp>
#include <tgkeep/store_browser.hpp>

#include "store/sqlite/open.hpp"
#include "store/sqlite/store_thread.hpp"

namespace tgkeep::store {

namespace {

template <class T>
class Verb final : public Request {
 public:
  using Work = std::function<T(Ledger&, Changes&)>;
  Verb(const asio::any_io_executor& loop, Effect effect, bool takes_room, Work work)
      : Request(loop, effect, takes_room), work_(std::move(work)) {}

  void run(Ledger& ledger) override {
    changes_ = Changes();
    result_ = Result<T>(boost::system::in_place_value, work_(ledger, changes_));
  }
  void fail(const Error& error) override {
    changes_ = Changes();
    result_ = Result<T>(boost::system::in_place_error, error);
  }
  void publish(Arrivals& arrivals) override { arrivals.apply(std::move(changes_)); }
  Result<T> take() { return std::move(*result_); }

 private:
  Work work_;
  Changes changes_;
  std::optional<Result<T>> result_;
};

class SqliteStore final : public Store, public StoreBrowser {
 public:
  SqliteStore(asio::any_io_executor loop, Files files, Log log)
      : loop_(loop),
        epoch_(files.ledger->books().epoch()),
        arrivals_(std::make_shared<Arrivals>(last(files))),
        thread_(std::move(loop), std::move(files), arrivals_, std::move(log)) {}

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

  Epoch epoch() const noexcept override { return epoch_; }
  StoreBrowser* browser() noexcept override { return this; }

  asio::awaitable<Result<std::vector<DeadLetter>>> dead_letters(Queue queue, Seq after,
                                                                std::size_t limit) override {
    auto work = [queue, after, limit](Ledger& ledger, Changes&) {
      return ledger.dead_letters(queue, after, limit);
    };
    auto request = submit<std::vector<DeadLetter>>(Effect::none, false, std::move(work));
    co_await request->done.wait();
    co_return request->take();
  }

  asio::awaitable<Result<Seq>> retry(Queue queue, Seq seq) override {
    auto work = [queue, seq](Ledger& ledger, Changes& changes) { return ledger.retry(queue, seq, changes); };
    auto request = submit<std::optional<Seq>>(Effect::synced, false, std::move(work));
    co_await request->done.wait();
    const Result<std::optional<Seq>> revived = request->take();
    if (!revived) co_return revived.error();
    if (*revived) co_return **revived;
    co_return Error(Errc::not_found, std::string(to_string(queue)) + " has no dead letter or held call " +
                                         std::to_string(seq.value()) + "; list them to see which there are");
  }

  asio::awaitable<Result<std::optional<std::string>>> state(BotId bot, std::string space,
                                                            std::string key) override {
    auto work = [bot, space = std::move(space), key = std::move(key)](Ledger& ledger, Changes&) {
      return ledger.state(bot, space, key);
    };
    auto request = submit<Result<std::optional<std::string>>>(Effect::none, false, std::move(work));
    co_await request->done.wait();
    Result<Result<std::optional<std::string>>> found = request->take();
    if (!found) co_return found.error();
    co_return std::move(*found);
  }

  asio::awaitable<Result<void>> audit() override {
    auto work = [](Ledger& ledger, Changes&) { return ledger.audit(); };
    auto request = submit<std::string>(Effect::none, false, std::move(work));
    co_await request->done.wait();
    const Result<std::string> difference = request->take();
    if (!difference) co_return difference.error();
    if (difference->empty()) co_return Result<void>();
    co_return Error(Errc::corrupt, "the store's books do not balance, " + *difference +
                                       "; keep a copy of its folder and report it");
  }

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
  std::shared_ptr<Arrivals> arrivals_;
  StoreThread thread_;
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

Result<std::unique_ptr<Store>> open_sqlite_store(const asio::any_io_executor& loop, Clock& clock,
                                                 SqliteOptions options, Log log) {
  Result<Files> files = open_files(clock, options, log);
  if (!files) return files.error();
  return std::make_unique<SqliteStore>(loop, std::move(*files), std::move(log));
}

}  // namespace tgkeep::store
