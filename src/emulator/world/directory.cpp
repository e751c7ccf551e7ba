#include "emulator/world/directory.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <string>

#include "telegram/request_params.hpp"

namespace tgkeep::emulator {

namespace {

constexpr std::int64_t first_supergroup = kFirstChannel - 1'000'000'000;
constexpr std::int64_t first_group = -1'000'000;

json::array to_array(const std::set<std::int64_t>& ids) {
  json::array array;
  for (const std::int64_t id : ids) array.emplace_back(id);
  return array;
}

std::set<std::int64_t> to_set(const json::object& saved, std::string_view name) {
  std::set<std::int64_t> ids;
  const json::array* array = array_in(saved, name);
  if (array == nullptr) return ids;
  for (const json::value& id : *array) ids.insert(id.to_number<std::int64_t>());
  return ids;
}

bool has_name(const json::object& profile, std::string_view username) {
  const std::string_view own = string_in(profile, "username");
  return !own.empty() && telegram::same_ignoring_case(own, username);
}

}  // namespace

UserRecord& Directory::user(std::int64_t id) {
  UserRecord& user = users_[id];
  if (user.profile.empty()) {
    user.profile["id"] = id;
    user.profile["is_bot"] = false;
    user.profile["first_name"] = "User " + std::to_string(id);
  }
  return user;
}

UserRecord* Directory::find_user(std::int64_t id) noexcept {
  const auto found = users_.find(id);
  return found == users_.end() ? nullptr : &found->second;
}

ChatRecord* Directory::find_chat(std::int64_t id) noexcept {
  const auto found = chats_.find(id);
  return found == chats_.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> Directory::find_name(std::string_view username) const {
  if (username.starts_with('@')) username.remove_prefix(1);
  for (const auto& [id, user] : users_) {
    if (has_name(user.profile, username)) return id;
  }
  for (const auto& [id, chat] : chats_) {
    if (has_name(chat.profile, username)) return id;
  }
  return std::nullopt;
}

std::int64_t Directory::add_user(json::object said) {
  std::int64_t id = number_in(said, "id");
  while (id == 0 && users_.contains(++last_user_)) {
  }
  if (id == 0) id = last_user_;
  json::object profile;  // in the usual order
  profile["id"] = id;
  profile["is_bot"] = flag_in(said, "is_bot");
  profile["first_name"] = "User " + std::to_string(id);
  for (auto& member : said) profile[member.key()] = std::move(member.value());
  profile["id"] = id;
  users_[id].profile = std::move(profile);
  return id;
}

std::int64_t Directory::add_chat(json::object said) {
  std::int64_t id = number_in(said, "id");
  const std::int64_t first = string_in(said, "type") == "group" ? first_group : first_supergroup;
  while (id == 0 && chats_.contains(first - ++last_chat_)) {
  }
  if (id == 0) id = first - last_chat_;
  json::object profile;  // in the usual order
  profile["id"] = id;
  profile["title"] = "Chat " + std::to_string(id);
  profile["type"] = "supergroup";
  for (auto& member : said) profile[member.key()] = std::move(member.value());
  profile["id"] = id;
  chats_[id].profile = std::move(profile);
  return id;
}

ChatRecord& Directory::make_chat(std::int64_t id) {
  json::object profile;
  profile["id"] = id;
  profile["title"] = "Chat " + std::to_string(id);
  profile["type"] = is_channel_id(id) ? "supergroup" : "group";
  add_chat(std::move(profile));
  return chats_[id];
}

std::optional<json::object> Directory::chat_object(std::int64_t id) {
  if (const ChatRecord* chat = find_chat(id)) return chat->profile;
  const UserRecord* user = find_user(id);
  if (user == nullptr) return std::nullopt;
  json::object chat;
  chat["id"] = id;
  for (const char* name : {"first_name", "last_name", "username"}) {
    if (user->profile.contains(name)) chat[name] = user->profile.at(name);
  }
  chat["type"] = "private";
  return chat;
}

void Directory::learn(const json::value& value) {
  if (const json::array* array = value.if_array()) {
    for (const json::value& element : *array) learn(element);
  } else if (const json::object* object = value.if_object()) {
    learn_object(*object);
    for (const auto& member : *object) learn(member.value());
  }
}

void Directory::learn_object(const json::object& object) {
  const std::int64_t id = number_in(object, "id");
  if (id == 0) return;
  if (object.contains("is_bot")) {
    if (!users_.contains(id)) add_user(object);
  } else if (const std::string_view type = string_in(object, "type"); type == "private") {
    if (users_.contains(id)) return;
    json::object profile = object;
    profile.erase("type");
    add_user(std::move(profile));
  } else if (type == "group" || type == "supergroup" || type == "channel") {
    if (!chats_.contains(id)) add_chat(object);
  }
}

json::object Directory::save() const {
  json::array users;
  for (const auto& [id, user] : users_) {
    json::object saved;
    saved["profile"] = user.profile;
    saved["started"] = to_array(user.started);
    saved["blocked"] = to_array(user.blocked);
    saved["deactivated"] = user.deactivated;
    users.push_back(std::move(saved));
  }
  json::array chats;
  for (const auto& [id, chat] : chats_) {
    json::object saved;
    saved["profile"] = chat.profile;
    saved["details"] = chat.details;
    json::object members;
    for (const auto& [user, member] : chat.members) members[std::to_string(user)] = member;
    saved["members"] = std::move(members);
    saved["join_requests"] = to_array(chat.join_requests);
    if (chat.migrated_to) saved["migrated_to"] = *chat.migrated_to;
    chats.push_back(std::move(saved));
  }
  json::object saved;
  saved["users"] = std::move(users);
  saved["chats"] = std::move(chats);
  return saved;
}

void Directory::load(const json::object& saved) {
  users_.clear();
  chats_.clear();
  for (const json::value& entry : *array_in(saved, "users")) {
    const json::object& from = entry.as_object();
    UserRecord& user = users_[add_user(*object_in(from, "profile"))];
    user.started = to_set(from, "started");
    user.blocked = to_set(from, "blocked");
    user.deactivated = flag_in(from, "deactivated");
  }
  for (const json::value& entry : *array_in(saved, "chats")) {
    const json::object& from = entry.as_object();
    ChatRecord& chat = chats_[add_chat(*object_in(from, "profile"))];
    chat.details = *object_in(from, "details");
    for (const auto& member : *object_in(from, "members")) {
      chat.members[std::stoll(std::string(member.key()))] = member.value().as_object();
    }
    chat.join_requests = to_set(from, "join_requests");
    if (from.contains("migrated_to")) chat.migrated_to = number_in(from, "migrated_to");
  }
}

}  // namespace tgkeep::emulator
