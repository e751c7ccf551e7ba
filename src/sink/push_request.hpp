#pragma once
// The request of a push: what Telegram would send, and tgkeep's headers. Pure.

#include <cstdint>
#include <string>
#include <string_view>
#include <tgkeep/sink.hpp>

#include "http/client.hpp"
#include "sink/push_sink.hpp"

namespace tgkeep::sink {

/// The longest answer that is read. A webhook reply is at most 1 MiB of it; the rest is thrown away.
inline constexpr std::size_t kMaxPushAnswer = 4U << 20;

/// `number` counts the requests of this process. `settle_url` is empty when the delivery can't be settled
/// later.
http::ClientRequest make_push_request(const PushOptions& options, const Delivery& delivery,
                                      std::uint64_t number, const std::string& settle_url);

/// `text` with everything but visible ASCII, and `%` itself, as %XX.
std::string header_safe(std::string_view text);

}  // namespace tgkeep::sink
