#pragma once
// What a handler says about one delivery (P4), and what it leaves to be committed with it (P12).

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/time.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tgkeep {

/// What to do with a call when it is unknown whether Telegram got it (the Bot API has no idempotency key).
enum class DoubtPolicy : std::uint8_t {
  resend,  ///< send again: a message twice beats none
  ask,     ///< keep and list it, never resend by ourselves: calls that move money, Stars or gifts
  skip,    ///< give it up
};

/// A Bot API call left to the outbox: sent after the settlement is durable, in order per chat.
class Call {
 public:
  Call() = default;
  /// `params` is the JSON object of the call's parameters. The policy is the method's default (see
  /// `doubt_policy`).
  Call(std::string method, std::string params);
  Call(std::string method, std::string params, DoubtPolicy doubt)
      : method(std::move(method)), params(std::move(params)), doubt(doubt) {}
  std::string method;                       ///< `sendMessage`
  std::string params;                       ///< a JSON object
  DoubtPolicy doubt = DoubtPolicy::resend;  ///< see `DoubtPolicy`
};

/// The default policy of a method: `ask` for calls that move money, Stars or gifts, else `resend`.
DoubtPolicy doubt_policy(std::string_view method) noexcept;

/// A row of a handler's own state, written in the transaction of its settlement. The bot is the delivery's.
class StateWrite {
 public:
  StateWrite() = default;
  StateWrite(std::string space, std::string key, std::optional<std::string> bytes)
      : space(std::move(space)), key(std::move(key)), bytes(std::move(bytes)) {}
  std::string space;  ///< keeps the keys of one use apart from those of another
  std::string key;    ///< of the row within its space
  /// Absent: the row is deleted.
  std::optional<std::string> bytes;
};

/// Learns what became of an outcome. Destroyed without a word: the outcome was given up, and nothing of it is
/// written.
class Receipt {
 public:
  virtual ~Receipt() = default;
  /// The store has answered: once at most, on the loop's thread. `written`: the outcome survives the end of
  /// the process and a power cut. False: the item was no longer in flight, so the outcome counts for nothing.
  virtual void settled(bool written) = 0;

 protected:
  Receipt() = default;
  Receipt(const Receipt&) = delete;
  Receipt& operator=(const Receipt&) = delete;
};

/// How a delivery ended. `calls` and `state` count only with `done`; with anything else they are not
/// committed.
class Outcome {
 public:
  /// What happens to the item next.
  enum class Kind : std::uint8_t {
    done,      ///< handled
    retry,     ///< hand it over again: after `after`, or by the retry policy; counts as an attempt
    dead,      ///< to the dead letters, with `reason`
    postpone,  ///< again after `after`; no fault of the item, so no attempt is counted
    doubt,     ///< outbox only: it may have been sent; the call's policy decides
  };

  /// What an outcome says about the target (the bot's server, Telegram) as a whole: a runner pauses a target
  /// that is unreachable or fails again and again, and probes it (P7).
  enum class Target : std::uint8_t {
    fine,         ///< it answered, whatever it said
    failed,       ///< it took the request and failed: 5xx, no answer in time
    unreachable,  ///< nothing of the request can have arrived
  };

  /// A failed attempt: what is not said to be done is not done.
  Outcome() : Outcome(Kind::retry, "the handler gave no outcome") {}
  /// Handled: it will not be handed over again.
  static Outcome done() { return Outcome(Kind::done); }
  /// A failed attempt: again after the pause of the retry rule. `error` is kept and shown.
  static Outcome retry(std::string error) { return Outcome(Kind::retry, std::move(error)); }
  /// The delay is obeyed in full, whatever the policy's cap.
  static Outcome retry_after(Duration after, std::string error) {
    Outcome outcome(Kind::retry, std::move(error));
    outcome.after = after;
    return outcome;
  }
  /// `reason` is a short word that is counted (`dead_total{reason}`), `error` the sentence kept with the row.
  static Outcome dead(std::string reason, std::string error) {
    Outcome outcome(Kind::dead, std::move(error));
    outcome.reason = std::move(reason);
    return outcome;
  }
  /// Not now, and nobody's fault: again after the pause, no attempt counted.
  static Outcome postpone(Duration after, std::string error) {
    Outcome outcome(Kind::postpone, std::move(error));
    outcome.after = after;
    return outcome;
  }
  /// Of a call that may have been sent.
  static Outcome doubt(std::string error) { return Outcome(Kind::doubt, std::move(error)); }

  Kind kind;                      ///< what happens next
  std::string reason;             ///< of `dead`
  std::string error;              ///< the sentence kept with the item
  std::optional<Duration> after;  ///< before it is handed over again
  Target target = Target::fine;   ///< how the target as a whole looked
  std::vector<Call> calls;        ///< for the outbox, in order
  std::vector<StateWrite> state;  ///< later ones of a row win
  /// Told by a runner with a store when this is durable; may be empty.
  std::shared_ptr<Receipt> receipt;

 private:
  explicit Outcome(Kind kind, std::string error = {}) : kind(kind), error(std::move(error)) {}
};

static_assert(!std::is_aggregate_v<Call> && !std::is_aggregate_v<StateWrite> &&
              !std::is_aggregate_v<Outcome>);

}  // namespace tgkeep
