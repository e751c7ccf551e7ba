#include "face/bot_sink.hpp"

#include <utility>

#include "sink/push_gate.hpp"

namespace tgkeep::face {

namespace {

constexpr const char* kGoesElsewhere =
    "not pushed: its turn had not come when the bot changed its webhook, or the time was up";
constexpr const char* kDropped =
    "given up: the bot asked to drop its pending updates; `tgkeep dead retry` brings it back";

}  // namespace

/// One setting of the webhook, for as long as a delivery uses it.
class BotSink::Webhook {
 public:
  Webhook(std::unique_ptr<Sink> target, std::size_t limit) : target(std::move(target)), gate(limit) {}
  const std::unique_ptr<Sink> target;
  sink::PushGate gate;
};

BotSink::BotSink(Clock& clock, std::unique_ptr<sink::PullSink> pull)
    : clock_(clock), pull_(std::move(pull)) {}

BotSink::~BotSink() = default;

bool BotSink::is_dropped(const Item& item) const {
  // The time, too: in a store that was brought back from a backup the numbers begin again.
  return mark_ && item.seq <= mark_->last && item.received <= mark_->at;
}

asio::awaitable<Outcome> BotSink::deliver(std::shared_ptr<const Delivery> delivery) {
  if (is_dropped(delivery->item)) co_return Outcome::dead("drop_pending", kDropped);
  if (webhook_ == nullptr) {
    Outcome fetched = co_await pull_->deliver(std::move(delivery));
    co_return fetched;
  }
  Outcome pushed = co_await push(std::move(delivery));
  co_return pushed;
}

asio::awaitable<Outcome> BotSink::push(std::shared_ptr<const Delivery> delivery) {
  const std::shared_ptr<Webhook> webhook = webhook_;
  const bool entered = co_await webhook->gate.enter();
  if (!entered) co_return Outcome::postpone(Duration::zero(), kGoesElsewhere);
  const sink::GatePlace place(webhook->gate);
  // Asked for while it waited.
  if (is_dropped(delivery->item)) co_return Outcome::dead("drop_pending", kDropped);
  Outcome outcome = co_await webhook->target->deliver(std::move(delivery));
  if (webhook == webhook_ && outcome.kind != Outcome::Kind::done) {
    failure_.emplace(clock_.wall(), outcome.error);
  }
  co_return outcome;
}

void BotSink::push_to(std::unique_ptr<Sink> target, std::size_t open) {
  const std::shared_ptr<Webhook> before =
      std::exchange(webhook_, std::make_shared<Webhook>(std::move(target), open));
  failure_.reset();
  if (before != nullptr) {
    before->gate.close();
  } else {
    pull_->close(true);
  }
}

void BotSink::let_pull() {
  const std::shared_ptr<Webhook> before = std::exchange(webhook_, nullptr);
  failure_.reset();
  if (before == nullptr) return;
  before->gate.close();
  if (!winding_down_) pull_->open();
}

void BotSink::drop(DropMark mark) {
  mark_ = mark;
  pull_->drop_until(mark.last);
}

void BotSink::wind_down() {
  winding_down_ = true;
  if (webhook_ == nullptr) pull_->close(false);
}

}  // namespace tgkeep::face
