#pragma once
// URLs of webhooks, under the emulator's roof.

#include "telegram/webhook_url.hpp"

namespace tgkeep::emulator {

using telegram::refuse_address;
using telegram::refuse_url;
using telegram::WebhookUrl;

}  // namespace tgkeep::emulator
