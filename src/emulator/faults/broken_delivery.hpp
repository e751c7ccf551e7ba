#pragma once
// A webhook request that breaks off on purpose, byte by byte as told.

#include <boost/asio/awaitable.hpp>
#include <string>
#include <tgkeep/clock.hpp>

#include "emulator/fault.hpp"
#include "http/client.hpp"
#include "telegram/webhook_url.hpp"

namespace tgkeep::emulator {

/// True for faults of the connection itself; the others change what is sent or believed.
bool breaks_connection(WebhookFault fault) noexcept;

/// Connects, sends the part of the request that the fault leaves, and ends the connection. Returns what the
/// sender would have seen, always an error. `clock` and `deadline` are for `unreachable`.
boost::asio::awaitable<http::ClientResult> break_delivery(Clock& clock, Duration deadline, WebhookFault fault,
                                                          telegram::WebhookUrl url,
                                                          http::ClientRequest request);

}  // namespace tgkeep::emulator
