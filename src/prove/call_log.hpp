#pragma once
// A bot's own log of the calls it makes through the face, the witness of what it was told. One line per
// event:
//   made <number> <chat>      the bot is about to make this call, once
//   told <number> <outcome>   what it learnt of it
// Numbers are never used twice, whatever dies. Lines are appended with one write(2) each, as in the handler's
// log.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/error.hpp>
#include <type_traits>

#include "prove/log_lines.hpp"

namespace tgkeep::prove {

/// What a bot learns of a call.
enum class Told : std::uint8_t {
  ok,          ///< a result
  refused,     ///< Telegram said no
  not_sent,    ///< surely did not reach Telegram
  held,        ///< the same, as it would have waited too long
  maybe_sent,  ///< may have taken effect
  silent,      ///< failed, and nothing said what became of it
  unreached,   ///< the bot could not connect to the face
  broken,      ///< the connection broke, as the face's process ended
  cut,         ///< the connection broke, and the face's process lives
  count_,
};

std::string_view to_string(Told told) noexcept;

class CallEvent {
 public:
  CallEvent() = default;
  std::int64_t number = 0;
  std::int64_t chat = 0;     ///< only of `made`
  std::optional<Told> told;  ///< absent: it was made
};

std::string made_line(std::int64_t number, std::int64_t chat);
std::string told_line(std::int64_t number, Told told);
/// Reads one line without its line feed. bad_answer quotes a line that is none of these.
Result<CallEvent> read_call_line(std::string_view line);

/// The text of a message that a call sends, and the call that a text belongs to.
std::string call_text(std::int64_t number);
std::optional<std::int64_t> call_of_text(std::string_view text);

/// The log of a bot that goes on writing it.
using CallFollower = LineFollower<CallEvent, read_call_line>;

static_assert(!std::is_aggregate_v<CallEvent>);

}  // namespace tgkeep::prove
