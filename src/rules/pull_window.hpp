#pragma once
// What a bot that polls may be handed, and what its offset ends. Pure: no I/O, time is an argument.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tgkeep/id.hpp>
#include <tgkeep/time.hpp>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tgkeep::rules {

/// The updates of one bot that wait for it or that it has in hand.
///
/// An update gets the next number when it is chosen first, or some time before (`Limits::ahead`), and is
/// handed out in the order of numbers; only after `handed_out` it is in the bot's hand. In which of these
/// ways an offset is meant:
///
/// - *Confirmation*: what is in hand below the offset is done. Nothing else ever is: not what has a number
///   but was not handed out, nor what was handed out before a restart and not again since.
/// - *Restart*: there is no offset (0, or 1: before any number) although something is in hand or there was
///   one since the bot's last start; or it is below the highest one since then. All that is in hand is no
///   longer, and comes again
///   under its numbers, lowest first. It is counted at each of these updates; `suspect_after` times make it a
///   suspect, which is handed out when nothing else is in hand, with nothing beside or after it until it
///   ends. `max_lone_restarts` further ones then end it as crashed.
/// - *Repetition*: as high as before. What is in hand comes again, and counts as nothing.
/// - *Too high*: above all that was handed out, plus one. It is not believed: nothing ends or counts.
///
/// Bots that settle (`settles`): an offset says what has arrived. It confirms nothing; what is below it is
/// not handed out again until a restart.
///
/// The first poll of our own life says what became of the handouts of the life before: below its offset they
/// are done, the others forget their numbers, and without an offset all do. What has not arrived yet then
/// ends as soon as it arrives. A bot that settles has those below in hand (`has_adopted`). A first offset
/// that is too high comes from another server: numbers go on from there, as bots may ignore lower ones.
///
/// An offset must not confirm a number that was forgotten, in our next life either: `to_note` tells the book.
/// When we die, the book can't tell which of the last numbers, noted ahead, were not handed out yet. A bot's
/// own first offset does: it was handed out all below it, in the order of numbers. Only an offset that the
/// bot did not get here could end them, if it happened to fall among these at most `ahead` numbers.
class PullWindow {
 public:
  enum class How : std::uint8_t { done, crashed, dropped, expired, back };
  class Ended {
   public:
    Ended(Seq seq, How how) : seq(seq), how(how) {}
    Seq seq;
    How how;
    friend bool operator==(const Ended&, const Ended&) = default;
  };
  enum class Arrival : std::uint8_t {
    waits,
    early,    ///< it ended before it came
    dropped,  ///< see `drop_until`
    closed,
  };
  class Pick {
   public:
    Pick(PullId id, Seq seq) : id(id), seq(seq) {}
    PullId id;
    Seq seq;
  };
  class Note {
   public:
    Note(PullId id, Seq seq, bool forgotten) : id(id), seq(seq), forgotten(forgotten) {}
    PullId id;
    Seq seq;
    bool forgotten;  ///< the numbers it had count no more, and this is none to be handed out
  };
  enum class Ready : std::uint8_t { nothing, some, full };
  class Limits {
   public:
    Limits(std::size_t updates, std::size_t bytes, std::size_t ahead)
        : updates(updates), bytes(bytes), ahead(ahead) {}
    std::size_t updates;
    std::size_t bytes;  ///< of bodies; one may be larger
    std::size_t ahead;  ///< further updates that get their numbers, too, when any gets one
  };
  /// Of an update that a bot has in hand.
  class Held {
   public:
    Held(Seq seq, bool present) : seq(seq), present(present) {}
    Seq seq;
    bool present;  ///< false: it will end when it arrives
  };

  PullWindow(std::uint32_t suspect_after, std::uint32_t max_lone_restarts);
  PullWindow(const PullWindow&) = delete;
  PullWindow& operator=(const PullWindow&) = delete;

  /// Before the first poll: the highest number of the lives before (0: none), and the handouts still open.
  void begin(PullId last, std::span<const std::pair<PullId, Seq>> open);

  /// What is not `waits` is no part of the window. `expires`: from when on it is not handed out first.
  Arrival arrive(Seq seq, std::size_t bytes, std::optional<WallTime> expires);
  /// It was taken away. One in hand can still be confirmed, for the next time it arrives. Whether it was.
  bool leave(Seq seq);

  /// What the offset ends is appended. Returns whether it shows a restart of the bot.
  bool poll(std::int64_t offset, bool settles, std::vector<Ended>& ended);
  /// The bot says that it has started anew.
  void restart(std::vector<Ended>& ended);
  /// Ends an update in hand by its shown number; nothing when there is none. When not `done` it may come
  /// again.
  std::optional<Held> settle(std::int64_t shown, bool done);
  /// Whether it is in hand.
  bool holds(std::int64_t shown) const { return held(shown) != nullptr; }

  /// The suspect that is in hand alone.
  std::optional<Seq> lone() const noexcept;
  /// It has been alone long enough: the others go on beside it, and a restart no longer counts for it.
  void let_others_pass();

