#include "face/bot_face.hpp"

#include <array>
#include <utility>

#include "face/reply.hpp"
#include "sink/push_sink.hpp"

namespace tgkeep::face {

namespace {

enum class Own : std::uint8_t {
  none,
  get_updates,
  set_webhook,
  delete_webhook,
  webhook_info,
  log_out,
  close
};

class OwnMethod {
 public:
  constexpr OwnMethod(std::string_view name, Own own) : name(name), own(own) {}
  std::string_view name;
  Own own;
};

constexpr std::array kOwnMethods{
    OwnMethod("getUpdates", Own::get_updates),
    OwnMethod("setWebhook", Own::set_webhook),
    OwnMethod("deleteWebhook", Own::delete_webhook),
    OwnMethod("getWebhookInfo", Own::webhook_info),
    OwnMethod("logOut", Own::log_out),
    OwnMethod("close", Own::close),
};

Own own_method(std::string_view name) {
  for (const OwnMethod& method : kOwnMethods) {
    if (telegram::same_ignoring_case(method.name, name)) return method.own;
  }
  return Own::none;
}

constexpr const char* kLogOutText =
    "Bad Request: tgkeep holds this bot's connection to Telegram, so the bot can't log it out. To move the "
    "bot to "
    "another server, stop tgkeep and call logOut at the server that it uses";
constexpr const char* kCloseText =
    "Bad Request: tgkeep holds this bot's connection to Telegram, so the bot can't close it. To move the "
    "bot, stop "
    "tgkeep (it hands out nothing more and keeps what is not done) and start it at the new place";

std::function<std::unique_ptr<Sink>(const OwnWebhook&)> target_maker(Clock& clock, http::Client* client,
                                                                     Duration timeout, const Log& log) {
  return [&clock, client, timeout, log](const OwnWebhook& webhook) -> std::unique_ptr<Sink> {
    sink::PushOptions options(webhook.target);
    options.secret = webhook.secret;
    options.concurrency = webhook.max_connections;
    options.timeout = timeout;
    return sink::make_push_sink(clock, *client, std::move(options), log);
  };
}

WebhookServices webhook_services(const FaceServices& services, const FaceSettings& settings, const Log& log) {
  WebhookServices made;
  made.make_target = target_maker(*services.clock, services.push_client, settings.push_timeout, log);
  made.allowed = services.push_allowed;
  made.is_own_place = services.is_own_place;
  made.drop_upstream = services.drop_upstream;
  return made;
}

}  // namespace

BotFace::BotFace(const asio::any_io_executor& loop, FaceServices services, FaceSettings settings,
                 OwnSettings remembered, std::unique_ptr<sink::PullSink> pull,
                 std::unique_ptr<Outgoing> outgoing, const Log& log)
    : services_(std::move(services)),
      settings_(std::move(settings)),
      remembered_(std::move(remembered)),
      sink_(*services_.clock, std::move(pull)),
      outgoing_(std::move(outgoing)),
      conflicts_(*services_.clock),
      wishes_(*services_.clock, *services_.store, sink_, remembered_, settings_.allowed_updates,
              services_.allow, log),
      get_updates_(*services_.clock, *services_.store, sink_, wishes_, conflicts_, settings_.lease, log),
      webhook_(*services_.clock, *services_.store, sink_, remembered_, wishes_, conflicts_,
               webhook_services(services_, settings_, log), log),
      streams_(loop, *services_.clock, sink_) {
  if (settings_.pulls) webhook_.resume();
}

std::string BotFace::elsewhere() const {
  return "Conflict: the updates of this bot go elsewhere (" + settings_.elsewhere +
         "). To fetch them here, set handler = \"pull\" in tgkeep's configuration";
}

asio::awaitable<http::ServerReply> BotFace::answer(FacePath path, http::ServerRequest request) {
  switch (path.kind) {
    case FacePath::Kind::method: {
      http::ServerReply reply = co_await method(std::move(path), std::move(request));
      co_return reply;
    }
    case FacePath::Kind::file: {
      http::ServerReply reply = co_await outgoing_->download(std::move(path), std::move(request));
      co_return reply;
    }
    case FacePath::Kind::own:
      break;
  }
  http::ServerReply reply = co_await own(std::move(path), std::move(request));
  co_return reply;
}

asio::awaitable<http::ServerReply> BotFace::method(FacePath path, http::ServerRequest request) {
  CallOrReply read = co_await read_call(std::move(path), std::move(request));
  if (!read.call) co_return std::move(*read.reply);
  Call call = *std::move(read.call);
  const Own own = own_method(call.method);
  // Parameters may stand behind what was not read. With setWebhook that is a certificate, which it refuses.
  if (own != Own::none && own != Own::set_webhook && !call.whole) {
    co_return refusal(413, "Request Entity Too Large");
  }
  const bool elsewhere_too = own == Own::get_updates || own == Own::set_webhook ||
                             (own == Own::delete_webhook && call.params.flag("drop_pending_updates"));
  if (!settings_.pulls && elsewhere_too) {
    const std::string text = elsewhere();
    http::ServerReply refused = co_await conflicts_.refuse(text);
    co_return refused;
  }
  http::ServerReply reply;
  switch (own) {
    case Own::none:
      reply = co_await outgoing_->pass(std::move(call));
      break;
    case Own::get_updates:
      if (call.params.number("timeout", 0) > 0) streams_.replace();
      reply = co_await get_updates_.answer(std::move(call));
      break;
    case Own::set_webhook:
      reply = co_await webhook_.set(std::move(call));
      streams_.wake();
      break;
    case Own::delete_webhook:
      reply = co_await webhook_.remove(std::move(call));
      break;
    case Own::webhook_info:
      reply = co_await webhook_.info();
      break;
    case Own::log_out:
      reply = refusal(400, kLogOutText);
      break;
    case Own::close:
      reply = refusal(400, kCloseText);
      break;
  }
  co_return reply;
}

asio::awaitable<http::ServerReply> BotFace::own(FacePath path, http::ServerRequest request) {
  const bool streams = path.rest == "updates";
  if (!streams && path.rest != "settle") co_return refusal(404, "Not Found");
  if (!settings_.pulls) co_return refusal(409, elsewhere());
  if (streams) co_return streams_.open(path, request);
  http::ServerReply reply = co_await settle(std::move(request));
  co_return reply;
}

asio::awaitable<http::ServerReply> BotFace::settle(http::ServerRequest request) {
  const bool whole = co_await gather(request.body, request.stream, kMaxParams);
  if (!whole) co_return refusal(413, "Request Entity Too Large");
  // What it had when it set its webhook comes by that: nothing is left to settle, and a 409 ends the asking.
  if (sink_.pushes()) co_return refusal(409, kWebhookActiveText);
  sink::SettleReply taken = sink_.pull().settle(request);
  streams_.wake();
  http::ServerReply reply = co_await taken.when_written(*services_.clock);
  co_return reply;
}

void BotFace::wind_down() {
  sink_.wind_down();
  streams_.wake();
}

FaceStats BotFace::stats() const {
  FaceStats stats;
  stats.pulls = settings_.pulls;
  if (sink_.pushes()) stats.webhook = remembered_.webhook->place;
  if (sink_.failure()) stats.webhook_error = sink_.failure()->text;
  stats.pull = sink_.pull().stats();
  stats.outgoing = outgoing_->stats();
  return stats;
}

}  // namespace tgkeep::face
