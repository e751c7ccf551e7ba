#pragma once
// A Telegram that reports payments and hears the bot's thanks, on a thread of its own.

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "emulator/bot_server.hpp"
#include "loop/real_clock.hpp"

namespace tgkeep::test {

/// Called from the test's thread. Waits give up (throw) after a minute.
class PaymentDesk {
 public:
  PaymentDesk();
  ~PaymentDesk();
  PaymentDesk(const PaymentDesk&) = delete;
  PaymentDesk& operator=(const PaymentDesk&) = delete;

  std::string token() const;
  std::int64_t bot() const { return 4242; }
  std::string root() const { return root_; }
  /// One more update about the payment `charge`.
  void report(const std::string& charge, std::int64_t user, const std::string& currency, std::int64_t amount);
  /// Returns when the payments `charges`, and `more` others of `all`, have been thanked for.
  void wait_for_thanks(const std::set<std::string>& charges, const std::set<std::string>& all,
                       std::size_t more);

 private:
  emulator::Fault hear(const emulator::CallRecord& record);

  boost::asio::io_context io_{1};
  loop::RealClock clock_{io_.get_executor()};
  std::unique_ptr<emulator::BotServer> server_;
  emulator::BotAccount* account_;
  std::string root_;
  std::int64_t message_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::string> thanked_;  // by mutex_

  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
  std::thread thread_;
};

}  // namespace tgkeep::test
