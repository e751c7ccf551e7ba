#pragma once
// getUpdates with real long polling and the server's rules for two pollers.

#include <boost/asio/awaitable.hpp>
#include <string_view>
#include <tgkeep/clock.hpp>

#include "emulator/answer.hpp"
#include "emulator/bot_account.hpp"
#include "telegram/request_params.hpp"

namespace tgkeep::emulator {

/// 409, at once or paced.
boost::asio::awaitable<Answer> conflict(Clock& clock, BotAccount& account, std::string_view words);

/// One poll. Refused while a webhook is set. A poll that has to wait ends the one that waits already (409).
/// `stopping` ends the wait with [].
boost::asio::awaitable<Answer> get_updates(Clock& clock, BotAccount& account, telegram::Params params,
                                           const bool& stopping);

}  // namespace tgkeep::emulator
