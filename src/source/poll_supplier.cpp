#include <algorithm>
#include <tgkeep/poll_supplier.hpp>
#include <utility>

#include "source/order.hpp"
#include "source/poll_batch.hpp"
#include "source/poller.hpp"

namespace tgkeep::source {

namespace {

class PollSupplier {
 public:
  PollSupplier(Clock& clock, Api& api, LongPollOptions options, Log log)
      : clock_(clock), log_(log), poller_(clock, api, std::move(options), std::move(log)) {}

  asio::awaitable<std::optional<std::vector<Update>>> supply(std::size_t limit) {
    if (!open_) co_await poller_.open();
    open_ = true;
    const std::size_t most = std::min<std::size_t>(limit, std::clamp(poller_.options().limit, 1, 100));
    PollAnswer answer = co_await poller_.ask(static_cast<int>(most));
    std::optional<std::vector<Update>> supplied(std::in_place);
    if (answer.pieces.empty()) co_return supplied;
    PollBatch batch = read_batch(poller_.options().bot, clock_.wall(), answer.pieces);
    if (!poller_.take_over(batch.last)) {
      PollTrouble trouble = Poller::no_progress();
      co_await poller_.wait_out(std::move(trouble));
      co_return supplied;
    }
    poller_.recover();
    *supplied = readable(std::move(batch));
    co_return supplied;
  }

 private:
  std::vector<Update> readable(PollBatch batch) {
    std::vector<Update> updates = std::move(batch.updates);
    for (const Update& update : updates) {
      if (update.unreadable.empty()) continue;
      log_.error("unreadable_update",
                 {{"bot", poller_.bot()}, {"update_id", update.id.value()}, {"error", update.unreadable}});
    }
    std::erase_if(updates, [](const Update& update) { return !update.unreadable.empty(); });
    order(updates, poller_.options().sequentialize, log_);
    return updates;
  }

  Clock& clock_;
  const Log log_;
  Poller poller_;
  bool open_ = false;
};

}  // namespace

UpdateSupplier make_poll_supplier(Clock& clock, Api& api, LongPollOptions options, Log log) {
  auto poll = std::make_shared<PollSupplier>(clock, api, std::move(options), std::move(log));
  return [poll = std::move(poll)](std::size_t limit) { return poll->supply(limit); };
}

}  // namespace tgkeep::source
