#pragma once
// The body of a request to a settle URL. Pure; any thread.

#include <boost/json/fwd.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tgkeep/error.hpp>
#include <tgkeep/outcome.hpp>
#include <type_traits>

namespace tgkeep::sink {

inline constexpr std::size_t kMaxSettleBody = 1U << 20;

/// What a bot says about a delivery it has accepted.
class SettleRequest {
 public:
  enum class Action : std::uint8_t { done, retry, dead, renew };
  SettleRequest() = default;
  Action action = Action::done;
  Outcome outcome;                  ///< of done, retry and dead
  std::optional<Duration> renewal;  ///< of renew: how long from now; absent: the usual lease
};

std::string_view to_string(SettleRequest::Action action) noexcept;

/// bad_json or bad_answer says what is wrong with the body, in words for its author.
Result<SettleRequest> read_settle_request(std::string_view body);
Result<SettleRequest> read_settle_request(const boost::json::object& body);
/// Any JSON value a body holds; bad_json with `example` of what to send.
Result<boost::json::value> read_settle_body(std::string_view body, std::string_view example);

static_assert(!std::is_aggregate_v<SettleRequest>);

}  // namespace tgkeep::sink
