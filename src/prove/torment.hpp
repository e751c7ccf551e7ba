#pragma once
// A bot in a process of its own under one workload: fed, tormented for a while, then left alone until it has
// done all it owes. Two witnesses that know nothing of each other tell what happened: the emulated Telegram,
// and the log that the handler writes.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/clock.hpp>
#include <unordered_map>
#include <vector>

#include "emulator/bot_server.hpp"
#include "emulator/traffic.hpp"
#include "prove/call_checker.hpp"
#include "prove/call_log.hpp"
#include "prove/checker.hpp"
#include "prove/child_process.hpp"
#include "prove/control.hpp"
#include "prove/dice.hpp"
#include "prove/handler_log.hpp"
#include "prove/nemesis.hpp"
#include "prove/promises.hpp"
#include "prove/workload.hpp"

namespace tgkeep::prove {

namespace asio = boost::asio;

class TormentOptions {
 public:
  explicit TormentOptions(Workload workload) : workload(workload) {}
  Workload workload;
  Duration lasts = std::chrono::seconds(30);
  std::uint64_t seed = 1;
  double time_scale = 20;  ///< how much faster than Telegram the emulator waits between its attempts
  std::string program;     ///< that has the commands `prove-bot`, `prove-receiver` and `prove-face-bot`
  std::string folder;      ///< exists and is empty
};

class Torment {
 public:
  Torment(asio::io_context& io, Clock& clock, TormentOptions options);
  ~Torment();
  Torment(const Torment&) = delete;
  Torment& operator=(const Torment&) = delete;

  /// Runs to the end, or to what made that impossible, and ends all processes. Call once.
  asio::awaitable<void> run();
  /// Makes `run` return soon.
  void interrupt() { interrupted_ = true; }

  const Promises& promises() const noexcept { return promises_; }
  const Strikes& strikes() const noexcept { return strikes_; }
  const Checker& checker() const noexcept { return checker_; }
  const CallChecker& face_calls() const noexcept { return face_calls_; }
  std::int64_t kills() const noexcept { return kills_; }

 private:
  /// Something to be put right.
  class Later {
   public:
    Later(MonoTime at, std::function<void()> act) : at(at), act(std::move(act)) {}
    MonoTime at;
    std::function<void()> act;
  };
  enum class Stopping : std::uint8_t { no, once, storm };

  // torment.cpp
  asio::awaitable<Result<void>> begin();
  asio::awaitable<Result<void>> go_on(MonoTime until);
  asio::awaitable<Result<void>> complete();
  asio::awaitable<Result<void>> stop_bot();
  Result<void> start_bot();
  Result<void> start_receiver();
  bool has_receiver() const noexcept { return options_.workload.push || has_face(); }
  void feed();
  UpdateId next_id(bool a_call_waits);
  void note_sent(UpdateId id, std::int64_t chat, const std::string& line);
  void add_updates(std::int64_t count);
  std::string line_of(UpdateId id, const emulator::TrafficUpdate& update) const;

  // torment_face.cpp: with a face, the receiver is the bot, and the "bot" is tgkeep alone
  bool has_face() const noexcept { return options_.workload.face != Workload::Face::none; }
  std::vector<std::string> face_bot_command() const;
  asio::awaitable<Result<void>> flood_one_chat();
  Result<void> read_face_calls(std::size_t until);
  emulator::Fault choose_call_fault();
  void judge_face_calls();

  // torment_look.cpp
  Result<void> look();
  Result<void> read_log();
  void read_calls();
  Result<void> look_at_bot();
  Result<void> look_at_receiver();
  Result<void> bot_ended(const std::string& how);
  Result<void> check_stop();
  Result<void> check_stall();

  // torment_strikes.cpp
  void script_faults();
  emulator::Fault choose_fault(const emulator::CallRecord& record);
  Result<void> strike();
  Result<void> strike(Nemesis nemesis);
  void kill();
  void stop(bool storm);
  void fill_disk();
  void break_disk();
  void set_clock(bool forward);
  void calm_down();
  void later(Duration low, Duration high, std::function<void()> act);
  void catch_up();

  // torment_verdict.cpp
  void judge();
  void judge_dead_letters();

  std::string call_log() const { return options_.folder + "/calls.log"; }
  std::string handler_log() const { return options_.folder + "/handler.log"; }
  std::string store_folder() const { return options_.folder + "/store"; }
  std::string bot_log() const { return options_.folder + "/bot.log"; }

  Clock& clock_;
  const TormentOptions options_;
  const std::string token_;
  Dice dice_;
  Promises promises_;
  Strikes strikes_;
  Checker checker_;
  std::unique_ptr<emulator::BotServer> server_;
  emulator::BotAccount* account_ = nullptr;
  emulator::Traffic traffic_;
  std::optional<Control> control_;
  std::uint16_t webhook_port_ = 0;
  std::uint16_t receiver_port_ = 0;
  std::uint16_t face_port_ = 0;
  std::optional<ChildProcess> receiver_;
  std::optional<ChildProcess> bot_;
  LogFollower log_;
  std::size_t calls_read_ = 0;
  CallFollower call_log_;
  CallChecker face_calls_;
  std::optional<std::int64_t> flooded_call_;  ///< the one that waits because its chat is flooded
  std::int64_t mortal_ = 0;                   ///< sent

  bool interrupted_ = false;
  bool calm_ = false;
  std::int64_t kills_ = 0;
  /// All that were not in order, of the process in which a handler's crash is a death.
  std::int64_t deaths_ = 0;
  std::unordered_map<std::int64_t, std::int64_t> deaths_before_;  ///< by update: when it was sent
  Stopping stopping_ = Stopping::no;
  MonoTime stop_by_{};
  std::int64_t deaths_at_write_ = 0;  ///< seen
  std::int64_t full_seen_ = 0;
  MonoTime last_full_{};
  std::int64_t syncs_seen_ = 0;
  std::int64_t clock_sum_ = 0;  ///< milliseconds, forward
  std::vector<Later> later_;
  MonoTime next_strike_{};
  std::int64_t moves_ = 0;
  MonoTime moved_{};
};

static_assert(!std::is_aggregate_v<TormentOptions>);

}  // namespace tgkeep::prove
