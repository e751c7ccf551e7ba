#pragma once
// setWebhook and deleteWebhook, with the server's rules of what they change and in which order.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <tgkeep/clock.hpp>

#include "emulator/answer.hpp"
#include "emulator/bot_account.hpp"
#include "emulator/webhook_sender.hpp"
#include "telegram/request_params.hpp"

namespace tgkeep::emulator {

/// Starts the sender of an account whose webhook was just set.
using StartSender = std::function<std::unique_ptr<WebhookSender>(BotAccount&)>;

/// An empty url deletes. Any call that changes the webhook first closes and forgets the old one, and only
/// then looks at the new url: a refused one leaves the bot without a webhook.
boost::asio::awaitable<Answer> set_webhook(Clock& clock, BotAccount& account, telegram::Params params,
                                           telegram::WebhookRules rules, const StartSender& start);

boost::asio::awaitable<Answer> delete_webhook(BotAccount& account, telegram::Params params);

/// Ends the sender, if there is one.
boost::asio::awaitable<void> close_webhook(BotAccount& account);

}  // namespace tgkeep::emulator
