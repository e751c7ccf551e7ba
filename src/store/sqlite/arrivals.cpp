#include "store/sqlite/arrivals.hpp"

#include <algorithm>

namespace tgkeep::store {

Arrivals::Waiting::Waiting(Arrivals& arrivals, Queue queue, Seq after, const asio::any_io_executor& loop)
    : arrived(loop), arrivals_(arrivals), queue_(queue), after_(after) {
  place_ = arrivals_.waiting_.insert(arrivals_.waiting_.end(), this);
}

Arrivals::Waiting::~Waiting() {
  arrivals_.waiting_.erase(place_);
}

std::vector<Head> Arrivals::take(Queue queue, Seq after, std::size_t limit) {
  raise_floor(queue, after);
  auto& heads = heads_[static_cast<std::size_t>(queue)];
  const auto count = static_cast<std::ptrdiff_t>(std::min(limit, heads.size()));
  std::vector<Head> taken(std::make_move_iterator(heads.begin()),
                          std::make_move_iterator(heads.begin() + count));
  heads.erase(heads.begin(), heads.begin() + count);
  if (!taken.empty()) raise_floor(queue, taken.back().seq);
  return taken;
}

void Arrivals::apply(Changes&& changes) {
  put(Queue::inbox, changes.inbox);
  put(Queue::outbox, changes.outbox);
  for (const auto& [queue, seq] : changes.begun) begun(queue, seq);
  for (const auto& [queue, seq] : changes.back) {
    raise_floor(queue, seq);
    wake(queue, seq);
  }
}

void Arrivals::put(Queue queue, std::vector<Head>& heads) {
  if (heads.empty()) return;
  const Seq newest = heads.back().seq;
  auto& line = heads_[static_cast<std::size_t>(queue)];
  for (Head& head : heads) {
    if (head.seq > floor(queue)) line.push_back(std::move(head));
  }
  while (line.size() > kLimit) raise_floor(queue, line.front().seq);
  wake(queue, newest);
}

void Arrivals::begun(Queue queue, Seq seq) {
  const auto& line = heads_[static_cast<std::size_t>(queue)];
  if (!line.empty() && seq >= line.front().seq) raise_floor(queue, std::min(seq, line.back().seq));
}

void Arrivals::fail(const Error& error) {
  failure_ = error;
  for (Waiting* waiting : waiting_) waiting->arrived.notify();
}

void Arrivals::raise_floor(Queue queue, Seq floor) {
  Seq& current = floors_[static_cast<std::size_t>(queue)];
  current = std::max(current, floor);
  auto& line = heads_[static_cast<std::size_t>(queue)];
  while (!line.empty() && line.front().seq <= current) line.pop_front();
}

void Arrivals::wake(Queue queue, Seq seq) {
  for (Waiting* waiting : waiting_) {
    if (waiting->queue_ == queue && waiting->after_ < seq) waiting->arrived.notify();
  }
}

}  // namespace tgkeep::store
