#include "emulator/bot_account.hpp"

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

std::optional<UpdateId> BotAccount::add(std::string_view kind, std::string_view body) {
  if (!allowed.allows(kind)) return std::nullopt;
  const std::optional<UpdateId> id = queue.push(kind, body);
  if (waiting != nullptr) waiting->changed.notify();
  return id;
}

}  // namespace tgkeep::emulator
