#pragma once
// Long polling (getUpdates) as a source. Offsets by the rules of docs/delivery.md: start without one, next =
// last id of the last durable batch + 1, even when that is lower than before; never persisted.

#include <memory>
#include <optional>
#include <string>
#include <tgkeep/api.hpp>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/sequentialize.hpp>
#include <tgkeep/source.hpp>
#include <tgkeep/store.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep::source {

/// How a bot polls.
class LongPollOptions {
 public:
  explicit LongPollOptions(BotId bot) : bot(bot) {}
  BotId bot;                         ///< whose updates these are
  std::chrono::seconds timeout{30};  ///< of the long poll, at most 50 s (the server cuts more)
  int limit = 100;                   ///< updates per answer, 1-100
  /// Absent: the server keeps its setting. Empty: the default kinds. Sent with the first poll only.
  std::optional<std::vector<std::string>> allowed_updates;
  bool drop_pending = false;  ///< deleteWebhook(drop_pending_updates) before the first poll: a wilful loss
  /// Deletes the webhook before the first poll of a run, so that a bot can change from webhook to polling;
  /// what waits at the server stays. False: a webhook is reported and waited out.
  bool take_over = false;
  Sequentialize sequentialize;                         ///< absent: the default keys
  Duration max_backoff = std::chrono::seconds(30);     ///< of the growing pause after failures
  Duration suspended_retry = std::chrono::minutes(5);  ///< after 401: the token may come back
};

/// All references must outlive it.
std::unique_ptr<Source> make_long_poll(Clock& clock, Api& api, Store& store, LongPollOptions options,
                                       Log log);

static_assert(!std::is_aggregate_v<LongPollOptions>);

}  // namespace tgkeep::source
