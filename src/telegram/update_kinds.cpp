#include "telegram/update_kinds.hpp"

#include <algorithm>
#include <array>

namespace tgkeep::telegram {

namespace {

using std::chrono::seconds;

// Chats of business and guest messages are told apart from ordinary ones by their namespaces
// (ordering_key.cpp).
constexpr std::array kKinds{
    UpdateKind("message", KeyRule::chat),
    UpdateKind("edited_message", KeyRule::chat),
    UpdateKind("channel_post", KeyRule::chat),
    UpdateKind("edited_channel_post", KeyRule::chat),
    UpdateKind("business_connection", KeyRule::user),
    UpdateKind("business_message", KeyRule::chat),
    UpdateKind("edited_business_message", KeyRule::chat),
    UpdateKind("deleted_business_messages", KeyRule::chat),
    UpdateKind("guest_message", KeyRule::guest_chat),
    UpdateKind("message_reaction", KeyRule::chat),
    UpdateKind("message_reaction_count", KeyRule::chat),
    UpdateKind("inline_query", KeyRule::user, seconds(30), true),
    UpdateKind("chosen_inline_result", KeyRule::user, seconds(600), false),
    UpdateKind("callback_query", KeyRule::callback, seconds(150), false),
    UpdateKind("shipping_query", KeyRule::user, seconds(150), true),
    UpdateKind("pre_checkout_query", KeyRule::user, seconds(150), true),
    UpdateKind("purchased_paid_media", KeyRule::user),
    UpdateKind("poll", KeyRule::poll),
    UpdateKind("poll_answer", KeyRule::poll_answer),
    UpdateKind("my_chat_member", KeyRule::chat),
    UpdateKind("chat_member", KeyRule::chat),
    UpdateKind("chat_join_request", KeyRule::chat),
    UpdateKind("chat_boost", KeyRule::chat),
    UpdateKind("removed_chat_boost", KeyRule::chat),
    UpdateKind("managed_bot", KeyRule::user),
    UpdateKind("subscription", KeyRule::user),
    UpdateKind("stopped_message_generation", KeyRule::none),
};

}  // namespace

std::span<const UpdateKind> update_kinds() noexcept {
  return kKinds;
}

std::optional<UpdateKind> find_update_kind(std::string_view name) noexcept {
  const auto found = std::ranges::find(kKinds, name, &UpdateKind::name);
  if (found == kKinds.end()) return std::nullopt;
  return *found;
}

}  // namespace tgkeep::telegram
