#pragma once
// What the emulated Telegram knows about one bot.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/clock.hpp>
#include <tgkeep/id.hpp>
#include <type_traits>

#include "emulator/allowed_kinds.hpp"
#include "emulator/flood_limits.hpp"
#include "emulator/poll_rules.hpp"
#include "emulator/update_queue.hpp"
#include "emulator/webhook_log.hpp"
#include "emulator/webhook_settings.hpp"
#include "emulator/world/json_access.hpp"
#include "loop/event.hpp"

namespace tgkeep::emulator {

class WebhookSender;

/// A getUpdates request that waits for updates.
class WaitingPoll {
 public:
  explicit WaitingPoll(const loop::asio::any_io_executor& executor) : changed(executor) {}
  loop::Event changed;
  std::string_view conflict;  ///< not empty: it must end with 409 and these words
};

/// How many updates were sent in answers, and how many of them were surely received. Repeats count each time.
class DeliveryCount {
 public:
  DeliveryCount() = default;
  void answered(const Batch& batch);
  void asked(std::int64_t offset);
  void sent() noexcept { ++delivered_; }
  void accepted() noexcept { ++acknowledged_; }
  std::int64_t delivered() const noexcept { return delivered_; }
  /// An answer counts when the next poll's offset is its last id + 1; a webhook request, when it got 2xx.
  std::int64_t acknowledged() const noexcept { return acknowledged_; }

 private:
  std::int64_t delivered_ = 0;
  std::int64_t acknowledged_ = 0;
  std::optional<std::int64_t> expected_offset_;
  std::int64_t unacknowledged_ = 0;
};

/// The webhook of a bot, set or not.
class WebhookState {
 public:
  WebhookState() = default;
  std::optional<WebhookSettings> settings;
  bool pending = false;         ///< a setWebhook is under way
  std::int64_t generation = 0;  ///< grows with each change
  std::optional<MonoTime> last_set;
  std::optional<WallTime> error_date;  ///< since it was set; a success does not clear it
  std::string error_message;
  WebhookLog log;
  std::unique_ptr<WebhookSender> sender;

  bool is_active() const noexcept { return settings.has_value() || pending; }
};

class BotAccount {
 public:
  /// `clock` decides when updates expire.
  BotAccount(BotId id, std::uint64_t seed, Clock& clock);
  ~BotAccount();
  BotAccount(const BotAccount&) = delete;
  BotAccount& operator=(const BotAccount&) = delete;

  /// Queues one update and wakes who waits for it. Nothing when the kind is not allowed or the queue is full.
  /// It is kept as long as the server keeps its kind, counted from now.
  std::optional<UpdateId> add(std::string_view kind, std::string_view body);
  /// All that survives a restart of the server. The webhook's sender is not started here.
  json::object save() const;
  void load(const json::object& saved);
  /// Nothing waits and nothing is set, but updates go on where and with the id they would have.
  void start_anew();

  /// The User object as messages show it.
  json::object short_profile() const;

  const BotId id;
  const std::uint64_t seed;
  Clock& clock;
  UpdateQueue queue;
  PollRules polls;
  FloodLimits sends;
  AllowedKinds allowed;
  DeliveryCount deliveries;
  WaitingPoll* waiting = nullptr;
  WebhookState webhook;
  json::object profile;                         ///< the User object, as getMe shows it
  std::map<std::string, json::value> settings;  ///< what setMy… and the like said, by name
  std::map<std::int64_t, json::object>
      private_details;          ///< what getChat shows of a private chat besides its user
  bool sees_all = true;         ///< false: privacy mode, in groups only what is meant for it
  MonoTime logged_out_until{};  ///< by logOut: every call is refused until then
  MonoTime started{};           ///< when it was made, or the server started again
};

static_assert(!std::is_aggregate_v<WaitingPoll> && !std::is_aggregate_v<BotAccount>);

}  // namespace tgkeep::emulator
