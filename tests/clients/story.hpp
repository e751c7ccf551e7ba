#pragma once
// What happened, in order: lines of receivers and what the test did to them. Threads add, the test waits.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tgkeep::test {

class Event {
 public:
  enum class Kind : std::uint8_t {
    request,  ///< a receiver got a request
    start,    ///< its bot began with the update
    end,      ///< its bot was done with it
    failed,   ///< its bot threw
    answer,   ///< what the receiver answered is in `answer`: a status or a way to hang up
    killed,   ///< the receiver is gone; all its lines are above
    refused,  ///< a push met no receiver
    died,     ///< the receiver ended by itself
    done,     ///< a push was answered with done
  };
  Event() = default;
  explicit Event(Kind kind) : kind(kind) {}

  Kind kind = Kind::refused;
  std::int64_t millis = 0;  ///< monotonic
  std::int64_t update = 0;
  std::int64_t attempt = 0;
  std::int64_t epoch = 0;
  std::string answer;
};

/// A line of a receiver's journal: `MILLIS WORD UPDATE [MORE…]`. Throws when it is none.
Event read_line(std::string_view line);

class Story {
 public:
  void add(Event event);
  std::size_t count(Event::Kind kind) const;
  /// Returns once there are so many. Throws when a receiver has died, and after three minutes.
  void wait_for(Event::Kind kind, std::size_t number) const;
  std::vector<Event> events() const;

 private:
  std::size_t counted(Event::Kind kind) const;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<Event> events_;  // by mutex_
};

static_assert(!std::is_aggregate_v<Event>);

}  // namespace tgkeep::test
