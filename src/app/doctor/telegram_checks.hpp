#pragma once
// What Telegram says about a bot. Nothing is changed there.

#include <boost/asio/io_context.hpp>
#include <optional>
#include <string>

#include "app/config.hpp"
#include "app/doctor/finding.hpp"
#include "source/webhook_info.hpp"

namespace tgkeep::app {

/// getMe and getWebhookInfo, against what the configuration wants. The webhook's info, if it was to be had.
std::optional<source::WebhookInfo> check_telegram(Findings& findings, boost::asio::io_context& io,
                                                  const BotConfig& bot, const std::string& token);

/// This machine's clock against the API server's.
void check_clock(Findings& findings, boost::asio::io_context& io, const std::string& api_root);

}  // namespace tgkeep::app
