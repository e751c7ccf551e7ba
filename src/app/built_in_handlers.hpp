#pragma once
// The handlers `tgkeep serve` has of its own: to try a token and to watch what arrives.

#include <tgkeep/handler.hpp>
#include <tgkeep/log.hpp>

namespace tgkeep::app {

/// Answers each text message with the same text, through the outbox.
Handler echo_handler();

/// Writes one log line per update (never its body).
Handler log_handler(Log log);

}  // namespace tgkeep::app
