#pragma once
// Which of one bot's calls may start when: in order within a line, within the bounds, not while a flood wait
// lasts. Pure, time is an argument.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tgkeep/time.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "rules/bulk_pace.hpp"

namespace tgkeep::rules {

/// What the lines must know of a call.
class CallAsk {
 public:
  enum class Rank : std::uint8_t {
    urgent,   ///< goes before all others, and on while the whole bot waits
    reading,  ///< goes on while the whole bot waits
    sending,
    bulk,  ///< as sending, and at the pace for bulk
  };
  CallAsk() = default;
  Rank rank = Rank::sending;
  /// Whose flood waits it shares.
  std::string line;
  /// Calls of the same line that are in order start one after another, as they came.
  bool in_order = false;
  MonoTime until{};       ///< waits at most so long
  std::size_t bytes = 0;  ///< it holds while it waits or runs
};

class CallLimits {
 public:
  CallLimits() = default;
  std::size_t running = 100;  ///< at once; a quarter more for urgent ones
  std::size_t waiting = 1000;
  std::size_t bytes = 64U << 20;  ///< of all calls together; one call alone may be larger
  double bulk_rate = 25;          ///< a second
};

class CallLines {
 public:
  using Id = std::uint64_t;

  explicit CallLines(CallLimits limits);

  /// Puts a call behind the others; nothing when too much waits already.
  std::optional<Id> add(CallAsk ask, MonoTime now);
  /// The next call that may start now; it runs from here on. Ask until there is none.
  std::optional<Id> start(MonoTime now);
  /// The next waiting call that is to be given up: its time is over, or a flood wait lasts longer than it may
  /// wait. It is out. Ask until there is none, before `start`.
  std::optional<Id> give_up(MonoTime now);
  /// The call ended, or nobody wants it any more; running or waiting.
  void end(Id id);
  /// A running call waits again, where it was in its line, at least until `not_before`.
  void again(Id id, MonoTime not_before, MonoTime now);

  /// No call of this line starts before.
  void hold(const std::string& line, MonoTime until, MonoTime now);
  /// None but urgent and reading ones starts before.
  void hold_all(MonoTime until, MonoTime now);

  /// When `start` or `give_up` has something to do though nothing else has happened.
  std::optional<MonoTime> next() const;
  /// How long a new call like this had to wait for flood waits alone.
  Duration wait_of(const CallAsk& ask, MonoTime now) const;

  std::size_t waiting() const noexcept { return calls_.size() - running_; }
  std::size_t running() const noexcept { return running_; }
  std::size_t bytes() const noexcept { return bytes_; }
  /// Lines with a flood wait, as of the last `start`.
  std::size_t held() const noexcept { return holds_.size(); }
  bool empty() const noexcept { return calls_.empty() && lines_.empty(); }

 private:
  using Rank = CallAsk::Rank;
  class Entry {
   public:
    explicit Entry(CallAsk ask) : ask(std::move(ask)) {}
    CallAsk ask;
    bool running = false;
    bool doomed = false;
    MonoTime not_before = MonoTime::min();
    std::optional<MonoTime> timed;  // where it stands in timed_
    bool ready = false;
  };
  class Line {
   public:
    Line() = default;
    std::set<Id> in_order;
    std::set<Id> others;
    std::optional<MonoTime> held_until;
    bool empty() const noexcept { return in_order.empty() && others.empty() && !held_until; }
  };

  static bool obeys_all(Rank rank) noexcept { return rank == Rank::sending || rank == Rank::bulk; }
  std::set<Id>& ready(Rank rank) { return ready_[static_cast<std::size_t>(rank)]; }
  const std::set<Id>& ready(Rank rank) const { return ready_[static_cast<std::size_t>(rank)]; }
  void place(Id id, Entry& entry, MonoTime now);
  void unplace(Id id, Entry& entry);
  void place_head(const Line& line, MonoTime now);
  void judge(Id id, Entry& entry, MonoTime now);
  void forget_if_empty(const std::string& name);
  void pass_time(MonoTime now);
  std::optional<Id> choose(MonoTime now);

  CallLimits limits_;
  BulkPace pace_;
  Id last_ = 0;
  std::map<Id, Entry> calls_;
  std::map<std::string, Line> lines_;
  std::array<std::set<Id>, 4> ready_;            // may start as soon as there is room
  std::set<std::pair<MonoTime, Id>> timed_;      // heads that may start later
  std::set<std::pair<MonoTime, Id>> deadlines_;  // of those that wait
  std::set<std::pair<MonoTime, std::string>> holds_;
  std::set<Id> doomed_;
  MonoTime all_held_until_ = MonoTime::min();
  std::size_t running_ = 0;
  std::size_t bytes_ = 0;
};

static_assert(!std::is_aggregate_v<CallAsk> && !std::is_aggregate_v<CallLimits>);

}  // namespace tgkeep::rules
