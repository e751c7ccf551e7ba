#include "admin/events.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <memory>

#include "admin/rates.hpp"
#include "admin/refusal.hpp"
#include "admin/status_json.hpp"
#include "loop/event.hpp"

namespace tgkeep::admin {

namespace json = boost::json;

namespace {

constexpr Duration kStep = std::chrono::seconds(1);
// Each costs a few searches a second.
constexpr int kMostWatchers = 20;

const BotPicture* bot_in(const std::optional<Picture>& picture, BotId id) {
  if (!picture) return nullptr;
  for (const BotPicture& bot : picture->bots) {
    if (bot.facts.id == id) return &bot;
  }
  return nullptr;
}

std::string event(std::string_view name, const json::object& object) {
  std::string text("event: ");
  text.append(name).append("\ndata: ").append(json::serialize(object)).append("\n\n");
  return text;
}

}  // namespace

std::string EventFeed::status_event(const Picture& picture) const {
  json::object status = status_json(picture, office_.options.version);
  const Duration between = before_ ? picture.mono - before_->mono : Duration::zero();
  json::array& bots = status["bots"].as_array();
  for (std::size_t i = 0; i < picture.bots.size(); ++i) {
    const BotPicture& bot = picture.bots[i];
    bots[i].as_object()["rates"] = rates_json(bot_in(before_, bot.facts.id), bot, between);
  }
  return event("status", status);
}

asio::awaitable<std::string> EventFeed::next() {
  if (before_) {
    Clock& clock = office_.premises.clock();
    const MonoTime due = before_->mono + kStep;
    co_await loop::sleep_until(clock, due);
  }
  Picture picture = co_await take_picture(office_.premises);
  std::string text = status_event(picture);
  const std::vector<json::object> updates = co_await tail_.look();
  for (const json::object& update : updates) text += event("update", update);
  before_ = std::move(picture);
  co_return text;
}

asio::awaitable<http::ServerReply> show_events(Office& office, Inquiry inquiry) {
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  if (office.watchers.use_count() > kMostWatchers) {
    co_return refuse(429, "too_many_watchers",
                     "so many dashboards are open that this one would slow the bots down; close some");
  }
  auto feed = std::make_shared<EventFeed>(office);
  http::ServerReply reply(200, "", "text/event-stream");
  reply.headers.emplace_back("X-Accel-Buffering", "no");  // nginx would keep events back
  // The place among the watchers is held for as long as the reply lives.
  reply.stream = [feed, place = office.watchers] { return feed->next(); };
  co_return reply;
}

}  // namespace tgkeep::admin
