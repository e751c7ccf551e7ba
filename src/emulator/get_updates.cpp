#include "emulator/get_updates.hpp"

#include <boost/asio/this_coro.hpp>

namespace tgkeep::emulator {

namespace asio = boost::asio;

namespace {

// A burst is answered as one batch.
constexpr Duration batching = std::chrono::milliseconds(1);
constexpr std::string_view webhook_text =
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook "
    "first";
constexpr std::string_view replaced_text =
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";

/// Makes a poll the waiting one for as long as it lives.
class WaitingPlace {
 public:
  WaitingPlace(BotAccount& account, WaitingPoll& poll) : account_(account), poll_(poll) {
    if (account.waiting != nullptr) {
      account.waiting->conflict = replaced_text;
      account.waiting->changed.notify();
    }
    account.waiting = &poll;
  }
  ~WaitingPlace() {
    if (account_.waiting == &poll_) account_.waiting = nullptr;
  }
  WaitingPlace(const WaitingPlace&) = delete;
  WaitingPlace& operator=(const WaitingPlace&) = delete;

 private:
  BotAccount& account_;
  WaitingPoll& poll_;
};

Answer found(BotAccount& account, const Batch& batch) {
  account.deliveries.answered(batch);
  return Answer::ok(batch.json);
}

}  // namespace

asio::awaitable<Answer> conflict(Clock& clock, BotAccount& account, std::string_view words) {
  const Duration delay = account.polls.conflict_delay(clock.mono());
  if (delay > Duration::zero()) co_await loop::sleep_for(clock, delay);
  co_return Answer::error(409, words);
}

asio::awaitable<Answer> get_updates(Clock& clock, BotAccount& account, telegram::Params params,
                                    const bool& stopping) {
  if (account.webhook.is_active()) {
    Answer refused = co_await conflict(clock, account, webhook_text);
    co_return refused;
  }
  const MonoTime now = clock.mono();
  const std::int64_t asked = params.number("offset", 0);
  const PollTerms terms =
      account.polls.admit(asked, params.number("limit", 100), params.number("timeout", 0), now);
  account.allowed.set(params.text("allowed_updates"));
  account.deliveries.asked(asked);
  const std::int64_t offset = account.queue.resolve(asked);
  account.queue.expire(account.clock.wall());
  Batch batch = account.queue.take(offset, terms.limit);
  const bool answer_now = !batch.ids.empty() || terms.timeout == std::chrono::seconds::zero() || stopping;
  if (answer_now) co_return found(account, batch);

  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  WaitingPoll poll(executor);
  const WaitingPlace place(account, poll);
  const MonoTime until = now + terms.timeout;
  bool in_time = true;
  while (in_time && !stopping) {
    in_time = co_await poll.changed.wait_until(clock, until);
    const bool news = account.queue.size() + account.queue.waiting_again() > 0;
    if (news && poll.conflict.empty()) co_await loop::sleep_for(clock, batching);
    if (!poll.conflict.empty()) break;
    account.queue.expire(account.clock.wall());
    batch = account.queue.take(offset, terms.limit);
    if (!batch.ids.empty()) co_return found(account, batch);
  }
  if (poll.conflict.empty()) co_return Answer::ok("[]");
  Answer answer = co_await conflict(clock, account, poll.conflict);
  co_return answer;
}

}  // namespace tgkeep::emulator
