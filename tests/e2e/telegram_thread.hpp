#pragma once
// The emulated Bot API on a thread of its own, for tests whose bots are other processes.

#include <boost/asio/io_context.hpp>
#include <boost/json/fwd.hpp>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "emulator/bot_server.hpp"
#include "loop/real_clock.hpp"

namespace tgkeep::test {

inline constexpr std::string_view kBotToken = "4242:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

inline constexpr std::string_view kOtherToken = "4343:CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC";

/// Knows two bots, with `kBotToken` and `kOtherToken`. All from the test's thread. Waits give up (throw)
/// after a minute.
class TelegramThread {
 public:
  TelegramThread();
  ~TelegramThread();
  TelegramThread(const TelegramThread&) = delete;
  TelegramThread& operator=(const TelegramThread&) = delete;

  std::string root() const { return root_; }
  /// Queues a text message of a private chat. A text that begins with a command is marked as one.
  void send(std::int64_t chat, std::string_view text, std::string_view token = kBotToken);
  /// Queues what a user writes in a group.
  void send_as(std::int64_t user, std::int64_t group, std::string_view text,
               std::string_view token = kBotToken);
  /// Decides about later requests, on the server's thread.
  void set_faults(emulator::FaultScript script);
  /// Returns when `count` requests of the method have arrived since the start.
  void wait_for(std::string_view method, std::size_t count = 1);
  /// The texts of all sendMessage calls so far, as `chat:text`.
  std::vector<std::string> sent() const;

 private:
  class Request {
   public:
    Request(std::string method, std::string content)
        : method(std::move(method)), content(std::move(content)) {}
    std::string method;
    std::string content;
  };
  void on_loop(std::function<void()> work);
  void add_message(boost::json::value chat, std::int64_t user, std::string_view text, std::string_view token);
  emulator::Fault note(const emulator::CallRecord& record);

  boost::asio::io_context io_{1};
  loop::RealClock clock_{io_.get_executor()};
  std::unique_ptr<emulator::BotServer> server_;
  std::map<std::string_view, emulator::BotAccount*> accounts_;
  std::string root_;
  std::int64_t message_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Request> requests_;  // by mutex_
  emulator::FaultScript faults_;   // the loop's

  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
  std::thread thread_;
};

}  // namespace tgkeep::test
