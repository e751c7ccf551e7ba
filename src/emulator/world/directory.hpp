#pragma once
// Who and what there is: users and chats, known to all bots of a server.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>

#include "emulator/world/json_access.hpp"

namespace tgkeep::emulator {

class UserRecord {
 public:
  UserRecord() = default;
  json::object profile;            ///< the User object
  std::set<std::int64_t> started;  ///< bots this user has written to
  std::set<std::int64_t> blocked;  ///< bots this user has stopped
  bool deactivated = false;
};

/// A group, supergroup or channel. A private chat is its user.
class ChatRecord {
 public:
  ChatRecord() = default;
  json::object profile;                          ///< the Chat object
  json::object details;                          ///< what getChat shows besides
  std::map<std::int64_t, json::object> members;  ///< ChatMember without its user, by user
  std::set<std::int64_t> join_requests;          ///< users who wait to be let in
  std::optional<std::int64_t> migrated_to;
  std::string_view type() const noexcept { return string_in(profile, "type"); }
  bool is_channel() const noexcept { return type() == "channel"; }
};

class Directory {
 public:
  Directory() = default;

  /// The user of that id, made up if there is none yet.
  UserRecord& user(std::int64_t id);
  UserRecord* find_user(std::int64_t id) noexcept;
  /// By id, or by `@username`.
  ChatRecord* find_chat(std::int64_t id) noexcept;
  /// A user or chat by `@username` (with or without @, any case).
  std::optional<std::int64_t> find_name(std::string_view username) const;
  /// Takes a profile as it is, without an id with a new one; returns the id.
  std::int64_t add_user(json::object said);
  std::int64_t add_chat(json::object said);
  /// A made-up group (or supergroup, by its id).
  ChatRecord& make_chat(std::int64_t id);

  /// The Chat object of a user or a chat; nothing when unknown.
  std::optional<json::object> chat_object(std::int64_t id);
  /// Learns the users and chats that an update mentions.
  void learn(const json::value& value);

  const std::map<std::int64_t, UserRecord>& users() const noexcept { return users_; }
  std::map<std::int64_t, ChatRecord>& chats() noexcept { return chats_; }
  const std::map<std::int64_t, ChatRecord>& chats() const noexcept { return chats_; }

  json::object save() const;
  void load(const json::object& saved);

 private:
  void learn_object(const json::object& object);
  std::map<std::int64_t, UserRecord> users_;
  std::map<std::int64_t, ChatRecord> chats_;
  std::int64_t last_user_ = 1'000'000'000;
  std::int64_t last_chat_ = 0;
};

inline constexpr std::int64_t kFirstChannel = -1'000'000'000'000;
/// Supergroups and channels have ids below that of every group.
inline bool is_channel_id(std::int64_t id) noexcept {
  return id < kFirstChannel;
}

static_assert(!std::is_aggregate_v<UserRecord> && !std::is_aggregate_v<ChatRecord>);

}  // namespace tgkeep::emulator
