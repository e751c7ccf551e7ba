#pragma once
// Every webhook request, in the order of sending.

#include <cstdint>
#include <deque>
#include <string>
#include <tgkeep/id.hpp>
#include <tgkeep/time.hpp>
#include <type_traits>

namespace tgkeep::emulator {

class WebhookRecord {
 public:
  WebhookRecord() = default;
  UpdateId update;
  std::string kind;
  std::int64_t key = 0;         ///< of the server's queue, see webhook_key.hpp
  std::uint32_t failures = 0;   ///< of this update before this request
  std::int64_t connection = 0;  ///< numbered in the order of opening
  bool extra = false;           ///< the second of WebhookFault::twice
  MonoTime sent{};              ///< by the sender's clock
  bool ended = false;
  int status = 0;     ///< of the answer; 0 when none came
  std::string error;  ///< as getWebhookInfo shows it; "" after a 2xx
};

/// References stay valid while it grows.
using WebhookLog = std::deque<WebhookRecord>;

static_assert(!std::is_aggregate_v<WebhookRecord>);

}  // namespace tgkeep::emulator
