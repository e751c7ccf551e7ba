#pragma once
// Where a bot's deliveries go: they wait until it fetches them, or are pushed to the webhook it has set.

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/sink.hpp>

#include "sink/pull_sink.hpp"

namespace tgkeep::face {

namespace asio = boost::asio;

/// A delivery to the webhook that failed.
class PushFailure {
 public:
  PushFailure() = default;
  PushFailure(WallTime at, std::string text) : at(at), text(std::move(text)) {}
  WallTime at{};
  std::string text;
};

/// Deliveries that came in up to then, as far as they stand up to `last` in the queue, are given up.
class DropMark {
 public:
  DropMark() = default;
  DropMark(Seq last, WallTime at) : last(last), at(at) {}
  Seq last;
  WallTime at{};
};

/// Everything on the loop's thread.
class BotSink final : public Sink {
 public:
  /// `clock` must outlive it.
  BotSink(Clock& clock, std::unique_ptr<sink::PullSink> pull);
  ~BotSink() override;

  asio::awaitable<Outcome> deliver(std::shared_ptr<const Delivery> delivery) override;

  /// From now on they are pushed, at most `open` at once, and nothing can be fetched. What waits for its turn
  /// or is handed out goes back to the queue; requests that are open end by themselves.
  void push_to(std::unique_ptr<Sink> target, std::size_t open);
  /// From now on they are fetched.
  void let_pull();
  bool pushes() const noexcept { return webhook_ != nullptr; }
  /// The last one since `push_to`.
  const std::optional<PushFailure>& failure() const noexcept { return failure_; }

  /// They end as dead{drop_pending} when they come, those that wait to be fetched at once.
  void drop(DropMark mark);
  /// The same for one of an earlier life: only what comes from now on is looked at.
  void remember(DropMark mark) { mark_ = mark; }
  /// Nothing more is handed out; what is handed out can be confirmed.
  void wind_down();
  bool winding_down() const noexcept { return winding_down_; }

  sink::PullSink& pull() noexcept { return *pull_; }
  const sink::PullSink& pull() const noexcept { return *pull_; }

 private:
  class Webhook;

  asio::awaitable<Outcome> push(std::shared_ptr<const Delivery> delivery);
  bool is_dropped(const Item& item) const;

  Clock& clock_;
  std::unique_ptr<sink::PullSink> pull_;
  std::shared_ptr<Webhook> webhook_;
  std::optional<PushFailure> failure_;
  std::optional<DropMark> mark_;
  bool winding_down_ = false;
};

static_assert(!std::is_aggregate_v<PushFailure> && !std::is_aggregate_v<DropMark>);

}  // namespace tgkeep::face
