#pragma once
// One run of the demo: the emulated Telegram and its traffic here, the bot in a child process, its receiver
// (with push) in another; one of them gets killed.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/clock.hpp>
#include <vector>

#include "demo/demo.hpp"
#include "demo/progress.hpp"
#include "demo/verdict.hpp"
#include "emulator/bot_server.hpp"
#include "emulator/traffic.hpp"
#include "prove/checker.hpp"
#include "prove/child_process.hpp"

namespace tgkeep::demo {

using prove::ChildProcess;
using prove::LogFollower;

class DemoRun {
 public:
  /// `folder` exists and is empty; `options.pipeline_command` is filled in. All must outlive the run.
  DemoRun(boost::asio::io_context& io, Clock& clock, const DemoOptions& options, std::string folder);
  ~DemoRun();
  DemoRun(const DemoRun&) = delete;
  DemoRun& operator=(const DemoRun&) = delete;

  /// Runs to the end or to what made it impossible, and ends the bot either way. Call once.
  boost::asio::awaitable<Result<void>> run();
  /// Makes `run` return soon with an error.
  void interrupt() { interrupted_ = true; }

  /// After `run`: everything but what the store knows.
  Figures figures(const StoreFigures& store) const;
  const Checker& checker() const noexcept { return checker_; }
  std::string store_folder() const { return folder_ + "/store"; }
  std::string handler_log() const { return folder_ + "/handler.log"; }
  std::string bot_log() const { return folder_ + "/bot.log"; }

 private:
  boost::asio::awaitable<Result<void>> drive();
  boost::asio::awaitable<Result<void>> start();
  boost::asio::awaitable<Result<void>> stop_bot();
  Result<void> start_bot();
  Result<void> start_receiver();
  Result<void> kill();
  Result<std::int64_t> kill_bot();
  void script_duplicates();
  Result<void> look();
  Result<void> read_log();
  void read_calls();
  void feed();
  std::string line_of(UpdateId id, const emulator::TrafficUpdate& update) const;
  std::int64_t next_kill_at() const;
  bool is_time_to_kill() const;
  bool is_complete() const;
  Result<void> check_stall();
  Progress progress();

  Clock& clock_;
  const DemoOptions& options_;
  const std::string folder_;
  const std::string token_;
  std::unique_ptr<emulator::BotServer> server_;
  emulator::BotAccount* account_ = nullptr;
  emulator::Traffic traffic_;
  std::uint16_t webhook_port_ = 0;
  std::uint16_t receiver_port_ = 0;
  std::optional<ChildProcess> receiver_;
  std::optional<ChildProcess> bot_;

  Checker checker_;
  LogFollower log_;
  std::size_t calls_read_ = 0;
  std::vector<MonoTime> sent_at_;

  std::int64_t kills_ = 0;
  std::int64_t kills_in_flight_ = 0;
  std::int64_t calls_in_flight_ = 0;
  MonoTime started_;
  MonoTime finished_;
  MonoTime moved_;  ///< the last progress
  std::int64_t moves_ = 0;
  LiveLine line_;
  bool interrupted_ = false;
};

}  // namespace tgkeep::demo
