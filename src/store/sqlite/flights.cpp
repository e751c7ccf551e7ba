#include "store/sqlite/flights.hpp"

namespace tgkeep::store {

Flights::Flights(Database& database)
    : insert_(database.prepare("INSERT INTO flight VALUES (?, ?, ?, ?)")),
      erase_(database.prepare("DELETE FROM flight WHERE queue=? AND seq=?")),
      share_(database.prepare("UPDATE flight SET solo=0 WHERE queue=? AND seq=? AND solo=1")) {}

void Flights::begin(Queue queue, Flight flight, Mark mark, Epoch epoch) {
  const Seq seq = flight.row.seq;
  insert_.run(static_cast<std::int64_t>(queue), seq.value(), std::int64_t{mark == Mark::solo}, epoch.value());
  map(queue).emplace(seq, std::move(flight));
  changes_.emplace_back(queue, seq, std::nullopt);
}

const Flight* Flights::end(Queue queue, Seq seq) {
  auto node = map(queue).extract(seq);
  if (node.empty()) return nullptr;
  const Change& change = changes_.emplace_back(queue, seq, std::move(node.mapped()));
  erase_.run(static_cast<std::int64_t>(queue), seq.value());
  return &*change.ended;
}

void Flights::share(Queue queue, Seq seq) {
  if (contains(queue, seq)) share_.run(static_cast<std::int64_t>(queue), seq.value());
}

void Flights::rolled_back() {
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
    if (change->ended) {
      map(change->queue).insert_or_assign(change->seq, std::move(*change->ended));
    } else {
      map(change->queue).erase(change->seq);
    }
  }
  changes_.clear();
}

}  // namespace tgkeep::store
