#include "face/event_stream.hpp"

#include <algorithm>
#include <utility>

#include "face/conflicts.hpp"
#include "face/reply.hpp"
#include "telegram/renumber.hpp"
#include "telegram/request_params.hpp"

namespace tgkeep::face {

namespace {

constexpr Duration kHeartbeat = std::chrono::seconds(15);
constexpr std::size_t kPiece = 100;
constexpr std::int64_t kUsualLimit = 100;
constexpr std::int64_t kMostLimit = 1000;
// What a client shall wait before it connects again, in milliseconds.
constexpr const char* kGreeting = ": tgkeep\nretry: 1000\n\n";
constexpr const char* kBeat = ": still here\n\n";

std::string event(std::string_view name, std::string_view text) {
  std::string made("event: ");
  made.append(name).append("\ndata: {\"description\":\"").append(text).append("\"}\n\n");
  return made;
}

}  // namespace

std::string update_event(const sink::PulledUpdate& update) {
  const std::int64_t number = shown(update.id);
  std::string json = telegram::renumbered(update.delivery->item.body, number);
  // Outside of strings only, where they mean as much as a blank; a line end would end the data.
  std::replace_if(
      json.begin(), json.end(), [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
  std::string text("id: ");
  text.append(std::to_string(number)).append("\ndata: ").append(json).append("\n\n");
  return text;
}

EventStream::EventStream(const asio::any_io_executor& loop, Clock& clock, BotSink& sink, std::size_t limit)
    : clock_(clock), sink_(sink), limit_(limit), changed_(loop) {}

void EventStream::replace() {
  replaced_ = true;
  changed_.notify();
}

std::size_t EventStream::room() const {
  // The first pull is a start of the bot: what was in its hand is no longer.
  const std::size_t in_hand = offset_ == 0 ? 0 : sink_.pull().stats().unconfirmed;
  return in_hand < limit_ ? limit_ - in_hand : 0;
}

std::string EventStream::end_with(std::string event) {
  ended_ = true;
  return event;
}

std::string EventStream::take(const sink::PullAnswer& answer) {
  std::string events;
  for (const sink::PulledUpdate& update : answer.updates) {
    events += update_event(update);
    offset_ = shown(update.id) + 1;
  }
  return events;
}

asio::awaitable<std::string> EventStream::next() {
  if (ended_) co_return std::string();
  if (!begun_) {
    begun_ = true;
    co_return kGreeting;
  }
  const MonoTime beat = clock_.mono() + kHeartbeat;
  while (!replaced_ && !sink_.pushes() && !sink_.winding_down() && room() == 0) {
    const bool woken = co_await changed_.wait_until(clock_, beat);
    if (!woken) co_return kBeat;
  }
  if (replaced_) co_return end_with(event("replaced", "another stream or poller of this bot has come"));
  sink::PullRequest request;
  request.settles = true;
  request.offset = offset_;
  request.limit = std::min(room(), kPiece);
  request.wait = std::max<Duration>(beat - clock_.mono(), Duration::zero());
  const sink::PullAnswer answer = co_await sink_.pull().pull(std::move(request));
  std::string events = take(answer);
  if (!events.empty()) co_return events;
  switch (answer.end) {
    case sink::PullAnswer::End::updates:
    case sink::PullAnswer::End::failed:  // the disk, mostly: tried again at the next beat
      break;
    case sink::PullAnswer::End::replaced:
      co_return end_with(event("replaced", "another stream or poller of this bot has come"));
    case sink::PullAnswer::End::closed:
      if (sink_.pushes()) co_return end_with(event("closed", "a webhook was set"));
      co_return end_with(event("closed", "tgkeep stops"));
  }
  if (clock_.mono() < beat) co_await loop::sleep_until(clock_, beat);
  co_return kBeat;
}

http::ServerReply EventStreams::open(const FacePath& path, const http::ServerRequest& request) {
  if (request.method != "GET") return refusal(405, "Method Not Allowed: updates are streamed to a GET");
  if (sink_.pushes()) return refusal(409, kWebhookActiveText);
  telegram::Params params;
  telegram::add_form(params, path.query);
  const std::int64_t limit = std::clamp<std::int64_t>(params.number("limit", kUsualLimit), 1, kMostLimit);
  replace();
  auto stream = std::make_shared<EventStream>(loop_, clock_, sink_, static_cast<std::size_t>(limit));
  current_ = stream;
  http::ServerReply reply(200, "", "text/event-stream");
  reply.headers.emplace_back("Cache-Control", "no-store");
  reply.headers.emplace_back("X-Accel-Buffering", "no");  // nginx would keep events back
  reply.stream = [stream] { return stream->next(); };
  return reply;
}

void EventStreams::replace() {
  if (const std::shared_ptr<EventStream> stream = current_.lock()) stream->replace();
}

void EventStreams::wake() {
  if (const std::shared_ptr<EventStream> stream = current_.lock()) stream->wake();
}

}  // namespace tgkeep::face
