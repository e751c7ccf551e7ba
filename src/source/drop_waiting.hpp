#pragma once
// Giving up what Telegram still holds for a bot that is polled, because the bot asked for it.

#include <boost/asio/awaitable.hpp>
#include <tgkeep/api.hpp>
#include <tgkeep/error.hpp>

namespace tgkeep::source {

/// Whatever waits there now is gone; what a poll under way has got already is not. `network` when Telegram
/// did not do it.
asio::awaitable<Result<void>> drop_waiting(Api& api);

}  // namespace tgkeep::source
