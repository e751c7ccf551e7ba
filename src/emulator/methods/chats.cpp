// getChat and what changes a chat itself.

#include <array>
#include <boost/json/array.hpp>
#include <string>

#include "emulator/methods/media.hpp"
#include "emulator/methods/registry.hpp"
#include "emulator/text/formatted_text.hpp"
#include "emulator/world/chat_member.hpp"

namespace tgkeep::emulator {

namespace {

/// A parameter becomes a field of the chat: of its profile, or of what only getChat shows.
void set_text(json::object& object, std::string_view name, std::string_view value) {
  if (value.empty()) {
    object.erase(json_view(name));
  } else {
    object[json_view(name)] = json_text(value);
  }
}

Answer get_chat(Call& call) {
  const Checked<std::int64_t> id = find_chat(call);
  if (!id) return id.error().answer();
  json::object info = call.synthesis().value(*schema::find_type("ChatFullInfo"), "chat").as_object();
  const json::object profile = call.world.chat_object(*id).value_or(json::object());
  for (const auto& member : profile) info[member.key()] = member.value();
  const ChatRecord* group = call.world.directory.find_chat(*id);
  const auto own = call.bot.private_details.find(*id);
  if (group != nullptr) {
    for (const auto& member : group->details) info[member.key()] = member.value();
  } else if (own != call.bot.private_details.end()) {
    for (const auto& member : own->second) info[member.key()] = member.value();
  }
  return answer_with(info);
}

Answer set_title(Call& call) {
  const Checked<ChatRecord*> chat = find_group(call);
  if (!chat) return Refusal("can't change private chat title").answer();
  if (code_points(call.text("title")) > 128) return Refusal("title is too long").answer();
  set_text((*chat)->profile, "title", call.text("title"));
  return Answer::ok("true");
}

Answer set_description(Call& call) {
  const Checked<ChatRecord*> chat = find_group(call);
  if (!chat) return chat.error().answer();
  if (string_in((*chat)->details, "description") == call.text("description")) {
    return Refusal("chat description is not modified").answer();
  }
  set_text((*chat)->details, "description", call.text("description"));
  return Answer::ok("true");
}

Answer set_photo(Call& call) {
  const Checked<ChatRecord*> chat = find_group(call);
  if (!chat) return chat.error().answer();
  const MediaKind& kind = *find_media_kind("photo");
  const Checked<FileRecord*> file = take_file(call, kind, "", "photo");
  if (!file) return file.error().answer();
  json::object photo;
  for (const char* size : {"small", "big"}) {
    photo[std::string(size) + "_file_id"] = (*file)->id;
    photo[std::string(size) + "_file_unique_id"] = (*file)->unique_id;
  }
  (*chat)->details["photo"] = std::move(photo);
  return Answer::ok("true");
}

Answer delete_photo(Call& call) {
  const Checked<ChatRecord*> chat = find_group(call);
  if (!chat) return chat.error().answer();
  (*chat)->details.erase("photo");
  return Answer::ok("true");
}

Answer set_permissions(Call& call) {
  const Checked<ChatRecord*> chat = find_group(call);
  if (!chat) return chat.error().answer();
  (*chat)->details["permissions"] = parse_json(call.text("permissions")).value_or(json::object());
  return Answer::ok("true");
}

Answer set_sticker_set(Call& call) {
  const Checked<ChatRecord*> chat = find_group(call);
  if (!chat) return chat.error().answer();
  set_text((*chat)->details, "sticker_set_name", call.text("sticker_set_name"));
  return Answer::ok("true");
}

std::string new_link(Call& call) {
  return "https://t.me/+emulated" + std::to_string(call.world.messages.next_id(0, 0));
}

Answer export_link(Call& call) {
  const Checked<ChatRecord*> chat = find_group(call);
  if (!chat) return chat.error().answer();
  const std::string link = new_link(call);
  (*chat)->details["invite_link"] = link;
  return answer_with(json::value(link));
}

json::object link_object(Call& call, std::string_view link) {
  json::object made = call.synthesis().value(*schema::find_type("ChatInviteLink"), "link").as_object();
  made["invite_link"] = json_text(link);
  made["creator"] = call.bot.short_profile();
  made["is_primary"] = false;
  made["is_revoked"] = call.spec.name == "revokeChatInviteLink";
  return made;
}

Answer make_link(Call& call) {
  const Checked<ChatRecord*> chat = find_group(call);
  if (!chat) return chat.error().answer();
  return answer_with(link_object(call, new_link(call)));
}

Answer change_link(Call& call) {
  const Checked<ChatRecord*> chat = find_group(call);
  if (!chat) return chat.error().answer();
  return answer_with(link_object(call, call.text("invite_link")));
}

Answer leave(Call& call) {
  const Checked<ChatRecord*> chat = find_group(call);
  if (!chat) return Refusal("chat member status can't be changed in private chats").answer();
  (*chat)->members[call.bot_id()] = make_member("left");
  return Answer::ok("true");
}

constexpr std::array methods = {
    NamedMethod("getChat", get_chat),
    NamedMethod("setChatTitle", set_title),
    NamedMethod("setChatDescription", set_description),
    NamedMethod("setChatPhoto", set_photo),
    NamedMethod("deleteChatPhoto", delete_photo),
    NamedMethod("setChatPermissions", set_permissions),
    NamedMethod("setChatStickerSet", set_sticker_set),
    NamedMethod("deleteChatStickerSet", set_sticker_set),
    NamedMethod("exportChatInviteLink", export_link),
    NamedMethod("createChatInviteLink", make_link),
    NamedMethod("createChatSubscriptionInviteLink", make_link),
    NamedMethod("editChatInviteLink", change_link),
    NamedMethod("editChatSubscriptionInviteLink", change_link),
    NamedMethod("revokeChatInviteLink", change_link),
    NamedMethod("leaveChat", leave),
};

}  // namespace

std::span<const NamedMethod> chat_methods() noexcept {
  return methods;
}

}  // namespace tgkeep::emulator
