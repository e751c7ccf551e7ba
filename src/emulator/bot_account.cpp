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

BotAccount::BotAccount(BotId id, std::uint64_t seed, Clock& clock) : id(id), clock(clock), queue(seed) {}

BotAccount::~BotAccount() = default;

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
