#pragma once
// One call of a method: who calls, with what, and what there is.

#include <string_view>
#include <tgkeep/time.hpp>

#include "emulator/answer.hpp"
#include "emulator/bot_account.hpp"
#include "emulator/methods/refusal.hpp"
#include "emulator/schema/schema.hpp"
#include "emulator/schema/synthesis.hpp"
#include "emulator/world/world.hpp"
#include "telegram/request_params.hpp"

namespace tgkeep::emulator {

class Call {
 public:
  Call(BotAccount& bot, World& world, const telegram::Params& params, const schema::MethodSpec& spec,
       WallTime now)
      : bot(bot), world(world), params(params), spec(spec), now(now) {}

  std::string_view text(std::string_view name) const noexcept { return params.text(name); }
  std::int64_t number(std::string_view name) const noexcept { return params.number(name, 0); }
  std::int64_t date() const noexcept { return unix_time(now); }
  std::int64_t bot_id() const noexcept { return bot.id.value(); }
  /// Makes up what nobody knows; users are the bot, chats the chat of the call.
  schema::Synthesis synthesis() const;

  BotAccount& bot;
  World& world;
  const telegram::Params& params;
  const schema::MethodSpec& spec;
  const WallTime now;
};

Answer answer_with(const json::value& result);

/// The chat that the parameter `name` means, by number or `@name`.
Checked<std::int64_t> find_chat(const Call& call, std::string_view name = "chat_id");
/// The same, and the bot may write there: it is not blocked, kicked or unknown to the user.
Checked<std::int64_t> find_writable_chat(const Call& call, std::string_view name = "chat_id");
/// A group, supergroup or channel; a private chat is refused.
Checked<ChatRecord*> find_group(const Call& call);
/// The user of `user_id`.
Checked<std::int64_t> find_user(const Call& call);
/// The message `message_id` of a chat; `what` is for the error, like `message to edit`.
Checked<json::object*> find_message(const Call& call, std::int64_t chat, std::string_view what);

}  // namespace tgkeep::emulator
