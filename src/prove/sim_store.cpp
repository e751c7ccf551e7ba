#include "prove/sim_store.hpp"

#include <optional>
#include <utility>

namespace tgkeep::prove {

using std::chrono::microseconds;
using std::chrono::milliseconds;

namespace {

Error broken() {
  return Error(Errc::store_broken, "the simulated disk failed");
}

Error full() {
  return Error(Errc::store_full, "the simulated disk is full");
}

}  // namespace

SimStore::SimStore(SimScene& scene, std::shared_ptr<SimLifeFlag> life)
    : scene_(scene), life_(std::move(life)), epoch_(scene.shelf->epoch()) {}

SimStore::~SimStore() = default;

template <class T>
asio::awaitable<Result<T>> SimStore::ask(std::function<T()> work) {
  const auto result = std::make_shared<std::optional<Result<T>>>();
  std::function<void(const Error*)> fill = [result, work = std::move(work)](const Error* error) {
    if (error == nullptr) {
      result->emplace(work());
    } else {
      result->emplace(*error);
    }
  };
  const auto request = std::make_shared<Request>(scene_.loop(), std::move(fill));
  submit(request);
  co_await request->done.wait();
  co_return std::move(**result);
}

void SimStore::submit(std::shared_ptr<Request> request) {
  line_.push_back(std::move(request));
  if (alarm_) return;
  Duration takes = scene_.dice.between(microseconds(50), milliseconds(3));
  if (scene_.strikes(SimFault::store_slow, 0.005))
    takes = scene_.dice.between(milliseconds(100), milliseconds(4000));
  stalled_ += takes;
  commit_at_ = scene_.clock.mono() + takes;
  alarm_ = scene_.clock.at(commit_at_, [this] { commit(); });
}

void SimStore::commit() {
  alarm_.reset();
  const Line line = std::exchange(line_, {});
  if (is_over()) return refuse(line, broken());
  if (is_full()) {
    was_full_ = true;
    return refuse(line, full());
  }
  if (scene_.strikes(SimFault::killed_before_commit, 0.001)) {
    scene_.kill(Seq());
    return refuse(line, broken());
  }
  if (scene_.strikes(SimFault::sync_failed_unwritten, 0.0005)) {
    broken_ = true;
    waiting_.notify_all();
    return refuse(line, broken());
  }
  apply(line);
  if (scene_.strikes(SimFault::killed_after_commit, 0.001)) {
    scene_.kill(Seq());
    return refuse(line, broken());
  }
  if (scene_.strikes(SimFault::sync_failed_written, 0.0005)) {
    broken_ = true;
    waiting_.notify_all();
    return refuse(line, broken());
  }
  for (const auto& request : line) request->done.notify();
  waiting_.notify_all();
}

void SimStore::apply(const Line& line) {
  for (const auto& request : line) request->work(nullptr);
}

void SimStore::refuse(const Line& line, const Error& error) {
  for (const auto& request : line) {
    request->work(&error);
    request->done.notify();
  }
}

void SimStore::kill() {
  const Error error = broken();
  refuse(std::exchange(line_, {}), error);
  waiting_.notify_all();
}

void SimStore::retry(Queue queue, Seq seq) {
  const std::optional<Seq> revived = scene_.shelf->retry(queue, seq);
  if (!revived) return;
  scene_.checker.revived(queue, seq, *revived);
  waiting_.notify_all();
}

asio::awaitable<Result<std::vector<PutResult>>> SimStore::put(std::vector<Update> updates) {
  std::function<std::vector<PutResult>()> work = [this, updates = std::move(updates)] {
    std::vector<PutResult> results = scene_.shelf->put(updates, scene_.clock.wall());
    scene_.checker.put(updates, results);
    return results;
  };
  return ask<std::vector<PutResult>>(std::move(work));
}

asio::awaitable<Result<std::vector<Head>>> SimStore::lease(LeaseRequest request) {
  loop::Event arrived(scene_.loop());
  const loop::EventList::Place place(waiting_, arrived);
  for (;;) {
    if (is_over()) co_return broken();
    std::vector<Head> heads = scene_.shelf->heads(request);
    if (!heads.empty() || request.key || request.limit == 0) co_return heads;
    co_await arrived.wait();
  }
}

asio::awaitable<Result<std::vector<Item>>> SimStore::begin(Queue queue, std::vector<Seq> seqs, Mark mark) {
  std::function<std::vector<Item>()> work = [this, queue, seqs = std::move(seqs), mark] {
    std::vector<Item> items = scene_.shelf->begin(queue, seqs, mark);
    for (const Item& item : items) scene_.checker.begun(item, mark);
    return items;
  };
  return ask<std::vector<Item>>(std::move(work));
}

asio::awaitable<Result<void>> SimStore::renew(Queue queue, std::vector<Seq> seqs) {
  std::function<bool()> work = [this, queue, seqs = std::move(seqs)] {
    scene_.shelf->renew(queue, seqs);
    scene_.checker.renewed(queue, seqs);
    return true;
  };
  const Result<bool> renewed = co_await ask<bool>(std::move(work));
  if (!renewed) co_return renewed.error();
  co_return Result<void>();
}

asio::awaitable<Result<std::vector<bool>>> SimStore::settle(std::vector<Settlement> settlements) {
  std::function<std::vector<bool>()> work = [this, settlements = std::move(settlements)] {
    std::vector<bool> written = scene_.shelf->settle(settlements, scene_.clock.wall());
    for (std::size_t i = 0; i < settlements.size(); ++i) scene_.checker.settled(settlements[i], written[i]);
    return written;
  };
  return ask<std::vector<bool>>(std::move(work));
}

asio::awaitable<Result<StoreCounts>> SimStore::counts() {
  std::function<StoreCounts()> work = [this] { return scene_.shelf->counts(); };
  return ask<StoreCounts>(std::move(work));
}

}  // namespace tgkeep::prove
