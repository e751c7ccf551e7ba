#pragma once
// The storage port. One store owns two queues: the inbox (updates) and the outbox (calls). Six verbs move
// items; what a broker can't do (list, search, retry, replay) is in StoreBrowser (store_browser.hpp). All
// verbs are called and resumed on the loop's thread. "Durable" = after fdatasync/COMMIT. docs/item_states.md
// draws the life of an item.

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tgkeep/error.hpp>
#include <tgkeep/latency.hpp>
#include <tgkeep/outcome.hpp>
#include <tgkeep/update.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep {

namespace asio = boost::asio;

enum class Queue : std::uint8_t { inbox, outbox };
std::string_view to_string(Queue queue) noexcept;

/// What `put` did with one update.
class PutResult {
 public:
  PutResult() = default;
  PutResult(Seq seq, bool duplicate) : seq(seq), duplicate(duplicate) {}
  Seq seq;                 ///< for a duplicate: the original's, or 0 when that is settled and gone
  bool duplicate = false;  ///< nothing was written: it had been stored before
};

/// What the runner needs to decide when an item may start; no body. Leasing it does not put it in flight.
class Head {
 public:
  Head() = default;
  Seq seq;                               ///< its place in the queue
  std::vector<KeyHash> keys;             ///< empty: passes every lane
  std::uint32_t attempts = 0;            ///< failed attempts so far
  std::uint32_t crashes = 0;             ///< times the process died while it was in flight (P7)
  WallTime due{};                        ///< not before; the epoch = at once
  std::optional<WallTime> first_failed;  ///< for `max_block`
  std::optional<WallTime> expires;       ///< set for kinds whose answer can no longer be given after it (P3)
};

/// An item in flight: its body and everything a sink hands on.
class Item {
 public:
  Item() = default;
  Queue queue = Queue::inbox;     ///< where it waits
  Seq seq;                        ///< its place in the queue
  BotId bot;                      ///< whose it is
  UpdateId update_id;             ///< in the outbox: of the update that left the call
  std::string kind;               ///< the update's kind; in the outbox the method
  std::vector<std::string> keys;  ///< texts, primary first
  std::string body;               ///< the update's raw bytes; in the outbox the call's parameters
  std::uint32_t attempt = 1;      ///< this attempt, from 1
  std::uint32_t crashes = 0;      ///< times the process died while it was in flight
  std::uint32_t starts = 0;  ///< how often it was handed over before, whatever ended that; 0 = surely never
  Epoch epoch;               ///< of the store when this attempt began
  WallTime received{};       ///< when the update came
  std::chrono::seconds lifetime{};  ///< how long Telegram itself would keep it
  bool order_gap = false;  ///< an earlier update of one of its keys was dead-lettered and none was done since
  std::uint32_t run = 0;   ///< 0; +1 for each replay or retried dead letter
  std::uint32_t call = 0;  ///< outbox: number of the call within its delivery
  DoubtPolicy doubt = DoubtPolicy::resend;  ///< outbox: see `DoubtPolicy`
  std::string
      corrupt;  ///< not empty: the checksum does not match; do not hand it over, settle it dead{corrupt}
};

/// The end of a delivery, as the store writes it.
class Settlement {
 public:
  /// What becomes of the item.
  enum class Kind : std::uint8_t {
    done,
    retry,    ///< due again at `due`; attempts + 1
    dead,     ///< to the dead letters with `reason`
    release,  ///< back as it was, due at `due`, no attempt counted (drain, postpone)
    doubt,    ///< outbox: in_doubt_total + 1, then by the call's policy: resend at `due`, held, or
              ///< dead{skipped}
  };

  Settlement() = default;
  Settlement(Queue queue, Seq seq, Kind kind) : queue(queue), seq(seq), kind(kind) {}
  Queue queue = Queue::inbox;  ///< where the item is
  Seq seq;                     ///< of the item
  Kind kind = Kind::done;      ///< what becomes of it
  WallTime due{};              ///< retry, release, doubt: not before
  std::string reason;          ///< dead: a short word that is counted
  std::string error;           ///< the sentence kept with it
  bool counts =
      true;  ///< retry and doubt: whether the attempt is counted (P7: not while the target is paused)
  bool survived = false;          ///< a suspect's handler ended by itself: its crash count starts again at 0
  std::vector<Call> calls;        ///< put to the outbox under (bot, update_id, run, n); only with `done`
  std::vector<StateWrite> state;  ///< only with `done`
};

/// What to lease: heads with seq > `after` in put order, at most `limit`; only those of `key`, if given.
class LeaseRequest {
 public:
  LeaseRequest(Queue queue, Seq after, std::size_t limit) : queue(queue), after(after), limit(limit) {}
  Queue queue;                 ///< where from
  Seq after;                   ///< only later ones; 0: from the first
  std::size_t limit;           ///< at most
  std::optional<KeyHash> key;  ///< only of this lane
};

