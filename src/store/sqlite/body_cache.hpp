#pragma once
// Rows put a moment ago, whole: most begin soon, and then need not be read back. Bounded; the oldest go
// first.

#include <cstddef>
#include <deque>
#include <unordered_map>

#include "store/row.hpp"

namespace tgkeep::store {

class BodyCache {
 public:
  explicit BodyCache(std::size_t limit) : limit_(limit) {}

  void add(Row row) {
    const Seq seq = row.seq;
    size_ += weight(row);
    order_.push_back(seq);
    rows_.insert_or_assign(seq, std::move(row));
    while (size_ > limit_ && !order_.empty()) {
      take(order_.front());
      order_.pop_front();
    }
    // Rows that were taken leave their place in the order behind.
    if (order_.size() > 2 * rows_.size() + 64) {
      std::erase_if(order_, [this](Seq place) { return !rows_.contains(place); });
    }
  }
  std::optional<Row> take(Seq seq) {
    auto node = rows_.extract(seq);
    if (node.empty()) return std::nullopt;
    size_ -= weight(node.mapped());
    return std::move(node.mapped());
  }
  void clear() {
    rows_.clear();
    order_.clear();
    size_ = 0;
  }

 private:
  static std::size_t weight(const Row& row) { return sizeof(Row) + 200 + row.body.size(); }

  std::size_t limit_;
  std::size_t size_ = 0;
  std::unordered_map<Seq, Row> rows_;
  std::deque<Seq> order_;
};

}  // namespace tgkeep::store
