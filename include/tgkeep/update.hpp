#pragma once
// One Telegram update: the raw bytes as received and what was read from them (Bot API 10.3, type Update).

#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/error.hpp>
#include <tgkeep/id.hpp>
#include <tgkeep/time.hpp>
#include <vector>

namespace tgkeep {

/// What must stay in order: `chat:…`, `poll:…` or `user:…`, with a namespace where ids could meet.
class OrderingKey {
 public:
  OrderingKey() = default;
  /// `text` is shown to people; the hash joins the bot to it, so equal keys of two bots are two lanes.
  OrderingKey(BotId bot, std::string text);
  /// As shown to people: `chat:1`.
  const std::string& text() const noexcept { return text_; }
  /// Of bot and text; lanes go by it.
  KeyHash hash() const noexcept { return hash_; }
  friend bool operator==(const OrderingKey&, const OrderingKey&) = default;

 private:
  std::string text_;
  KeyHash hash_;
};

/// Stable 64-bit hash of bytes: the same on every machine and in every version (it is stored).
std::uint64_t stable_hash(std::string_view bytes, std::uint64_t seed = 0) noexcept;

/// One update. `raw` travels on byte for byte; the rest is derived from it once, at receipt.
class Update {
 public:
  Update() = default;

  BotId bot;  ///< the bot that received it
  /// Telegram's id; for an unreadable piece without one: a negative hash of its bytes.
  UpdateId id;
  /// Name of the one field besides update_id, also when this version does not know it; "" if there is none.
  std::string kind;
  /// Ordering keys, primary first; empty: ordered with nothing.
  std::vector<OrderingKey> keys;
  /// How long Telegram itself would keep it (30 s … 24 h, by kind): past it, it is `late`.
  std::chrono::seconds lifetime{86400};
  /// True for the kinds whose answer can no longer be given after `lifetime` (P3): they end as dead{expired}.
  bool answer_expires = false;
  /// When we received it.
  WallTime received{};
  /// Why it can't be read, if it can't: it is stored and dead-lettered as `unreadable`.
  std::string unreadable;
  std::string raw;  ///< its JSON as Telegram sent it
};

}  // namespace tgkeep
