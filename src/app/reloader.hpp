#pragma once
// Changes a running process to what its configuration has become, without a restart.

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/gateway.hpp>
#include <vector>

#include "app/fleet.hpp"
#include "app/listener.hpp"
#include "app/reload_plan.hpp"
#include "app/shared_rooms.hpp"
#include "loop/event.hpp"
#include "loop/task_group.hpp"

namespace tgkeep::app {

/// What a reload changed, a sentence each.
using Changes = std::vector<std::string>;

/// Everything on the loop's thread. One reload at a time. `join` before destroying it.
class Reloader {
 public:
  /// `face`: null when the process has none. `process` is what runs: a reload changes it, and asks its
  /// `reload` what to change to.
  Reloader(SharedRooms& shared, Listener& listener, FaceDoor* face, Fleet& fleet, ProcessOptions& process);
  Reloader(const Reloader&) = delete;
  Reloader& operator=(const Reloader&) = delete;

  /// From now on reloads are done; what was asked by a signal before is done now.
  void open();
  /// Asks for a reload, after the one that is running. What comes of it is logged.
  void ask_by_signal();
  /// Reloads; a caller that is cancelled does not end it. An error leaves everything as it was, unless it
  /// says otherwise. misuse while another reload is running, or when tgkeep stops.
  boost::asio::awaitable<Result<Changes>> reload();
  /// No further reload; the one that is running ends early when the fleet is wound down.
  void close() { closed_ = true; }
  boost::asio::awaitable<void> join();

 private:
  class Attempt {
   public:
    explicit Attempt(const boost::asio::any_io_executor& loop) : ended(loop) {}
    std::optional<Result<Changes>> result;
    loop::Event ended;
  };

  void begin(std::shared_ptr<Attempt> attempt);
  boost::asio::awaitable<void> run(std::shared_ptr<Attempt> attempt);
  boost::asio::awaitable<Result<Changes>> do_all();
  Result<Changes> read_certificates();
  Result<Reconfiguration> ask() const;
  Result<void> prepare(const ReloadPlan& plan, const Reconfiguration& next, Changes& changes);
  Result<void> open_added(const ReloadPlan& plan);
  boost::asio::awaitable<void> carry_out(const ReloadPlan& plan, Duration drain, Changes& changes);
  boost::asio::awaitable<void> remove(BotId bot, Duration drain, Changes& changes);
  boost::asio::awaitable<void> change(const BotChange& change, Duration drain, Changes& changes);

  SharedRooms& shared_;
  Listener& listener_;
  FaceDoor* face_;
  Fleet& fleet_;
  ProcessOptions& process_;
  Log log_;
  bool open_ = false;
  bool closed_ = false;
  bool running_ = false;
  bool again_ = false;         // asked by a signal while one was running
  Changes failures_;           // of the one that is running
  loop::TaskGroup reloading_;  // at most one
  loop::TaskGroup moving_;     // bots that are removed or changed
};

}  // namespace tgkeep::app
