#pragma once
// The Bot API's answer envelope, cut out of the raw bytes without looking into `result`.

#include <tgkeep/api.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace tgkeep::telegram {

/// The top-level fields of an answer. `result` points into the text it was read from.
class Envelope {
 public:
  Envelope() = default;
  bool ok = false;
  /// Raw bytes of the value, whatever is in them; brackets and strings are closed.
  std::optional<std::string_view> result;
  std::optional<int> error_code;
  std::string description;  ///< Telegram's words, unescaped, cut to 1 KiB
  std::optional<std::chrono::seconds> retry_after;
  std::optional<std::int64_t> migrate_to_chat_id;
};

/// Nothing when the text is not one whole JSON object with a boolean `ok`. Values it does not need are only
/// skipped: they may hold bytes that are neither valid JSON nor valid UTF-8.
std::optional<Envelope> read_envelope(std::string_view text);

/// Sorts an HTTP answer into result, refusal or doubt. `where` names the server in texts of ours.
ApiResult sort_answer(int status, std::string body, const std::string* retry_after_header, std::string_view where);

static_assert(!std::is_aggregate_v<Envelope>);

}  // namespace tgkeep::telegram
