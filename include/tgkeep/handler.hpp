#pragma once
// A bot's handler: a coroutine that gets one update and says how it ended.

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tgkeep/outcome.hpp>
#include <tgkeep/sink.hpp>

namespace tgkeep {

/// What a handler gets. Copyable; belongs to the delivery's strand on the handler pool.
class Context {
 public:
  explicit Context(std::shared_ptr<const Delivery> delivery) : delivery_(std::move(delivery)) {}

  const Item& item() const noexcept { return delivery_->item; }
  /// The update as Telegram sent it, byte for byte.
  std::string_view raw() const noexcept { return delivery_->item.body; }
  UpdateId update_id() const noexcept { return delivery_->item.update_id; }
  std::string_view kind() const noexcept { return delivery_->item.kind; }
  /// 1 for the first attempt. What is handed over again without a failure (after a crash, a stop) keeps its
  /// number: see `repeated`.
  std::uint32_t attempt() const noexcept { return delivery_->item.attempt; }
  /// It may have been started before: it failed, was cut off, or the process ended while it ran.
  bool repeated() const noexcept { return delivery_->item.starts > 0; }
  bool late() const noexcept { return delivery_->late; }
  bool order_gap() const noexcept { return delivery_->item.order_gap; }

 private:
  std::shared_ptr<const Delivery> delivery_;
};

/// Runs on the handler pool, on a strand of its own: it may block, but a blocked thread is one less for
/// others. Returning an Outcome settles the update; throwing is a failed attempt. At its timeout it is
/// cancelled (terminal): `co_await`s of Asio operations then throw.
using Handler = std::function<asio::awaitable<Outcome>(Context)>;

static_assert(!std::is_aggregate_v<Context>);

}  // namespace tgkeep
