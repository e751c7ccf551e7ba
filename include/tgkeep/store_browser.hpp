#pragma once
// What people ask of a store: find, trace, retry, drop, replay, pause, erase, back up. Only a store that can
// be searched offers it.

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tgkeep/error.hpp>
#include <tgkeep/handouts.hpp>
#include <tgkeep/store.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep {

/// Where an item is in its life. `docs/item_states.md`.
enum class ItemState : std::uint8_t { pending, in_flight, retrying, held, dead, done };
std::string_view to_string(ItemState state) noexcept;
/// The state of that name; nothing when there is none.
std::optional<ItemState> item_state(std::string_view name) noexcept;

/// Which items to find. What is not set matches all.
class ItemFilter {
 public:
  ItemFilter() = default;
  explicit ItemFilter(Queue queue) : queue(queue) {}
  Queue queue = Queue::inbox;        ///< where
  std::vector<ItemState> states;     ///< one of them; empty: any
  std::optional<UpdateId> first_id;  ///< update_id, at least
  std::optional<UpdateId> last_id;   ///< update_id, at most
  std::string kind;                  ///< exactly; in the outbox the method
  std::string key;                   ///< one of its ordering keys, such as `chat:-100123`
  std::string reason;                ///< of its death
  std::optional<WallTime> from;      ///< received then or later
  std::optional<WallTime> to;        ///< received before
};

/// An item as people see it: waiting, running, dead, or finished and kept for a while.
class StoredItem {
 public:
  StoredItem() = default;
  Queue queue = Queue::inbox;            ///< where it is
  ItemState state = ItemState::pending;  ///< as of now
  Seq seq;                               ///< names it
  BotId bot;                             ///< whose it is
  UpdateId update_id;                    ///< for a call: of the update that left it
  std::uint32_t run = 0;                 ///< 0; +1 for each replay or retried dead letter
  Seq earlier;                           ///< inbox: the item this is a new run of; 0 = none
  Seq origin;                            ///< outbox: the inbox item that left the call
  std::uint32_t call = 0;                ///< outbox: its number within that delivery
  std::string kind;                      ///< of the update, or the method
  std::vector<std::string> keys;         ///< ordering keys, primary first
  std::string reason;                    ///< of its death; "" else
  std::string error;                     ///< the last one
  std::uint32_t attempts = 0;            ///< that failed
  std::uint32_t crashes = 0;             ///< of the process while it was in flight
  std::uint32_t starts = 0;              ///< how often it was handed over before, whatever ended that
  WallTime received{};                   ///< when the update came, or the call was left
  WallTime due{};                        ///< waiting: not before; the epoch = at once
  std::optional<WallTime> started;       ///< the attempt that settled it; finished ones only
  std::optional<WallTime> ended;         ///< done, dead or held since
  std::string body;                      ///< the update, or the call's parameters; "" when not asked for
  std::string corrupt;                   ///< not empty: the checksum does not match, and where
};

/// One page of what was found.
class ItemPage {
 public:
  ItemPage() = default;
  std::vector<StoredItem> items;  ///< by seq
  std::optional<Seq> next;        ///< ask for what comes after it; nothing: that was all
};

/// An attempt that failed.
class FailedAttempt {
 public:
  FailedAttempt() = default;
  std::uint32_t attempt = 0;  ///< from 1
  WallTime at{};              ///< when it ended
  std::string error;          ///< what it said
};

/// One run of an update from receipt to settlement, with the calls it left.
class ItemTrace {
 public:
  ItemTrace() = default;
  StoredItem item;                      ///< the update
  std::vector<FailedAttempt> failures;  ///< in their order, as far as they are kept
  std::vector<Handout> handouts;        ///< to a bot that polls: when first, under which numbers; by number
  std::vector<StoredItem> calls;        ///< that it left to the outbox, in their order
};

/// What `replay` did with one item.
class Replayed {
 public:
  Replayed() = default;
  Replayed(Seq seq, Seq as, std::string skipped) : seq(seq), as(as), skipped(std::move(skipped)) {}
  Seq seq;              ///< that was asked for
  Seq as;               ///< its new run at the tail; 0 when it was left out
  std::string skipped;  ///< why it was left out: waiting, replayed, corrupt, not_found
};

/// How many items and rows `erase` took away.
class Erased {
 public:
  Erased() = default;
  std::int64_t waiting = 0;   ///< live, dead and held ones: counted as dropped{erased}
  std::int64_t finished = 0;  ///< of the history
  std::int64_t state = 0;     ///< rows of handler state
};

