#pragma once
// From the outbox to the Bot API.

#include <functional>
#include <memory>
#include <tgkeep/api.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/sink.hpp>

namespace tgkeep::sink {

/// The Api of a bot, or nullptr for an unknown one (its calls are then dead{no_bot}).
using ApiOf = std::function<Api*(BotId)>;

/// done when Telegram answered ok; 429 waits exactly as long as told (that chat only); not sent says that
/// Telegram is unreachable, so the runner pauses and probes; refused ends as dead{refused}, maybe sent as
/// doubt. None of the waits counts attempts.
std::unique_ptr<Sink> make_api_sink(ApiOf api_of, Log log);

}  // namespace tgkeep::sink
