#pragma once
// A bot in a child process, between an emulated Bot API and a test: what each such bot is set to, and how it
// is stopped.

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/gateway.hpp>

#include "prove/child_process.hpp"

namespace tgkeep::prove {

/// The token from TGKEEP_TOKEN, all kinds of updates (the default set leaves some of the traffic out), the
/// log on stderr.
GatewayOptions child_bot_options(const std::string& api_root, const std::string& folder);

/// Updates come to this port of this machine, by a webhook that the bot registers itself.
void receive_at(GatewayOptions& options, std::uint16_t port, const std::string& secret);

/// SIGTERM, and waits for the end; nothing when there is none within `patience`.
boost::asio::awaitable<std::optional<std::string>> stop_child(ChildProcess& child, Clock& clock,
                                                              Duration patience);

}  // namespace tgkeep::prove
