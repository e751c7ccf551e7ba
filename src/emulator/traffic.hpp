#pragma once
// Endless seeded traffic: real-looking updates from the samples, spread over many chats, with bursts.

#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace tgkeep::emulator {

/// One update to queue, still without an id.
class TrafficUpdate {
 public:
  TrafficUpdate(std::string_view kind, std::int64_t chat, std::string body)
      : kind(kind), chat(chat), body(std::move(body)) {}
  std::string_view kind;
  std::int64_t chat;
  std::string body;
};

/// The same seed and number of chats give the same updates. Only kinds that belong to a chat of the bot
/// itself and neither expire nor pass their lane. Each chat has one type for good and gets only samples that
/// fit it.
class Traffic {
 public:
  Traffic(std::uint64_t seed, std::size_t chats);
  ~Traffic();
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  TrafficUpdate next();

 private:
  struct Template;
  /// The samples of one chat type.
  struct Family {
    bool is_private;
    bool is_group;
    std::vector<Template> templates;
  };

  std::int64_t chat_id(const Family& family, std::size_t chat) const;
  std::size_t choose(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

  std::mt19937_64 random_;
  std::size_t chats_;
  std::vector<Family> families_;
  std::vector<std::size_t> family_of_;  ///< by chat
  std::size_t burst_chat_ = 0;
  std::size_t burst_left_ = 0;
};

}  // namespace tgkeep::emulator
