#pragma once
// getUpdates, answered out of the inbox by the server's rules.

#include <boost/asio/awaitable.hpp>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/store.hpp>

#include "face/bot_sink.hpp"
#include "face/call.hpp"
#include "face/conflicts.hpp"
#include "face/poll_pace.hpp"
#include "face/replays.hpp"
#include "face/wishes.hpp"

namespace tgkeep::face {

/// Everything on the loop's thread. What it gets must outlive it.
class GetUpdates {
 public:
  GetUpdates(Clock& clock, Store& store, BotSink& sink, Wishes& wishes, Conflicts& conflicts, Duration lease,
             Log log);

  /// One poll. Cancelled when the poller hung up.
  asio::awaitable<http::ServerReply> answer(Call call);

 private:
  /// When it shows that the bot has started anew, what the lease demands comes again.
  asio::awaitable<sink::PullAnswer> pull(sink::PullRequest request);
  asio::awaitable<http::ServerReply> closed(MonoTime began, Duration wait);

  Clock& clock_;
  BotSink& sink_;
  Wishes& wishes_;
  Conflicts& conflicts_;
  Log log_;
  Replays replays_;
  PollPace pace_;
};

}  // namespace tgkeep::face
