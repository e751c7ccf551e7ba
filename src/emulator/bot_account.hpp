#pragma once
// What the emulated Telegram knows about one bot.

#include <cstdint>
#include <optional>
#include <string_view>
#include <tgkeep/id.hpp>
#include <type_traits>

#include "emulator/allowed_kinds.hpp"
#include "emulator/poll_rules.hpp"
#include "emulator/update_queue.hpp"
#include "loop/event.hpp"

namespace tgkeep::emulator {

/// A getUpdates request that waits for updates.
class WaitingPoll {
 public:
  explicit WaitingPoll(const loop::asio::any_io_executor& executor) : changed(executor) {}
  loop::Event changed;
  bool replaced = false;  ///< a newer one waits now
};

/// How many updates were sent in answers, and how many of them were surely received. Repeats count each time.
class DeliveryCount {
 public:
  DeliveryCount() = default;
  void answered(const Batch& batch);
  void asked(std::int64_t offset);
  std::int64_t delivered() const noexcept { return delivered_; }
  /// An answer counts when the next poll's offset is its last id + 1.
  std::int64_t acknowledged() const noexcept { return acknowledged_; }

 private:
  std::int64_t delivered_ = 0;
  std::int64_t acknowledged_ = 0;
  std::optional<std::int64_t> expected_offset_;
  std::int64_t unacknowledged_ = 0;
};

class BotAccount {
 public:
  BotAccount(BotId id, std::uint64_t seed) : id(id), queue(seed) {}

  /// Queues one update and wakes the waiting poll. Nothing when the kind is not allowed or the queue is full.
  std::optional<UpdateId> add(std::string_view kind, std::string_view body);
  std::int64_t next_message_id() noexcept { return ++last_message_id_; }

  const BotId id;
  UpdateQueue queue;
  PollRules polls;
  AllowedKinds allowed;
  DeliveryCount deliveries;
  WaitingPoll* waiting = nullptr;

 private:
  std::int64_t last_message_id_ = 0;
};

static_assert(!std::is_aggregate_v<WaitingPoll> && !std::is_aggregate_v<BotAccount>);

}  // namespace tgkeep::emulator
