#include "emulator/world/world.hpp"

#include <boost/json/array.hpp>

#include "emulator/world/chat_member.hpp"

namespace tgkeep::emulator {

std::optional<json::object> World::chat_object(std::int64_t id) {
  std::optional<json::object> known = directory.chat_object(id);
  if (known || strict || id == 0) return known;
  if (id < 0) return directory.make_chat(id).profile;
  directory.user(id);
  return directory.chat_object(id);
}

std::optional<json::object> World::user_object(std::int64_t id) {
  if (const UserRecord* user = directory.find_user(id)) return user->profile;
  if (strict || id <= 0) return std::nullopt;
  return directory.user(id).profile;
}

json::object World::member_object(ChatRecord& chat, std::int64_t user) {
  const auto found = chat.members.find(user);
  json::object member = found == chat.members.end() ? make_member("left") : found->second;
  member["user"] = directory.user(user).profile;
  return member;
}

json::object World::save() const {
  json::object saved;
  saved["directory"] = directory.save();
  saved["messages"] = messages.save();
  saved["files"] = files.save();
  return saved;
}

void World::load(const json::object& saved) {
  directory.load(*object_in(saved, "directory"));
  messages.load(*object_in(saved, "messages"));
  files.load(*array_in(saved, "files"));
  queries.clear();
}

void World::clear() {
  directory = Directory();
  messages = MessageStore();
  files = FileShelf();
  queries = PendingQueries();
  invoices.clear();
}

}  // namespace tgkeep::emulator
