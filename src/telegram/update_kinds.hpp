#pragma once
// The update kinds we know (Bot API 10.3): where each one's ordering key is found and how long it is worth an
// answer.

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace tgkeep::telegram {

/// Where a kind's ordering key comes from.
enum class KeyRule : std::uint8_t {
  chat,         ///< chat.id; failing that from.id or user.id. Also for kinds we don't know
  guest_chat,   ///< chat.id in the guest namespace
  callback,     ///< message.chat.id; of an inline message from.id
  user,         ///< from.id or user.id
  poll,         ///< the poll's own id
  poll_answer,  ///< poll_id
  none,         ///< passes every lane: it must reach the handler it stops
};

class UpdateKind {
 public:
  constexpr UpdateKind(std::string_view name, KeyRule rule) : name(name), rule(rule) {}
  constexpr UpdateKind(std::string_view name, KeyRule rule, std::chrono::seconds lifetime,
                       bool answer_expires)
      : name(name), rule(rule), lifetime(lifetime), answer_expires(answer_expires) {}
  std::string_view name;
  KeyRule rule;
  std::chrono::seconds lifetime = std::chrono::hours(24);  ///< at Telegram's server
  bool answer_expires = false;
};

/// All kinds we know, in the documentation's order.
std::span<const UpdateKind> update_kinds() noexcept;

/// Nothing for a kind this version does not know.
std::optional<UpdateKind> find_update_kind(std::string_view name) noexcept;

static_assert(!std::is_aggregate_v<UpdateKind>);

}  // namespace tgkeep::telegram
