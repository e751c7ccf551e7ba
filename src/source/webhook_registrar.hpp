#pragma once
// Registers the webhook and asks Telegram now and then how deliveries go.

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <tgkeep/api.hpp>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>

#include "loop/event_list.hpp"
#include "source/allowed_kinds.hpp"
#include "source/poll_trouble.hpp"
#include "source/webhook.hpp"
#include "source/webhook_info.hpp"
#include "source/webhook_words.hpp"

namespace tgkeep::source {

/// Everything on the loop's thread; `options` must outlive it.
class WebhookRegistrar {
 public:
  WebhookRegistrar(Clock& clock, Api& api, const WebhookOptions& options, Log log);

  /// Registers when `options` say so, then checks until cancelled. May be run again.
  asio::awaitable<void> run();
  /// Registers again for these kinds, when they differ and `options` say to register.
  void allow(std::vector<std::string> kinds);
  /// Registers with the wish that Telegram forgets what waits there, in one try. `misuse` when `options` do
  /// not say to register.
  asio::awaitable<Result<void>> drop_pending();
  /// What is known now; `proof` is when the last update arrived.
  WebhookFindings findings(std::optional<WallTime> proof) const;
  std::int64_t failures() const noexcept { return failures_; }
  std::optional<MonoTime> last_success() const noexcept { return last_success_; }

 private:
  asio::awaitable<void> register_webhook();
  asio::awaitable<void> check();
  asio::awaitable<void> tell_what_was();
  asio::awaitable<ApiResult> call(ApiRequest request);
  asio::awaitable<void> wait_out(PollTrouble trouble);
  void recover();
  bool owned() const noexcept { return registration_.has_value(); }
  std::string secret() const { return options_.secrets.empty() ? std::string() : options_.secrets.front(); }
  std::string bot() const { return std::to_string(options_.bot.value()); }

  Clock& clock_;
  Api& api_;
  const WebhookOptions& options_;
  std::optional<WebhookRegistration> registration_;  // what `options` said, with the kinds of now
  const Log log_;
  std::mt19937_64 dice_;
  bool dropped_ = false;     // drop_pending is for the first registration only
  bool registered_ = false;  // in this run
  KindsTold told_;
  loop::EventList changed_;  // of the run under way
  WallTime since_{};         // of this run or its last registration: older errors say nothing about it
  std::optional<WebhookInfo> info_;
  std::optional<PollTrouble> trouble_;
  std::uint32_t stumbles_ = 0;  // in a row
  std::int64_t failures_ = 0;
  std::string said_;  // the findings logged last
  std::optional<MonoTime> last_success_;
};

}  // namespace tgkeep::source
