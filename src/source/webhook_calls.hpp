#pragma once
// The call that registers a webhook.

#include <string>
#include <tgkeep/api.hpp>
#include <tgkeep/error.hpp>

#include "source/webhook.hpp"

namespace tgkeep::source {

/// setWebhook with everything `registration` says. bad_config when the certificate's file can't be sent: not
/// readable, too long, no certificate, or with a private key in it.
Result<ApiRequest> set_webhook(const WebhookRegistration& registration, const std::string& secret,
                               bool drop_pending);

}  // namespace tgkeep::source
