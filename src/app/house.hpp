#pragma once
// The house behind a Gateway: its loop, its signals, its bots, from the start to the stop.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <tgkeep/gateway.hpp>
#include <vector>

#include "app/admin_door.hpp"
#include "app/fleet.hpp"
#include "app/listener.hpp"
#include "app/live_premises.hpp"
#include "app/reloader.hpp"
#include "app/shared_rooms.hpp"
#include "loop/event.hpp"
#include "loop/task_group.hpp"

namespace tgkeep::app {

/// `run` once; the rest from any thread, as Gateway says.
class House {
 public:
  House(ProcessOptions process, std::vector<BotOptions> bots);

  ExitCode run();
  void stop(std::optional<Duration> drain);
  Result<Changes> reload();
  GatewayStats stats(std::size_t bot);
  std::vector<InFlight> snapshot(std::size_t bot);
  std::optional<Error> failure() const;
  std::size_t cut_off() const;

 private:
  void build();
  boost::asio::awaitable<ExitCode> live();
  boost::asio::awaitable<void> wind_down();
  boost::asio::awaitable<void> answer(std::size_t bot, std::shared_ptr<std::promise<GatewayStats>> asker);
  using ReloadAsker = std::shared_ptr<std::promise<Result<Changes>>>;
  boost::asio::awaitable<void> answer_reload(ReloadAsker asker);
  boost::asio::awaitable<void> watch_pool();
  void note_last_stats();
  void begin_stop(std::string_view why);
  void fail(const Error& error);
  void shorten(Duration drain);
  void leave();
  void finish_queued();

  boost::asio::io_context io_{1};
  ProcessOptions options_;
  std::vector<BotOptions> bots_;
  std::vector<BotId> numbers_;  // of the bots that were there at the start
  // Only while running.
  std::unique_ptr<SharedRooms> shared_;
  std::unique_ptr<Listener> listener_;
  std::unique_ptr<FaceDoor> face_;  // none without a face
  std::unique_ptr<Fleet> fleet_;
  std::unique_ptr<Reloader> reloader_;
  std::unique_ptr<LivePremises> premises_;
  std::unique_ptr<AdminDoor> door_;

  loop::Event ending_;
  bool stopping_ = false;

  mutable std::mutex mutex_;  // of these:
  bool running_ = false;
  std::vector<GatewayStats> last_;
  std::optional<Error> failure_;
  std::size_t cut_off_ = 0;

  loop::TaskGroup asked_;
  loop::TaskGroup watching_;
};

}  // namespace tgkeep::app
