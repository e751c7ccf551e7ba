#pragma once
// Holds what the bot was seen to do against what was sent to it. Pure: it is fed as things happen, and can
// fail.

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <tgkeep/id.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "prove/handler_log.hpp"

namespace tgkeep::prove {

/// The rules:
/// - within a line, updates are first started in the order they were sent. A line is what the sender keeps in
/// order:
///   a whole chat when it is polled, less than that when Telegram sends;
/// - within a key (a chat), an update is first started after the one started before it has ended;
/// - an update is started again only after its process died, marked as repeated, and never once a later one
/// of its
///   key has started;
/// - within one life of the process nothing of a key overlaps;
/// - calls of a key arrive in the order in which its updates started and never go back, except that one may
/// repeat;
/// - what its bot was told to be settled is never started again;
/// - an attempt that failed may be followed by another; an update that may die does not hold up its key for
/// good;
/// - a receiver may still work on requests of an epoch that a kill has ended: once a later epoch has been
/// seen they
///   are stale, and neither count nor break the order.
class Checker {
 public:
  /// Updates in the order they were queued. To be told before anything else about them.
  void sent(UpdateId update, std::string_view key) { sent(update, key, key); }
  void sent(UpdateId update, std::string_view key, std::string_view line);
  /// It may end as a dead letter instead of being handled.
  void may_die(UpdateId update);
  /// It is a dead letter: it need not be handled any more, nor leave a call.
  void died(UpdateId update);
  void event(const HandlerEvent& event);
  /// A call arrived that answers this update, in the chat that is ordered by `key`.
  void call(UpdateId update, std::string_view key);
  /// Something that belongs to no update was seen.
  void stray(std::string what);

  std::int64_t sent() const noexcept { return static_cast<std::int64_t>(updates_.size()); }
  std::int64_t handled() const noexcept { return handled_; }    ///< updates that ended at least once
  std::int64_t repeated() const noexcept { return repeated_; }  ///< starts after the first of an update
  std::int64_t lost() const noexcept { return sent() - handled_ - dead_; }  ///< never ended
  std::int64_t out_of_order() const noexcept {
    return out_of_order_;
  }  ///< starts and calls against the rules
  std::int64_t calls() const noexcept { return calls_; }
  std::int64_t calls_lost() const noexcept { return sent() - called_ - dead_calls_; }
  std::int64_t calls_repeated() const noexcept { return calls_ - called_; }
  std::int64_t lives() const noexcept { return lives_; }
  std::int64_t epochs() const noexcept { return epochs_; }  ///< different ones seen
  std::int64_t stale() const noexcept { return stale_; }    ///< requests
  std::int64_t running() const noexcept { return running_; }
  std::int64_t max_parallel() const noexcept { return max_parallel_; }
  /// Position of the oldest update not yet handled; `sent()` when there is none.
  std::size_t first_unhandled();
  /// The first few violations, in words.
  const std::vector<std::string>& problems() const noexcept { return problems_; }

 private:
  struct Update {
    std::size_t key;
    std::size_t line;
    std::int64_t place;  ///< among the updates of its line
    std::int64_t id;
    std::int64_t rank = -1;        ///< among the first starts of its key; -1: never started
    std::int64_t started_in = -1;  ///< the generation of the last start
    bool ended = false;
    bool failed = false;   ///< its last attempt
    bool settled = false;  ///< as its bot was told
    bool mortal = false;
    bool dead = false;
    bool called = false;
  };
  struct Key {
    std::string text;
    std::int64_t starts = 0;  ///< first ones
    std::int64_t last_called = -1;
    Update* last = nullptr;  ///< the last to be first started
    Update* running = nullptr;
    std::int64_t running_in = -1;
  };
  struct Line {
    std::int64_t size = 0;
    std::int64_t last_started = -1;  ///< a place
  };

  /// What ran so far was cut off, or is no longer waited for.
  void new_generation();
  bool is_stale(const HandlerEvent& event);
  void started(const HandlerEvent& event);
  void ended(const HandlerEvent& event);
  void failed(const HandlerEvent& event);
  void settled(const HandlerEvent& event);
  static std::string first_start(const Update& update, const Key& key, const Line& line);
  std::string second_start(const Update& update, const Key& key, const HandlerEvent& event) const;
  Update* find(UpdateId update, std::string_view what);
  void violation(std::string what);

  std::deque<Update> updates_;
  std::vector<Key> keys_;
  std::vector<Line> lines_;
  std::unordered_map<std::int64_t, std::size_t> by_id_;
  std::unordered_map<std::string, std::size_t> by_key_;
  std::unordered_map<std::string, std::size_t> by_line_;
  std::int64_t handled_ = 0;
  std::int64_t dead_ = 0;        ///< of those that never ended
  std::int64_t dead_calls_ = 0;  ///< dead letters without a call
  std::int64_t repeated_ = 0;
  std::int64_t out_of_order_ = 0;
  std::int64_t calls_ = 0;
  std::int64_t called_ = 0;
  std::int64_t lives_ = 0;
  std::int64_t epoch_ = 0;
  std::int64_t epochs_ = 0;
  std::int64_t generation_ = 0;  ///< grows with each life and each epoch
  std::int64_t stale_ = 0;
  std::set<std::pair<UpdateId, std::int64_t>> stale_starts_;  ///< with their epochs; not yet ended
  std::int64_t running_ = 0;
  std::int64_t max_parallel_ = 0;
  std::size_t first_unhandled_ = 0;
  std::vector<std::string> problems_;
};

}  // namespace tgkeep::prove
