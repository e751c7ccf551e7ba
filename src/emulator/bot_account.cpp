#include "emulator/bot_account.hpp"

#include <boost/json/array.hpp>

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
    : id(id), seed(seed), clock(clock), queue(seed), started(clock.mono()) {
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

json::object BotAccount::save() const {
  json::object saved;
  saved["profile"] = profile;
  saved["queue"] = queue.save();
  if (allowed.chosen()) {
    json::array kinds;
    for (const std::string& kind : *allowed.chosen()) kinds.emplace_back(kind);
    saved["allowed"] = std::move(kinds);
  }
  if (webhook.settings) saved["webhook"] = webhook.settings->save();
  json::object said;
  for (const auto& [name, value] : settings) said[name] = value;
  saved["settings"] = std::move(said);
  json::object details;
  for (const auto& [chat, shown] : private_details) details[std::to_string(chat)] = shown;
  saved["private_details"] = std::move(details);
  saved["sees_all"] = sees_all;
  return saved;
}

void BotAccount::start_anew() {
  json::object mine = save();
  mine["queue"].as_object()["updates"] = json::array();
  for (const char* name : {"settings", "private_details"}) mine[name] = json::object();
  load(mine);
  webhook.log.clear();
  sends = FloodLimits();
}

void BotAccount::load(const json::object& saved) {
  profile = *object_in(saved, "profile");
  queue.load(*object_in(saved, "queue"));
  std::optional<std::vector<std::string>> kinds;
  if (const json::array* chosen = array_in(saved, "allowed")) {
    kinds.emplace();
    for (const json::value& kind : *chosen) kinds->emplace_back(kind.as_string());
  }
  allowed.restore(std::move(kinds));
  webhook.settings.reset();
  if (const json::object* hook = object_in(saved, "webhook")) webhook.settings = WebhookSettings::load(*hook);
  webhook.error_date.reset();
  settings.clear();
  for (const auto& [name, value] : *object_in(saved, "settings")) settings[std::string(name)] = value;
  private_details.clear();
  for (const auto& [chat, shown] : *object_in(saved, "private_details")) {
    private_details[std::stoll(std::string(chat))] = shown.as_object();
  }
  sees_all = flag_in(saved, "sees_all");
  logged_out_until = MonoTime();
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
