#pragma once
// A handler's own log, the witness that does not depend on the store. One line per event:
//   life <number> <pid>                                    the handler's process started
//   start <update_id> <key> <attempt> <repeated> [<epoch>] the handler was called; repeated: 1 when marked so
//   end <update_id> <key> [<epoch>]                        the handler is about to return, done
//   fail <update_id> <key> [<epoch>]                       the handler is about to say that it failed, or to
//                                                          give it up
//   settled <update_id> <key>                              tgkeep has answered that it ended for good
// A receiver outside the bot's process says under which epoch of the store it was asked; a handler inside it
// need not. Lines are appended with one write(2) each, so a SIGKILL never tears one.

#include <cstdint>
#include <string>
#include <string_view>
#include <tgkeep/error.hpp>
#include <tgkeep/id.hpp>

#include "prove/log_lines.hpp"

namespace tgkeep::prove {

class HandlerEvent {
 public:
  enum class Kind : std::uint8_t { life, start, end, fail, settled };
  explicit HandlerEvent(Kind kind) : kind(kind) {}

  Kind kind;
  std::int64_t life = 0;  ///< only of `life`
  UpdateId update;        ///< of all others
  std::string key;
  std::uint32_t attempt = 0;  ///< only of `start`
  bool repeated = false;      ///< only of `start`: said to have been started before
  std::int64_t epoch = 0;     ///< 0: not given
};

/// Reads one line without its line feed. bad_answer quotes a line that is none of these.
Result<HandlerEvent> read_line(std::string_view line);

std::string life_line(std::int64_t life, std::int64_t pid);
std::string start_line(UpdateId update, std::string_view key, std::uint32_t attempt, bool repeated);
std::string start_line(UpdateId update, std::string_view key, std::uint32_t attempt, bool repeated,
                       std::int64_t epoch);
std::string end_line(UpdateId update, std::string_view key);
std::string end_line(UpdateId update, std::string_view key, std::int64_t epoch);
std::string fail_line(UpdateId update, std::string_view key, std::int64_t epoch);
std::string settled_line(UpdateId update, std::string_view key);

using LogReader = LineReader<HandlerEvent, read_line>;
/// The log of a handler that goes on writing it.
using LogFollower = LineFollower<HandlerEvent, read_line>;

}  // namespace tgkeep::prove