/// What to erase.
class EraseRequest {
 public:
  EraseRequest() = default;
  /// Whether an item is to go. Runs on a thread of the store's: no shared state, must not throw.
  std::function<bool(const StoredItem&)> concerns;
  std::vector<std::string> state_keys;  ///< rows of handler state with exactly these keys, in any space
};

/// A backup that was made.
class BackupReport {
 public:
  BackupReport() = default;
  std::string folder;        ///< where it is
  std::int64_t commits = 0;  ///< of the store, that it holds
  std::uint64_t bytes = 0;   ///< of its files
};

/// Told from time to time how far long work is: done and all, in units of its own. Any thread.
using Progress = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// What only a store that can be searched offers; one that can't do a thing answers `misuse` and says why.
/// Same thread rule as `Store`. Searches read beside the work of the store and never hold it up.
class StoreBrowser {
 public:
  virtual ~StoreBrowser() = default;

  /// Items that match, by seq: with seq > `after`, or when `newest_first` with seq < `after` (0: from the
  /// last). At most `limit`, at most 1000.
  virtual asio::awaitable<Result<ItemPage>> find(ItemFilter filter, Seq after, std::size_t limit,
                                                 bool newest_first, bool with_bodies) = 0;
  /// One item with its body. `not_found`.
  virtual asio::awaitable<Result<StoredItem>> item(Queue queue, Seq seq) = 0;
  /// Every run of an update, the first first. Empty when it is not known (any more).
  virtual asio::awaitable<Result<std::vector<ItemTrace>>> trace(UpdateId id) = 0;
  /// The last handout that a bot saw as this update_id (`shown`); nothing when there was none, or it is not
  /// known any more.
  virtual asio::awaitable<Result<std::optional<Handout>>> seen_as(std::int64_t update_id);

  /// Puts a dead letter (or held call) at the tail of its queue as a new run; returns its new seq.
  /// `not_found` when it is not dead.
  virtual asio::awaitable<Result<Seq>> retry(Queue queue, Seq seq) = 0;
  /// Gives up dead letters and held calls for good: counted as dropped{`by`}. Per seq, whether it was there.
  virtual asio::awaitable<Result<std::vector<bool>>> drop(Queue queue, std::vector<Seq> seqs,
                                                          std::string by) = 0;
  /// Puts finished or dead updates at the tail again, each as a new run. One that waits (itself or a later
  /// run) is left out, and one that has been replayed before or is such a replay itself, unless `force`.
  virtual asio::awaitable<Result<std::vector<Replayed>>> replay(std::vector<Seq> seqs, bool force) = 0;

  /// Whether a person has stopped this queue's deliveries; durable.
  virtual asio::awaitable<Result<bool>> paused(Queue queue) = 0;
  /// Stops or lets go its deliveries, in the store: the runner is told apart.
  virtual asio::awaitable<Result<void>> set_paused(Queue queue, bool paused) = 0;

  /// Takes away what concerns a person or a chat, in history, too, so that its bytes are gone from the files;
  /// their update_ids stay known, so that they do not come in again. Slow.
  virtual asio::awaitable<Result<Erased>> erase(EraseRequest request) = 0;
  /// Writes a copy of the running store into `folder`, which must not exist; complete or not there.
  virtual asio::awaitable<Result<BackupReport>> backup(std::string folder, Progress progress) = 0;

  /// A row of handler state; nothing when there is none.
  virtual asio::awaitable<Result<std::optional<std::string>>> state(BotId bot, std::string space,
                                                                    std::string key) = 0;
  /// Counts rows one by one and compares them with the totals (P8): an error names the first difference.
  /// Slow.
  virtual asio::awaitable<Result<void>> audit() = 0;

 protected:
  StoreBrowser() = default;
  StoreBrowser(const StoreBrowser&) = delete;
  StoreBrowser& operator=(const StoreBrowser&) = delete;
};

inline asio::awaitable<Result<std::optional<Handout>>> StoreBrowser::seen_as(std::int64_t) {
  co_return std::optional<Handout>();
}

static_assert(!std::is_aggregate_v<ItemFilter> && !std::is_aggregate_v<StoredItem> &&
              !std::is_aggregate_v<ItemPage>);
static_assert(!std::is_aggregate_v<FailedAttempt> && !std::is_aggregate_v<ItemTrace> &&
              !std::is_aggregate_v<Replayed>);
static_assert(!std::is_aggregate_v<Erased> && !std::is_aggregate_v<EraseRequest> &&
              !std::is_aggregate_v<BackupReport>);

}  // namespace tgkeep
