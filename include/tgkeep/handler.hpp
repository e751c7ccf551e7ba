#pragma once
// A bot's handler: a coroutine that gets one update and says how it ended.

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/api.hpp>
#include <tgkeep/outcome.hpp>
#include <tgkeep/sink.hpp>
#include <tgkeep/transformer.hpp>
#include <vector>

namespace tgkeep {

/// One delivery as its handler sees it, shared by all copies of its Context. Sinks derive from it to offer
/// calls and state; it belongs to the delivery's strand.
class Turn {
 public:
  explicit Turn(std::shared_ptr<const Delivery> delivery) : delivery(std::move(delivery)) {}
  virtual ~Turn() = default;
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// The bot's API, through the bot's transformers and those of `use`. Throws Failure (misuse) where there is
  /// none.
  virtual Api& api();
  /// Puts a transformer around the calls of this delivery only. Throws as `api`.
  virtual void use(ApiTransformer transformer);
  /// A committed row of the bot's state. Throws as `api` where there is no store.
  virtual asio::awaitable<Result<std::optional<std::string>>> read_state(std::string space, std::string key);

  const std::shared_ptr<const Delivery> delivery;  ///< the update and its attempt
  std::vector<Call> calls;                         ///< committed with `done`, before those of the outcome
  std::vector<StateWrite> state;                   ///< likewise
};

/// What a handler gets. Copyable; belongs to the delivery's strand on the handler pool.
class Context {
 public:
  /// Without API and state: for tests of handlers.
  explicit Context(std::shared_ptr<const Delivery> delivery)
      : turn_(std::make_shared<Turn>(std::move(delivery))) {}
  explicit Context(std::shared_ptr<Turn> turn) : turn_(std::move(turn)) {}

  /// Everything about the update as it was stored.
  const Item& item() const noexcept { return turn_->delivery->item; }
  /// The update as Telegram sent it, byte for byte.
  std::string_view raw() const noexcept { return item().body; }
  /// Telegram's id: the same whenever this update comes again.
  UpdateId update_id() const noexcept { return item().update_id; }
  /// `message`, `callback_query`, …: the field of the update besides update_id.
  std::string_view kind() const noexcept { return item().kind; }
  /// 1 for the first attempt. What is handed over again without a failure (after a crash, a stop) keeps its
  /// number: see `repeated`.
  std::uint32_t attempt() const noexcept { return item().attempt; }
  /// It may have been started before: it failed, was cut off, or the process ended while it ran.
  bool repeated() const noexcept { return item().starts > 0; }
  /// Older than Telegram itself would have kept it (P3).
  bool late() const noexcept { return turn_->delivery->late; }
  /// An earlier update of one of its keys was dead-lettered and none was done since.
  bool order_gap() const noexcept { return item().order_gap; }

  /// Leaves a call to the outbox: sent once, in order per chat, after "done" is durable; never when the
  /// handler fails (P12).
  void leave(Call call) const { turn_->calls.push_back(std::move(call)); }
  /// The same; `params` is a JSON object.
  void leave(std::string method, std::string params) const {
    leave(Call(std::move(method), std::move(params)));
  }

  /// For calls whose answer is needed now. They happen again whenever the handler runs again. Throws Failure
  /// (misuse) where there is none.
  Api& api() const { return turn_->api(); }
  /// Puts a transformer around the direct calls of this delivery only.
  void use(ApiTransformer transformer) const { turn_->use(std::move(transformer)); }

  /// A row of the bot's own state, as this delivery has written it, else as committed. Rows written by
  /// several updates need a common ordering key (`sequentialize`). Throws Failure when the store can't be
  /// read: a failed attempt.
  asio::awaitable<std::optional<std::string>> state(std::string space, std::string key) const;
  /// Writes a row in the transaction of this delivery's "done" (P12).
  void set_state(std::string space, std::string key, std::string bytes) const;
  /// Deletes a row in the transaction of this delivery's "done".
  void erase_state(std::string space, std::string key) const;

 private:
  std::shared_ptr<Turn> turn_;
};

/// Runs on the handler pool, on a strand of its own: it may block, but a blocked thread is one less for
/// others. Returning an Outcome settles the update; throwing is a failed attempt. At its timeout it is
/// cancelled (terminal): `co_await`s of Asio operations then throw. The Context lives as long as the
/// coroutine it was given to: take it by value or by reference.
using Handler = std::function<asio::awaitable<Outcome>(const Context&)>;

static_assert(!std::is_aggregate_v<Context> && !std::is_aggregate_v<Turn>);

}  // namespace tgkeep