  /// Whether there is something to choose; `full`: waiting would add nothing.
  Ready ready(std::size_t limit) const;
  /// The next to hand out, in the order of their numbers. Expired ones it meets are appended to `ended`. When
  /// there is something to note afterwards, they are not handed out, but what `choose_noted` says then.
  std::vector<Pick> choose(Limits limits, WallTime now, std::vector<Ended>& ended);
  /// The same of what is noted already.
  std::vector<Pick> choose_noted(Limits limits, WallTime now, std::vector<Ended>& ended);
  /// What the book must hold before anything is handed out, by growing numbers.
  std::vector<Note> to_note();
  bool must_note() const noexcept { return !unnoted_.empty() || !forgotten_.empty(); }
  void noted(std::span<const Note> notes);
  /// They are on their way to the bot: what was just chosen, with nothing to note. How many it had not been
  /// handed under these numbers before.
  std::size_t handed_out(std::span<const Pick> picks);

  /// Whether the bot has something in hand from our life before.
  bool has_adopted() const;
  /// It has said that it still has this one. Whether that is so.
  bool renew(std::int64_t shown);
  /// Those of our life before that were not renewed since the last call come again, under new numbers: their
  /// settlement may have died with us.
  void give_up_adopted();

  /// From now on, what arrives up to this one is dropped, and all that is here at once.
  void drop_until(Seq last, std::vector<Ended>& ended);
  /// Nothing is chosen any more: what was not handed out goes back, with `all` what was, too.
  void close(bool all, std::vector<Ended>& ended);
  void open() noexcept { closed_ = false; }
  bool closed() const noexcept { return closed_; }

  /// Not in hand.
  std::size_t waiting() const noexcept { return entries_.size() - in_hand_; }
  std::size_t in_hand() const noexcept { return in_hand_; }

 private:
  class Entry {
   public:
    Entry(Seq seq, std::size_t bytes, std::optional<WallTime> expires)
        : seq(seq), bytes(bytes), expires(expires) {}
    Seq seq;
    std::size_t bytes;
    std::optional<WallTime> expires;
    bool is_late(WallTime now) const { return expires && now >= *expires; }
    PullId id;            // 0: none yet
    bool present = true;  // else of the book, or taken away: it can be ended, not handed out
    bool noted = false;   // its number is in the book
    bool renewed = false;
    bool in_hand = false;  // handed out since the bot's last start
    bool suspect = false;
    bool passed = false;         // a suspect in hand that is no longer alone
    std::uint32_t restarts = 0;  // that it was in hand at; of a suspect: since it is one
  };
  class Batch;
  using Numbered = std::map<PullId, Entry*>;

  /// What is in hand under the shown number, or nullptr.
  Entry* held(std::int64_t shown) const;
  bool first_poll(std::int64_t offset, PullId at, bool settles, std::vector<Ended>& ended);
  void confirm(PullId below, std::vector<Ended>& ended);
  void forget_number(Entry& entry);
  void forget_numbers(PullId from);
  void begin_anew(std::vector<Ended>& ended);
  /// What was not there yet ends when it arrives.
  void end(Entry& entry, How how, std::vector<Ended>& ended);
  /// Ends all that are meant, in the order of the queue; what was not there yet is only forgotten.
  template <class Meant>
  void end_all(Meant meant, How how, std::vector<Ended>& ended);
  void remove(Entry& entry, bool done);
  void take_in_hand(Entry& entry);
  void put_down(Entry& entry);
  /// Offers what has a number and may be handed out now, until `take` refuses. Whether others may follow.
  template <class Take>
  bool each_numbered(Take take) const;
  /// Whether others may follow.
  bool choose_numbered(Batch& batch, bool noted, WallTime now, std::vector<Ended>& ended);
  void number(Entry& entry);

  const std::uint32_t suspect_after_;
  const std::uint32_t max_lone_restarts_;
  std::unordered_map<Seq, Entry> entries_;
  std::map<Seq, Entry*> unnumbered_;
  Numbered numbered_;
  Numbered unnoted_;               // of these
  std::set<Seq> forgotten_;        // have numbers in the book that count no more
  std::unordered_set<Seq> early_;  // ended before they arrived
  std::size_t in_hand_ = 0;
  std::size_t absent_ = 0;  // of those in hand
  std::size_t suspects_ = 0;
  std::size_t passed_ = 0;
  Entry* lone_ = nullptr;  // the suspect in hand
  PullId next_{1};         // the next new number
  PullId highest_out_;     // that was ever handed out: those above have their numbers ahead
  PullId offset_;          // the highest since the bot's last start; 0: none
  PullId arrived_;         // of a bot that settles: what is below has arrived
  PullId adopted_below_;   // numbers of our life before that a bot which settles has in hand
  Seq dropped_until_;
  bool knows_others_ = false;  // there were handouts in a life before
  bool polled_ = false;
  bool closed_ = false;
};

}  // namespace tgkeep::rules
