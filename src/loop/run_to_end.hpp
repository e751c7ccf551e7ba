#pragma once
// One coroutine on a loop of its own, from its start to its end.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

namespace tgkeep::loop {

namespace asio = boost::asio;

/// Turns `io` until `work` has ended; throws what it threw, and logic_error when the loop runs out of work
/// before.
template <class T>
T run_to_end(asio::io_context& io, asio::awaitable<T> work) {
  std::optional<T> result;
  std::exception_ptr broken;
  asio::co_spawn(io, std::move(work), [&](const std::exception_ptr& failure, T value) {
    broken = failure;
    result.emplace(std::move(value));
  });
  io.restart();
  while (!result && io.run_one() > 0) {
  }
  if (broken) std::rethrow_exception(broken);
  if (!result) throw std::logic_error("the loop ran out of work before the coroutine ended");
  return *std::move(result);
}

inline void run_to_end(asio::io_context& io, asio::awaitable<void> work) {
  bool ended = false;
  std::exception_ptr broken;
  asio::co_spawn(io, std::move(work), [&](const std::exception_ptr& failure) {
    broken = failure;
    ended = true;
  });
  io.restart();
  while (!ended && io.run_one() > 0) {
  }
  if (broken) std::rethrow_exception(broken);
  if (!ended) throw std::logic_error("the loop ran out of work before the coroutine ended");
}

}  // namespace tgkeep::loop
