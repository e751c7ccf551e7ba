#pragma once
// Whether the webhook's URL can be reached from here, and how long its certificate holds.

#include <string>

#include "app/config.hpp"
#include "app/doctor/finding.hpp"

namespace tgkeep::app {

/// Asks for `url` with GET, which no bot takes for an update. Its path may be a secret and is not shown.
void check_webhook_url(Findings& findings, const BotConfig& bot, const std::string& url);

}  // namespace tgkeep::app
