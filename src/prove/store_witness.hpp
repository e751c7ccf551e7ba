#pragma once
// What the store of a stopped or killed bot holds.

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <string>
#include <tgkeep/error.hpp>
#include <tgkeep/store.hpp>
#include <tgkeep/store_browser.hpp>

#include "prove/store_figures.hpp"

namespace tgkeep::prove {

/// Rows in flight in the outbox right after a kill, while no process owns the store: how many calls may or
/// may not have been sent. Read by SQL from a copy (docs/store_format.md), so that it neither depends on the
/// store's own code nor changes the files. 0 when there is no store.
Result<std::int64_t> count_calls_in_flight(const std::string& folder);

/// Rows that are still to be settled, in both queues, while the bot runs or not. Read by SQL, as anybody may.
Result<std::int64_t> count_open(const std::string& folder);

/// All dead letters and held calls of a queue, oldest first.
boost::asio::awaitable<Result<std::vector<StoredItem>>> find_dead(Store& store, Queue queue);

/// The dead letters of updates in the store of a bot that has stopped.
Result<std::vector<StoredItem>> read_dead_letters(const std::string& folder);

/// Opens the store of a bot that has stopped, audits it (P8) and returns its totals.
Result<StoreFigures> read_store(const std::string& folder);

}  // namespace tgkeep::prove
