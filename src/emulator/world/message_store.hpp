#pragma once
// The messages of all chats, as bots see them.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <utility>

#include "emulator/world/json_access.hpp"

namespace tgkeep::emulator {

/// Ids grow: in supergroups and channels by chat, elsewhere by bot. Private chats and groups are each bot's
/// own. Only the newest messages are kept.
class MessageStore {
 public:
  explicit MessageStore(std::size_t most = 20'000) : most_(most) {}

  std::int64_t next_id(std::int64_t bot, std::int64_t chat) { return ++last_[counter(bot, chat)]; }
  /// The newest id given; 0 before the first.
  std::int64_t last_id(std::int64_t bot, std::int64_t chat) const noexcept;
  /// Keeps a message, which has its id.
  void put(std::int64_t bot, std::int64_t chat, json::object message);
  /// nullptr when there is none. Valid until the next `put`.
  json::object* find(std::int64_t bot, std::int64_t chat, std::int64_t id);
  bool erase(std::int64_t bot, std::int64_t chat, std::int64_t id);
  /// All of one chat, oldest first.
  json::array of_chat(std::int64_t bot, std::int64_t chat) const;

  json::object save() const;
  void load(const json::object& saved);

 private:
  using Place = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  ///< owner, chat, id
  using Counter = std::pair<std::int64_t, std::int64_t>;
  static std::int64_t owner(std::int64_t bot, std::int64_t chat) noexcept;
  static Counter counter(std::int64_t bot, std::int64_t chat) noexcept;

  std::size_t most_;
  std::map<Place, json::object> messages_;
  std::deque<Place> order_;
  std::map<Counter, std::int64_t> last_;
};

}  // namespace tgkeep::emulator
