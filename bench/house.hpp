#pragma once
// What the benchmark programs of rooms share: a loop, a store in a folder, and an end when the input ends.

#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <string>
#include <tgkeep/gateway.hpp>
#include <tgkeep/memory_store.hpp>
#include <tgkeep/sqlite_store.hpp>
#include <utility>

#include "loop/real_clock.hpp"

namespace bench {

namespace asio = boost::asio;

inline constexpr tgkeep::BotId kBot(123456);

/// `folder` "memory": a store that forgets.
class House {
 public:
  explicit House(const std::string& folder)
      : clock(io.get_executor()), log(tgkeep::stderr_log(tgkeep::LogLevel::error)) {
    if (folder == "memory") {
      store = tgkeep::store::make_memory_store(io.get_executor(), clock);
    } else {
      store = tgkeep::store::open_sqlite_store(io.get_executor(), clock, tgkeep::store::SqliteOptions(folder),
                                               log)
                  .value();
    }
  }

  /// Runs the coroutine to its end.
  void run(asio::awaitable<void> task) {
    bool over = false;
    asio::co_spawn(io, std::move(task), [&over](const std::exception_ptr& failure) {
      if (failure) std::rethrow_exception(failure);
      over = true;
    });
    while (!over && io.run_one() > 0) {
    }
  }

  /// Returns when the standard input has ended.
  asio::awaitable<void> input_end() {
    asio::posix::stream_descriptor input(io, ::dup(STDIN_FILENO));
    char byte = 0;
    boost::system::error_code error;
    while (!error) {
      co_await input.async_read_some(asio::buffer(&byte, 1),
                                     asio::redirect_error(asio::use_awaitable, error));
    }
  }

  asio::io_context io{1};
  tgkeep::loop::RealClock clock;
  tgkeep::Log log;
  std::unique_ptr<tgkeep::Store> store;
};

}  // namespace bench
