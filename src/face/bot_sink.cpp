#include "face/bot_sink.hpp"

#include <boost/system/system_error.hpp>
#include <utility>

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
  Webhook(std::unique_ptr<Sink> target, std::size_t limit) : target(std::move(target)), limit_(limit) {}

  /// Waits for a place in the order of coming; false when the webhook is no longer the bot's.
  asio::awaitable<bool> enter(const asio::any_io_executor& loop) {
    if (closed_) co_return false;
    if (open_ < limit_ && line_.empty()) {
      ++open_;
      co_return true;
    }
    const std::list<Waiter>::iterator place = line_.emplace(line_.end(), loop);
    const Leaving leaving(*this, place);
    try {
      while (!closed_ && !place->let_in) co_await place->called.wait();
    } catch (const boost::system::system_error&) {  // cancelled: no fault of the update's
      co_return false;
    }
    const bool entered = place->let_in && !closed_;
    if (entered) place->let_in = false;
    co_return entered;
  }

  void leave() {
    --open_;
    call_next();
  }

  void close() {
    closed_ = true;
    for (Waiter& waiter : line_) waiter.called.notify();
  }

  const std::unique_ptr<Sink> target;

  /// A place that was given, until it goes.
  class Place {
   public:
    explicit Place(Webhook& webhook) : webhook_(webhook) {}
    ~Place() { webhook_.leave(); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    Webhook& webhook_;
  };

 private:
  class Waiter {
   public:
    explicit Waiter(const asio::any_io_executor& loop) : called(loop) {}
    loop::Event called;
    bool let_in = false;  ///< a place is taken for it, which it has not yet got
  };
  /// Takes a waiter out of the line, and passes on a place that it did not take.
  class Leaving {
   public:
    Leaving(Webhook& webhook, std::list<Waiter>::iterator place) : webhook_(webhook), place_(place) {}
    ~Leaving() {
      const bool unused = place_->let_in;
      webhook_.line_.erase(place_);
      if (unused) webhook_.leave();
    }
    Leaving(const Leaving&) = delete;
    Leaving& operator=(const Leaving&) = delete;

   private:
    Webhook& webhook_;
    std::list<Waiter>::iterator place_;
  };

  void call_next() {
    for (Waiter& waiter : line_) {
      if (open_ >= limit_) return;
      if (waiter.let_in) continue;
      ++open_;
      waiter.let_in = true;
      waiter.called.notify();
    }
  }

  std::size_t limit_;
  std::size_t open_ = 0;
  bool closed_ = false;
  std::list<Waiter> line_;
};

BotSink::BotSink(const asio::any_io_executor& loop, Clock& clock, std::unique_ptr<sink::PullSink> pull)
    : loop_(loop), clock_(clock), pull_(std::move(pull)) {}

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
  const bool entered = co_await webhook->enter(loop_);
  if (!entered) co_return Outcome::postpone(Duration::zero(), kGoesElsewhere);
  const Webhook::Place place(*webhook);
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
      std::exchange(webhook_, std::make_shared<Webhook>(std::move(target), open == 0 ? 1 : open));
  failure_.reset();
  if (before != nullptr) {
    before->close();
  } else {
    pull_->close(true);
  }
}

void BotSink::let_pull() {
  const std::shared_ptr<Webhook> before = std::exchange(webhook_, nullptr);
  failure_.reset();
  if (before == nullptr) return;
  before->close();
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
