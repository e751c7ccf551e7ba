#pragma once
// What the emulated Telegram knows besides its bots: people, chats, messages, files, open queries.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tgkeep/time.hpp>
#include <tuple>

#include "emulator/world/directory.hpp"
#include "emulator/world/file_shelf.hpp"
#include "emulator/world/message_store.hpp"
#include "emulator/world/pending_queries.hpp"

namespace tgkeep::emulator {

/// Queues an update for a bot; the update_id, or nothing when the bot does not get it.
using Deliver = std::function<std::optional<std::int64_t>(std::int64_t bot, std::string_view kind,
                                                          const json::object& content)>;

class World {
 public:
  using Place = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  ///< bot, chat, message

  /// `strict`: what nobody made is not there. Otherwise chats, users and files come into being when a call
  /// names them.
  explicit World(bool strict) : strict(strict) {}

  /// The Chat object, made up when that is allowed; nothing when there is no such chat.
  std::optional<json::object> chat_object(std::int64_t id);
  /// The User object, made up when that is allowed.
  std::optional<json::object> user_object(std::int64_t id);

  /// A group's member as ChatMember, with its user.
  json::object member_object(ChatRecord& chat, std::int64_t user);

  json::object save() const;
  void load(const json::object& saved);
  void clear();

  /// Queues an update for a bot; set by the server.
  Deliver deliver;

  /// What goes on once a bot has said yes to a shipping or pre-checkout query; set by whoever plays the
  /// users.
  std::function<void(const PendingQuery& query, WallTime now)> after_shipping = [](const PendingQuery&,
                                                                                   WallTime) {};
  std::function<void(const PendingQuery& query, WallTime now)> after_checkout = [](const PendingQuery&,
                                                                                   WallTime) {};

  const bool strict;
  /// Not empty: as a server in local mode, getFile puts files there and names their whole path; no file is
  /// too big.
  std::string local_folder;
  std::set<std::int64_t> bots;  ///< the server's own; their profiles are in the directory
  Directory directory;
  MessageStore messages;
  FileShelf files;
  PendingQueries queries;
  std::map<Place, json::object> invoices;  ///< terms of invoices that their messages do not show
};

/// Unix time.
inline std::int64_t unix_time(WallTime time) noexcept {
  return to_millis(time) / 1000;
}

}  // namespace tgkeep::emulator
