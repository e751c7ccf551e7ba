#pragma once
// The Bot API's answers: the envelope, cut out of the raw bytes without looking into `result`, and what it
// means.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/api.hpp>
#include <type_traits>

namespace tgkeep::telegram {

/// The top-level fields of an answer; views point into the text it was read from.
class Envelope {
 public:
  Envelope() = default;
  bool ok = false;
  std::optional<std::string_view> result;  ///< raw bytes of the value, whatever is in them
  std::optional<int> error_code;
  std::string description;  ///< Telegram's words, unescaped, at most 1 KiB
  std::optional<std::chrono::seconds> retry_after;
  std::optional<std::int64_t> migrate_to_chat_id;
};

/// Nothing when the text is not one whole JSON object with a boolean `ok`. Values are found by quotes and
/// brackets alone, so one that holds invalid JSON or UTF-8 does not hide the others.
std::optional<Envelope> read_envelope(std::string_view text);

/// Sorts a complete HTTP answer into result, refusal or doubt. `retry_after` is the header's value, if there
/// is one. Telegram's texts are taken as they are; ours never hold anything of a body that is not an
/// envelope.
ApiResult sort_answer(int status, std::string body, const std::string* retry_after);

static_assert(!std::is_aggregate_v<Envelope>);

}  // namespace tgkeep::telegram
