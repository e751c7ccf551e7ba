#pragma once
// Long polling for a pipeline without a store.

#include <memory>
#include <tgkeep/api.hpp>
#include <tgkeep/api_client.hpp>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/long_poll.hpp>
#include <tgkeep/supplier.hpp>

namespace tgkeep::source {

/// Polls with `limit` as asked. An answer is confirmed to Telegram with the next call, whether its updates
/// have been handled or not: after a crash they are gone. For no loss use a store. At a stop the last answer
/// stays unconfirmed: it comes again when a new supplier polls. Failures are waited out as by
/// `make_long_poll`. Pieces that can't be read are logged and left out. References must outlive it.
UpdateSupplier make_poll_supplier(Clock& clock, Api& api, LongPollOptions options, Log log);

/// The same with clock and connections of its own, on the loop that asks first: for `run`. It sets
/// `options.bot`. bad_config when the token has not the shape of one.
Result<UpdateSupplier> make_poll_supplier(ApiOptions api, Log log,
                                          LongPollOptions options = LongPollOptions(BotId()));

}  // namespace tgkeep::source
