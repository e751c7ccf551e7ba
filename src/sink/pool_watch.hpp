#pragma once
// Reports handlers that block every thread of the pool: nothing else would say why no handler gets on.

#include <boost/asio/awaitable.hpp>
#include <tgkeep/clock.hpp>
#include <tgkeep/handler_sink.hpp>
#include <tgkeep/log.hpp>

namespace tgkeep::sink {

/// Knocks at the pool every five seconds until cancelled; logs once when no thread has answered for ten, and
/// once when one answers again. Runs on the loop. One blocked thread is seen by its delivery's timeout, not
/// here.
asio::awaitable<void> watch_pool(Clock& clock, HandlerPool& pool, Log log);

}  // namespace tgkeep::sink
