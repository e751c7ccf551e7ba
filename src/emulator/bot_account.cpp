#include "emulator/bot_account.hpp"

#include "emulator/webhook_sender.hpp"
#include "telegram/update_kinds.hpp"

namespace tgkeep::emulator {

void DeliveryCount::answered(const Batch& batch) {
  if (batch.ids.empty()) return;
  unacknowledged_ = static_cast<std::int64_t>(batch.ids.size());
  delivered_ += unacknowledged_;
  expected_offset_ = batch.ids.back().value() + 1;
}

void DeliveryCount::asked(std::int64_t offset) {
  if (expected_offset_ == offset) acknowledged_ += unacknowledged_;
  expected_offset_.reset();
}

BotAccount::BotAccount(BotId id, std::uint64_t seed, Clock& clock)
    : id(id), clock(clock), queue(seed), started(clock.mono()) {
  profile["id"] = id.value();
  profile["is_bot"] = true;
  profile["first_name"] = "Emulated bot";
  profile["username"] = "emulated_" + std::to_string(id.value()) + "_bot";
  profile["can_join_groups"] = true;
  profile["can_read_all_group_messages"] = true;
  profile["supports_inline_queries"] = true;
  profile["can_connect_to_business"] = false;
  profile["has_main_web_app"] = false;
}

BotAccount::~BotAccount() = default;

json::object BotAccount::short_profile() const {
  json::object shown;
  for (const char* name : {"id", "is_bot", "first_name", "last_name", "username"}) {
    if (profile.contains(name)) shown[name] = profile.at(name);
  }
  return shown;
}

std::optional<UpdateId> BotAccount::add(std::string_view kind, std::string_view body) {
  if (!allowed.allows(kind)) return std::nullopt;
  const auto known = telegram::find_update_kind(kind);
  const std::chrono::seconds lifetime = known ? known->lifetime : std::chrono::hours(24);
  const std::optional<UpdateId> id = queue.push(kind, body, clock.wall() + lifetime);
  if (waiting != nullptr) waiting->changed.notify();
  if (webhook.sender) webhook.sender->wake();
  return id;
}

}  // namespace tgkeep::emulator
