#pragma once
// Turns a loop until a coroutine has ended, and looks up from it now and then.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <functional>
#include <optional>
#include <tgkeep/time.hpp>
#include <utility>

namespace tgkeep::app {

/// What `work` returned; throws what it threw. `meanwhile` (if there) is called a few times a second.
template <class T>
T turn_until(boost::asio::io_context& io, boost::asio::awaitable<T> work,
             const std::function<void()>& meanwhile) {
  constexpr std::chrono::milliseconds kLook{150};
  std::optional<T> result;
  std::exception_ptr broken;
  boost::asio::co_spawn(io, std::move(work), [&](const std::exception_ptr& failure, T value) {
    broken = failure;
    result.emplace(std::move(value));
  });
  const auto guard = boost::asio::make_work_guard(io);
  while (!result) {
    io.restart();
    auto until = std::chrono::steady_clock::now() + kLook;
    while (!result && io.run_one_until(until) > 0) {
    }
    if (!result && meanwhile) meanwhile();
  }
  if (broken) std::rethrow_exception(broken);
  return *std::move(result);
}

/// Turns it for so long, whether there is work or not.
inline void turn_for(boost::asio::io_context& io, Duration time) {
  io.restart();
  const auto guard = boost::asio::make_work_guard(io);
  io.run_until(std::chrono::steady_clock::now() + time);
}

}  // namespace tgkeep::app