/// How `begin` marks items: a crash while one is marked `solo` counts for it alone and dead-letters it (P7).
enum class Mark : std::uint8_t { shared, solo };

/// P8: stored = pending + in_flight + retrying + held + done + Σ dead + Σ dropped, at every instant.
class QueueCounts {
 public:
  QueueCounts() = default;
  std::int64_t stored = 0;      ///< all that ever came in
  std::int64_t duplicates = 0;  ///< came again and were not stored
  std::int64_t pending = 0;     ///< wait for their first attempt
  std::int64_t in_flight = 0;   ///< are being handled
  std::int64_t retrying = 0;    ///< failed and wait for the next attempt
  std::int64_t held = 0;        ///< outbox: in doubt and waiting for a person's decision
  std::int64_t done = 0;        ///< handled
  std::int64_t in_doubt = 0;  ///< outbox: how often it was unknown whether a call had been sent (not a state)
  std::map<std::string, std::int64_t>
      dead;  ///< by reason; a retried dead letter leaves it (dead − 1, stored + 0)
  std::map<std::string, std::int64_t> dropped;  ///< by whom
  std::optional<WallTime> oldest;               ///< receipt of the oldest item not yet settled
};

/// Of both queues, at one instant.
class StoreCounts {
 public:
  StoreCounts() = default;
  QueueCounts inbox;   ///< updates
  QueueCounts outbox;  ///< calls
};

/// What a store holds on disk and how long its commits take, for metrics.
class StoreStats {
 public:
  StoreStats() = default;
  std::uint64_t file_bytes = 0;            ///< of the database, without its WAL
  std::uint64_t wal_bytes = 0;             ///< not yet written back
  std::uint64_t history_bytes = 0;         ///< of the day files
  std::optional<std::uint64_t> disk_free;  ///< where the store lies
  std::uint64_t reserve = 0;               ///< below so many free bytes, puts are refused
  bool full = false;                       ///< the last put was refused for lack of room
  LatencyHistogram commits;                ///< of synced commits, waiting for the disk included
};

class StoreBrowser;
class Handouts;

/// The durable queues. Every failure is a value: `store_full` = nothing written, try again later;
/// `store_broken` = stop acknowledging and end the process (a failed sync is never retried, P10).
class Store {
 public:
  virtual ~Store() = default;

  /// Stores updates in this order; returns when durable, one result each. A second (bot, update_id) within 48
  /// h is a duplicate, within one batch too (P2). `unreadable` ones are stored and dead-lettered at once.
  virtual asio::awaitable<Result<std::vector<PutResult>>> put(std::vector<Update> updates) = 0;

  /// Waits until there is at least one head to return, or until cancelled; with a key it does not wait. Heads
  /// come in put order; those in flight are not among them.
  virtual asio::awaitable<Result<std::vector<Head>>> lease(LeaseRequest request) = 0;

  /// Marks items in flight (with attempt and epoch) and returns them in the order of `seqs`; those no longer
  /// there are left out. Inbox marks survive kill -9; outbox marks are synced before this returns.
  virtual asio::awaitable<Result<std::vector<Item>>> begin(Queue queue, std::vector<Seq> seqs, Mark mark) = 0;

  /// Says the deliveries are still running; a `solo` mark becomes a shared one.
  virtual asio::awaitable<Result<void>> renew(Queue queue, std::vector<Seq> seqs) = 0;

  /// Ends deliveries: outcome, calls and state of each in one transaction; returns when durable. One that is
  /// not in flight under this epoch is left out: the result holds, per settlement, whether it was written.
  virtual asio::awaitable<Result<std::vector<bool>>> settle(std::vector<Settlement> settlements) = 0;

  /// The totals, as of one instant.
  virtual asio::awaitable<Result<StoreCounts>> counts() = 0;

  /// As of a moment ago; reads nothing.
  virtual StoreStats stats() const { return StoreStats(); }
  /// Of this opening of the store.
  virtual Epoch epoch() const noexcept = 0;
  /// Null for stores that can't be searched.
  virtual StoreBrowser* browser() noexcept { return nullptr; }
  /// Null for stores that can't remember under which numbers updates were handed out.
  virtual Handouts* handouts() noexcept { return nullptr; }

 protected:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
};

static_assert(!std::is_aggregate_v<PutResult> && !std::is_aggregate_v<Head> && !std::is_aggregate_v<Item>);
static_assert(!std::is_aggregate_v<Settlement> && !std::is_aggregate_v<LeaseRequest>);
static_assert(!std::is_aggregate_v<QueueCounts> && !std::is_aggregate_v<StoreCounts> &&
              !std::is_aggregate_v<StoreStats>);

}  // namespace tgkeep
