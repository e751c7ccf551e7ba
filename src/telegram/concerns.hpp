#pragma once
// Whom an update or a call is about, for taking away what concerns a person or a chat.

#include <cstdint>
#include <string_view>

namespace tgkeep::telegram {

/// Whether `body` (an update's JSON, or the parameters of a call) names the user, at any depth: as a user, as
/// the private chat with them, in a parameter such as `user_id` or `chat_id`, or by a `tg://user?id=` link.
/// Text that is no JSON concerns the user when such a member can be read in it.
bool concerns_user(std::string_view body, std::int64_t user);

/// Whether `body` names the chat: as a chat, or in a parameter such as `chat_id`. A chat that a call names
/// by its @username is not recognised. A private chat has its user's id; what that user does in other chats
/// does not concern it.
bool concerns_chat(std::string_view body, std::int64_t chat);

/// The one or the other.
inline bool concerns(std::string_view body, std::int64_t id, bool chat) {
  return chat ? concerns_chat(body, id) : concerns_user(body, id);
}

}  // namespace tgkeep::telegram
