// How the simulated Telegram sends its webhook requests: one at a time per line, again until 2xx.

#include <algorithm>
#include <array>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <set>
#include <utility>

#include "prove/sim_telegram.hpp"

namespace tgkeep::prove {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr std::size_t kConnections = 20;
constexpr std::array<int, 8> kWaits{0, 2, 4, 8, 16, 32, 64, 90};  // seconds, by failures

}  // namespace

void SimTelegram::open_door(SimDoor door) {
  door_ = std::move(door);
  pump();
}

asio::awaitable<void> SimTelegram::close_door() {
  door_.reset();
  while (inside_ > 0) co_await left_.wait();
}

asio::awaitable<void> SimTelegram::end() {
  url_.clear();  // what could not be posted is posted no more
  next_post_.reset();
  co_await posts_.join();
}

void SimTelegram::pump() {
  next_post_.reset();
  if (url_.empty()) return;
  const MonoTime now = scene_.clock.mono();
  MonoTime next = MonoTime::max();
  std::set<std::string_view> lines;
  for (auto& [id, waiting] : queue_) {
    if (!lines.insert(waiting.line).second || waiting.sending) continue;
    if (waiting.due > now) {
      next = std::min(next, waiting.due);
      continue;
    }
    if (posts_.size() >= kConnections) return;
    waiting.sending = true;
    if (scene_.strikes(SimFault::webhook_sent_twice, 0.02)) posts_.spawn("extra", post(id, true));
    posts_.spawn("post", post(id, false));
  }
  if (next != MonoTime::max()) next_post_ = scene_.clock.at(next, [this] { pump(); });
}

asio::awaitable<void> SimTelegram::post(std::int64_t id, bool extra) {
  const Duration on_its_way = scene_.dice.between(milliseconds(1), milliseconds(50));
  co_await loop::sleep_for(scene_.clock, on_its_way);
  const auto found = queue_.find(id);
  bool accepted = false;
  if (found != queue_.end() && door_) {
    std::string raw = found->second.raw;
    accepted = co_await hand_in(id, std::move(raw));
  }
  posted(id, extra, accepted);
}

/// Whether the answer that arrives is a 2xx.
asio::awaitable<bool> SimTelegram::hand_in(std::int64_t id, std::string raw) {
  http::ServerRequest request;
  request.method = "POST";
  request.target = "/hook";
  request.headers.emplace_back("X-Telegram-Bot-Api-Secret-Token", "s3cret");
  request.body = std::move(raw);
  const std::shared_ptr<SimLifeFlag> life = door_->life;
  const auto posting = std::make_shared<Posting>(scene_.loop());
  auto on_end = [posting](const std::exception_ptr& failure, const http::ServerReply& reply) {
    posting->ended = true;
    if (!failure) posting->status = reply.status;
    posting->done.notify();
  };
  ++inside_;
  asio::co_spawn(scene_.loop(), door_->handler(std::move(request)),
                 asio::bind_cancellation_slot(posting->hang_up.slot(), std::move(on_end)));
  bool answered = true;
  if (scene_.strikes(SimFault::webhook_hang_up, 0.02)) {
    const MonoTime until = scene_.clock.mono() + scene_.dice.between(milliseconds(1), milliseconds(5));
    co_await posting->done.wait_until(scene_.clock, until);
    if (!posting->ended) posting->hang_up.emit(asio::cancellation_type::terminal);
    answered = false;
  }
  while (!posting->ended) co_await posting->done.wait();
  --inside_;
  left_.notify();
  if (life->killed || posting->status / 100 != 2) co_return false;
  scene_.checker.acknowledged(UpdateId(id));
  if (scene_.strikes(SimFault::webhook_answer_lost, 0.02)) answered = false;
  co_return answered;
}

void SimTelegram::posted(std::int64_t id, bool extra, bool accepted) {
  const auto found = queue_.find(id);
  if (found != queue_.end() && !extra) {
    Waiting& waiting = found->second;
    waiting.sending = false;
    const std::size_t wait = std::min<std::size_t>(waiting.failures++, kWaits.size() - 1);
    waiting.due = scene_.clock.mono() + seconds(kWaits[wait]);
    if (accepted) queue_.erase(found);
  }
  // On the next turn: this post still counts as a connection.
  next_post_ = scene_.clock.at(scene_.clock.mono(), [this] { pump(); });
}

}  // namespace tgkeep::prove
