#pragma once
// Judges a simulation: it sees every message between Telegram, the store and the handlers at the instant it
// takes effect, keeps its own account of it and compares. Pure; knows nothing of how the runner or the store
// work.

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/runner.hpp>
#include <tgkeep/store.hpp>
#include <unordered_map>
#include <vector>

#include "prove/queue_mirror.hpp"

namespace tgkeep::prove {

/// The promises it holds the product to.
enum class Invariant : std::uint8_t {
  acknowledged_is_stored,  ///< P1
  stored_once,             ///< P2
  handed_over_until_done,  ///< P3
  settled_as_said,         ///< P4
  order_per_key,           ///< P5
  gap_is_told,             ///< P6
  attempts_bounded,        ///< P7
  crashes_counted,         ///< P7
  sums_hold,               ///< P8
  stop_bounded,            ///< P9
  recovery_bounded,        ///< P10
  pause_obeyed,            ///< P6, P7
  calls_once,              ///< P12
  state_exact,             ///< P12
  count_,
};
inline constexpr std::size_t kInvariants = static_cast<std::size_t>(Invariant::count_);
std::string_view to_string(Invariant invariant) noexcept;

class SimChecker {
 public:
  /// With `log`, every step is written to it, for looking into a seed that failed.
  SimChecker(Clock& clock, const RunnerOptions& options, std::optional<Log> log)
      : clock_(clock), options_(options), log_(std::move(log)) {}
  SimChecker(const SimChecker&) = delete;
  SimChecker& operator=(const SimChecker&) = delete;

  // Telegram: an update was made, and deleted because it was confirmed.
  void sent(UpdateId update, std::string key);
  void acknowledged(UpdateId update);
  /// A call took effect; `token` is what `call_token` gave it.
  void call_took_effect(const std::string& token);

  // The store, when a verb takes effect.
  void put(const std::vector<Update>& updates, const std::vector<PutResult>& results);
  void begun(const Item& item, Mark mark);
  void renewed(Queue queue, const std::vector<Seq>& seqs);
  void settled(const Settlement& settlement, bool written);
  void revived(Queue queue, Seq from, Seq to);
  /// The process died; `culprit`: by the handler of this seq.
  void crashed(Seq culprit);
  /// It was opened again after a crash or a stop.
  void reopened();
  void compare(const StoreCounts& counts, const std::string& audit);

  // The handler. A session is one life of the runner. Returns the number of the flight.
  std::int64_t handler_started(const Item& item, std::int64_t session);
  void handler_ended(const Item& item, std::int64_t flight, MirrorRow::Said said, bool late);

  /// A call left in the outbox was begun.
  void call_began();

  // The process.
  void life_began() { ++life_; }
  void clock_stepped() {
    latest_wall_ = std::max(latest_wall_, clock_.wall());
    ++clock_steps_;
    last_step_ = clock_.mono();
  }
  /// A person paused the deliveries of a queue, or resumed them; a new life is not paused.
  void paused(Queue queue);
  void resumed(Queue queue);
  bool is_paused(Queue queue) const { return pause_of(queue).has_value(); }
  /// A stop in order: nothing may be left in flight unless the store took nothing. `took`: without waits for
  /// the disk.
  void stopped(Duration took, Duration drain, bool store_took_nothing);

  /// At the very end, when nothing is open any more.
  void finish(const std::function<std::optional<std::string>(const std::string& key)>& state);
  void fail(Invariant invariant, std::string what);

  bool is_settled() const { return inbox_.open() + outbox_.open() == 0; }
  QueueMirror& mirror(Queue queue) noexcept { return queue == Queue::inbox ? inbox_ : outbox_; }
  std::int64_t steps() const noexcept { return steps_; }
  std::size_t sent() const noexcept { return keys_.size(); }
  bool is_stored(UpdateId update) const { return seqs_.contains(update.value()); }
  const std::vector<std::string>& problems() const noexcept { return problems_; }
  const std::array<std::int64_t, kInvariants>& violations() const noexcept { return violations_; }

  static std::string call_token(UpdateId update, std::uint32_t run, std::uint32_t n);

 private:
  class Running {
   public:
    Running(std::int64_t session, std::int64_t flight, Seq seq)
        : session(session), flight(flight), seq(seq) {}
    std::int64_t session;
    std::int64_t flight;
    Seq seq;
  };

  void note(std::string_view what, Queue queue, Seq seq, std::string_view more = {}) const;
  void check_start(const Item& item, const MirrorRow& row, Mark mark);
  void check_turn(const Item& item, const MirrorRow& row, Mark mark);
  void check_due(const Item& item, const MirrorRow& row);
  void check_word(const Settlement& settlement, const MirrorRow& row);
  void check_death(const Settlement& settlement, const MirrorRow& row);
  void note_due(const Settlement& settlement, MirrorRow& row);
  void finish_row(const Settlement& settlement, MirrorRow& row);
  void die(Queue queue, Seq seq, MirrorRow& row, const std::string& reason);
  const std::optional<MonoTime>& pause_of(Queue queue) const {
    return queue == Queue::inbox ? inbox_pause_ : outbox_pause_;
  }
  void check_pause(Queue queue, const std::string& what);
  Duration own_time_since(MonoTime since) const;
  static std::string name(Queue queue, Seq seq, const MirrorRow& row);

  Clock& clock_;
  const RunnerOptions& options_;
  const std::optional<Log> log_;
  QueueMirror inbox_;
  QueueMirror outbox_;
  std::map<std::int64_t, std::string> keys_;    // of updates sent
  std::unordered_map<std::int64_t, Seq> seqs_;  // of updates stored
  std::set<std::string> gaps_;                  // keys
  std::map<std::string, std::string> state_;    // by key
  std::unordered_map<std::string, Seq> calls_;  // by token
  std::map<std::string, Running> running_;      // handlers, by key
  std::int64_t life_ = 0;
  std::int64_t clock_steps_ = 0;
  WallTime latest_wall_{};  // before any step
  MonoTime last_step_ = MonoTime::min();
  std::optional<MonoTime> inbox_pause_;  // since when
  std::optional<MonoTime> outbox_pause_;
  std::vector<std::pair<MonoTime, MonoTime>> inbox_pauses_;  // that are over
  Seq culprit_;                                              // of the last crash, if it was in its own window
  std::int64_t steps_ = 0;
  std::vector<std::string> problems_;
  std::array<std::int64_t, kInvariants> violations_{};
};

}  // namespace tgkeep::prove
