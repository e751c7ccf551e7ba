#pragma once
// The bots of a running process: some come, some go, some change while the others go on.

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <tgkeep/gateway.hpp>
#include <tgkeep/id.hpp>
#include <vector>

#include "app/bot_life.hpp"
#include "app/face_door.hpp"
#include "app/listener.hpp"
#include "app/live_bot.hpp"
#include "app/shared_rooms.hpp"
#include "loop/task_group.hpp"

namespace tgkeep::app {

/// Everything on the loop's thread. `wind_down` before destroying it.
class Fleet {
 public:
  /// `face`: null when the process has none. `on_failed` is called when a bot's store breaks.
  Fleet(SharedRooms& shared, Listener& listener, FaceDoor* face, Log log,
        std::function<void(const Error&)> on_failed);
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  /// Builds a bot's rooms and opens its store; it is heard of by nobody until `route`. The error names it.
  Result<void> open(const BotOptions& options);
  /// Undoes `open`.
  void take_back(BotId bot);
  /// Its requests at listener and face are its own from now on.
  void route(BotId bot);
  boost::asio::awaitable<void> begin(BotId bot);

  /// Lets it end within `drain` and closes its store. Returns early when the fleet is wound down.
  boost::asio::awaitable<void> remove(BotId bot, Duration drain);
  /// Lets it end within `drain` and begins anew with `next`, in the same store. An error says why it goes on
  /// with the options it had, or that it was too late.
  boost::asio::awaitable<Result<void>> change(BotId bot, BotOptions next, Duration drain);
  /// Puts the bots in this order.
  void arrange(const std::vector<BotId>& order);

  /// All of them receive nothing more, and go on handing over what is stored.
  boost::asio::awaitable<void> stop_receiving();
  void resume_receiving();
  bool receiving() const { return receiving_; }

  /// Lets all end until then. What is being removed or changed ends by itself, soon.
  boost::asio::awaitable<void> wind_down(MonoTime until);
  /// Shortens the drain.
  void hurry(MonoTime until);
  /// Deliveries that had not ended at the stop.
  std::size_t cut_off() const { return cut_off_; }
  /// Destroys all, after `wind_down`.
  void clear() { berths_.clear(); }

  std::vector<BotId> bots() const;
  /// As they were given, in their order.
  std::vector<BotOptions> options() const;
  /// Null when there is none, or while it is between two lives.
  BotLife* find(BotId bot) const;
  /// Of those that can be asked now.
  std::vector<admin::OperatedBot*> operated() const;
  /// As of now, or of its last end.
  boost::asio::awaitable<GatewayStats> collect(BotId bot);
  GatewayStats last_stats(BotId bot) const;

 private:
  /// The place of one bot, whatever life it has.
  class Berth {
   public:
    Berth(BotId bot, BotOptions options) : bot(bot), options(std::move(options)) {}
    BotId bot;
    BotOptions options;             // as they were given
    std::unique_ptr<BotLife> life;  // none between two
    std::unique_ptr<LiveBot> live;
    bool moving = true;  // being begun, removed or changed: whoever does that ends it
  };

  Berth* berth_of(BotId bot) const;
  /// A bot that begins anew gives up nothing that Telegram holds.
  Result<void> give_life(Berth& berth, const BotOptions& options, std::shared_ptr<Store> store, bool anew);
  boost::asio::awaitable<bool> end(Berth& berth, Duration drain);
  boost::asio::awaitable<void> empty(const Berth& berth, MonoTime until);
  boost::asio::awaitable<void> start(Berth& berth);
  boost::asio::awaitable<void> wind_down_one(Berth& berth, MonoTime until);

  SharedRooms& shared_;
  Listener& listener_;
  FaceDoor* face_;
  Log log_;
  std::function<void(const Error&)> on_failed_;
  std::vector<std::unique_ptr<Berth>> berths_;
  std::map<BotId, GatewayStats> last_;
  bool receiving_ = true;
  bool stopping_ = false;
  MonoTime stop_by_;
  std::size_t cut_off_ = 0;
  loop::TaskGroup closing_;
};

}  // namespace tgkeep::app
