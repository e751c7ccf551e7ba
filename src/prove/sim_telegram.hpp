#pragma once
// Telegram in a simulation: one bot's queue behind getUpdates and the webhook sender, and what becomes of
// calls. It asks the checker at the one moment that counts: when it deletes an update because it was
// confirmed.

#include <boost/asio/cancellation_signal.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/api.hpp>

#include "http/server.hpp"
#include "loop/event.hpp"
#include "loop/task_group.hpp"
#include "prove/sim_scene.hpp"

namespace tgkeep::prove {

/// Where webhook requests arrive: one life of the process.
class SimDoor {
 public:
  SimDoor(std::shared_ptr<SimLifeFlag> life, http::ServerHandler handler)
      : life(std::move(life)), handler(std::move(handler)) {}
  std::shared_ptr<SimLifeFlag> life;
  http::ServerHandler handler;
};

class SimTelegram {
 public:
  SimTelegram(SimScene& scene, std::size_t chats);
  SimTelegram(const SimTelegram&) = delete;
  SimTelegram& operator=(const SimTelegram&) = delete;

  /// People write.
  void make_updates(std::int64_t count);
  /// As after a week without any; only when nothing waits.
  void restart_ids();
  bool is_empty() const { return queue_.empty() && again_.empty(); }
  const std::string& webhook_url() const noexcept { return url_; }

  /// A request has arrived. `life` asked.
  asio::awaitable<ApiResult> serve(const ApiRequest& request, std::shared_ptr<SimLifeFlag> life);

  void open_door(SimDoor door);
  /// Nothing goes in any more; returns when no request is inside.
  asio::awaitable<void> close_door();
  asio::awaitable<void> end();

 private:
  class Waiting {
   public:
    Waiting() = default;
    std::string raw;
    std::string line;  ///< of Telegram's own order by webhook
    std::uint32_t failures = 0;
    MonoTime due{};
    bool sending = false;
  };
  class Posting {
   public:
    explicit Posting(const asio::any_io_executor& loop) : done(loop) {}
    asio::cancellation_signal hang_up;
    loop::Event done;
    bool ended = false;
    int status = 0;
  };

  void make_update();
  asio::awaitable<ApiResult> get_updates(std::string_view params, std::shared_ptr<SimLifeFlag> life);
  std::int64_t resolve(std::int64_t offset);
  std::string answer(std::int64_t offset, std::int64_t limit);
  ApiResult spoil(std::string answer);
  ApiResult set_webhook(std::string_view params);
  std::string webhook_info() const;
  asio::awaitable<ApiResult> send_message(std::string_view params, std::shared_ptr<SimLifeFlag> life);

  // The webhook sender (sim_webhooks.cpp).
  void pump();
  asio::awaitable<void> post(std::int64_t id, bool extra);
  asio::awaitable<bool> hand_in(std::int64_t id, std::string raw);
  void posted(std::int64_t id, bool extra, bool accepted);

  SimScene& scene_;
  const std::size_t chats_;
  std::map<std::int64_t, Waiting> queue_;
  std::deque<std::pair<std::int64_t, std::string>> again_;
  std::int64_t next_id_;
  std::string url_;
  loop::Event arrived_;
  std::optional<SimDoor> door_;
  std::size_t inside_ = 0;
  loop::Event left_;
  std::unique_ptr<Alarm> next_post_;
  loop::TaskGroup posts_;
};

}  // namespace tgkeep::prove
