#pragma once
// Runs one coroutine to its end on a loop, for tests. Never `co_await` inside a test macro: name the value
// first.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

namespace tgkeep::test {

namespace asio = boost::asio;

/// Runs `io` until `work` has ended; throws what it threw.
template <class T>
T run(asio::io_context& io, asio::awaitable<T> work) {
  std::optional<T> result;
  std::exception_ptr failure;
  bool ended = false;
  asio::co_spawn(io, std::move(work), [&](std::exception_ptr error, T value) {
    failure = error;
    if (!error) result.emplace(std::move(value));
    ended = true;
  });
  io.restart();
  while (!ended && io.run_one() > 0) {
  }
  if (failure) std::rethrow_exception(failure);
  if (!result) throw std::logic_error("the loop ran out of work before the coroutine ended");
  return std::move(*result);
}

inline void run(asio::io_context& io, asio::awaitable<void> work) {
  std::exception_ptr failure;
  bool ended = false;
  asio::co_spawn(io, std::move(work), [&](std::exception_ptr error) {
    failure = error;
    ended = true;
  });
  io.restart();
  while (!ended && io.run_one() > 0) {
  }
  if (failure) std::rethrow_exception(failure);
  if (!ended) throw std::logic_error("the loop ran out of work before the coroutine ended");
}

}  // namespace tgkeep::test
