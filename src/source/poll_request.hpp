#pragma once
// The Bot API calls polling makes.

#include <cstdint>
#include <optional>
#include <tgkeep/api.hpp>
#include <tgkeep/long_poll.hpp>

namespace tgkeep::source {

/// `options.timeout` and `limit` are brought into the server's bounds (1-50 s, 1-100). With `ask`,
/// the call carries `options.allowed_updates`, which the server then keeps for later calls.
ApiRequest get_updates(const LongPollOptions& options, int limit, std::optional<std::int64_t> offset,
                       bool ask);

/// Confirms everything below `offset` without waiting; what it returns is not confirmed.
ApiRequest confirm_updates(std::int64_t offset);

/// Deletes the webhook, so that polling is allowed. With `drop_pending` it loses every update that waits at
/// the server.
ApiRequest delete_webhook(bool drop_pending);

}  // namespace tgkeep::source
