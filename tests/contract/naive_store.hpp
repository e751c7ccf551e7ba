#pragma once
// The contract written down as plainly as possible, to compare real stores with: one list of items per queue,
// every question answered by walking it.

#include <map>
#include <set>

#include "store_under_test.hpp"

namespace tgkeep::store {

class NaiveItem {
 public:
  enum class State { waiting, in_flight, held, dead, done };
  Seq seq;
  std::int64_t update_id = 0;
  std::string body;
  std::vector<std::string> keys;
  State state = State::waiting;
  std::string reason;
  Mark mark = Mark::shared;
  std::uint32_t attempts = 0;
  std::uint32_t crashes = 0;
  std::uint32_t run = 0;
  WallTime due{};
  DoubtPolicy doubt = DoubtPolicy::resend;
};

class NaiveStore {
 public:
  std::map<Seq, NaiveItem>& items(Queue queue) { return queue == Queue::inbox ? inbox_ : outbox_; }
  std::set<std::int64_t> seen;
  std::map<std::string, std::string> state;
  std::int64_t duplicates = 0;
  std::int64_t in_doubt = 0;

  void add(Queue queue, NaiveItem item) { items(queue)[item.seq] = std::move(item); }
  bool has_gap(const NaiveItem& item) const;
  /// False when the settlement must be refused. Calls get the seqs that follow the outbox's last one.
  bool settle(const Settlement& settlement);
  void crash();
  std::vector<Seq> leasable(Queue queue, const std::string& key = "") const;
  QueueCounts counts(Queue queue) const;

 private:
  void die(Queue queue, NaiveItem& item, const std::string& reason);
  void finish(const Settlement& settlement, NaiveItem& item);
  Seq next_call() const { return Seq(outbox_.empty() ? 1 : outbox_.rbegin()->first.value() + 1); }

  std::map<Seq, NaiveItem> inbox_;
  std::map<Seq, NaiveItem> outbox_;
  std::set<std::string> gaps_;
};

}  // namespace tgkeep::store
