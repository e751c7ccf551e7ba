#pragma once
// From what a bot's options say to what its rooms want to know. Pure.

#include <string>
#include <tgkeep/bot_options.hpp>
#include <tgkeep/gateway.hpp>
#include <tgkeep/id.hpp>
#include <tgkeep/long_poll.hpp>
#include <tgkeep/sqlite_store.hpp>

#include "admin/operated_bot.hpp"
#include "face/face.hpp"
#include "sink/push_sink.hpp"
#include "source/webhook.hpp"

namespace tgkeep::app {

/// Whose token it is. bad_config when there is none, or it is none.
Result<BotId> bot_of(const BotOptions& options);
/// What can be known to be wrong before anything is opened: bad_config.
Result<void> check_bot(const BotOptions& options);

/// What operators are told about it.
admin::BotFacts facts_of(BotId bot, const BotOptions& options);

/// Of a bot with files.
store::SqliteOptions sqlite_options(const BotOptions& options);
source::LongPollOptions poll_options(BotId bot, const BotOptions& options);
/// `options.webhook` must be there.
source::WebhookOptions webhook_options(BotId bot, const BotOptions& options);
/// `options.push` must be there.
sink::PushOptions push_options(BotId bot, const BotOptions& options);
/// The inbox's runner, fitted to a push or pull if there is one.
RunnerOptions inbox_options(const BotOptions& options);

/// What its face is made with.
face::FaceSettings face_settings(const FaceOptions& face, const BotOptions& options);

/// The path of an absolute URL, without query; "/" when it has none.
std::string path_of(std::string_view url);
/// Whether anything comes to it through the process's listener.
bool needs_listener(const BotOptions& options) noexcept;
/// Where the bot settles what it accepted with 202: the start of the paths at the listener. `options.push`
/// must be there.
std::string settle_prefix(BotId bot, const BotOptions& options);

}  // namespace tgkeep::app
