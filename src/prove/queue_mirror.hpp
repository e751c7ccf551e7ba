#pragma once
// One queue of the store as the contract says it must be: kept beside the store from what goes in and out, in
// plain words, to compare with.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tgkeep/store.hpp>
#include <vector>

namespace tgkeep::prove {

class MirrorRow {
 public:
  MirrorRow() = default;
  enum class State : std::uint8_t { waiting, flying, done, dead, held };
  /// What the handler of this flight said, if it has ended.
  enum class Said : std::uint8_t { nothing, done, failed, dead, postpone };

  UpdateId update;
  std::string key;  ///< "" = ordered with nothing
  std::uint32_t attempts = 0;
  std::uint32_t crashes = 0;
  std::uint32_t starts = 0;
  std::uint32_t run = 0;
  std::uint32_t call = 0;
  DoubtPolicy doubt = DoubtPolicy::resend;
  State state = State::waiting;
  Mark mark = Mark::shared;
  WallTime received{};
  bool expires = false;
  std::string reason;  ///< of a dead one

  // Of the present flight.
  std::int64_t flight = 0;  ///< numbered
  MonoTime since{};
  bool started = false;  ///< the handler was called
  Said said = Said::nothing;
  bool late = false;  ///< it said so after it had been cancelled: perhaps nobody listened any more

  std::optional<MonoTime> failing_since;  // its first failed attempt
  // Not before: of the last retry or postponement.
  std::optional<MonoTime> due;
  WallTime due_wall{};
  std::int64_t clock_steps = 0;  ///< of the wall clock when that was written
  std::int64_t life = 0;

  // Calls only.
  std::string token;
  std::int64_t effects = 0;  ///< how often it took effect
  std::int64_t doubts = 0;   ///< how often that was unknown
};

class QueueMirror {
 public:
  QueueMirror() = default;
  Seq next() { return last_ = Seq(last_.value() + 1); }
  MirrorRow& add(Seq seq, MirrorRow row);
  MirrorRow& add_dead(Seq seq, MirrorRow row, std::string reason);
  /// Null when it never existed.
  MirrorRow* find(Seq seq);
  void begin(Seq seq, MirrorRow& row, Mark mark, MonoTime now);
  void put_back(Seq seq, MirrorRow& row);
  void finish(Seq seq, MirrorRow& row);
  void die(Seq seq, MirrorRow& row, std::string reason);
  void hold(Seq seq, MirrorRow& row);
  /// The dead or held row moves to the tail; returns it.
  MirrorRow& revive(Seq from, Seq to);

  /// Whether nothing of its key that was put before it is still to be settled.
  bool is_first(Seq seq, const MirrorRow& row) const;
  const std::set<Seq>& flying() const noexcept { return flying_; }
  std::vector<Seq> buried() const;
  std::map<Seq, MirrorRow>& rows() noexcept { return rows_; }
  QueueCounts& counts() noexcept { return counts_; }
  /// Neither settled nor held.
  std::int64_t open() const noexcept { return counts_.pending + counts_.retrying + counts_.in_flight; }
  /// Empty, or the first total that differs.
  std::string difference(const QueueCounts& found) const;

 private:
  void leave(Seq seq, MirrorRow& row);
  std::int64_t& waiting(const MirrorRow& row) {
    return row.attempts > 0 ? counts_.retrying : counts_.pending;
  }

  Seq last_;
  std::map<Seq, MirrorRow> rows_;
  std::map<std::string, std::set<Seq>> lanes_;
  std::set<Seq> flying_;
  std::int64_t flights_ = 0;
  QueueCounts counts_;
};

static_assert(!std::is_aggregate_v<MirrorRow>);

}  // namespace tgkeep::prove
