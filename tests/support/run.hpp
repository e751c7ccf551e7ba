#pragma once
// Runs one coroutine to its end on a loop, for tests. Never `co_await` inside a test macro: name the value
// first.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <utility>

#include "loop/run_to_end.hpp"

namespace tgkeep::test {

namespace asio = boost::asio;

/// Runs `io` until `work` has ended; throws what it threw.
template <class T>
T run(asio::io_context& io, asio::awaitable<T> work) {
  return loop::run_to_end(io, std::move(work));
}

}  // namespace tgkeep::test
