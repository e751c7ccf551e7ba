#include "app/listener.hpp"

#include <utility>

namespace tgkeep::app {

namespace {

constexpr const char* kRetryAfter = "3";

std::string_view path_in(const http::ServerRequest& request) {
  const std::string_view target = request.target;
  return target.substr(0, target.find('?'));
}

http::ServerReply not_found() {
  return http::ServerReply(404, R"({"ok":false,"error_code":404,"description":"Not Found"})");
}

http::ServerReply not_now() {
  http::ServerReply reply(
      503, R"({"ok":false,"error_code":503,"description":"Service Unavailable: the bot is being changed"})");
  reply.headers.emplace_back("Retry-After", kRetryAfter);
  return reply;
}

}  // namespace

void Listener::add_webhook(std::string path, BotId bot, source::Webhook& webhook, Visits& visits) {
  webhooks_.insert_or_assign(std::move(path), Route(bot, &webhook, nullptr, &visits));
}

void Listener::add_settlements(std::string prefix, BotId bot, sink::PushSink& push, Visits& visits) {
  settlements_.insert_or_assign(std::move(prefix), Route(bot, nullptr, &push, &visits));
}

void Listener::put_off(BotId bot) {
  for (Routes* const routes : {&webhooks_, &settlements_}) {
    for (auto& [path, route] : *routes) {
      if (route.bot == bot) route = Route(bot, nullptr, nullptr, nullptr);
    }
  }
}

void Listener::remove_put_off(BotId bot) {
  const auto goes = [bot](const Routes::value_type& entry) {
    return entry.second.bot == bot && entry.second.visits == nullptr;
  };
  std::erase_if(webhooks_, goes);
  std::erase_if(settlements_, goes);
}

Result<void> Listener::open(const boost::asio::any_io_executor& loop) {
  http::ServerOptions server;
  server.address = options_.address;
  server.port = options_.port;
  if (!options_.certificate.empty()) server.tls = http::TlsFiles(options_.certificate, options_.key);
  server.check_head = [this](const http::ServerRequest& head) { return check(head); };
  server.on_refused = [this](const http::ServerRequest& head, int status) { refused(head, status); };
  http::ServerHandler handler = [this](http::ServerRequest request) { return answer(std::move(request)); };
  Result<std::unique_ptr<http::Server>> opened =
      http::listen(loop, std::move(server), std::move(handler), log_);
  if (opened.has_error()) return opened.error();
  server_ = std::move(*opened);
  log_.info("listening", {{"address", options_.address},
                          {"port", server_->port()},
                          {"tls", options_.certificate.empty() ? "no" : "yes"},
                          {"webhooks", webhooks_.size()},
                          {"settle_urls", settlements_.size()}});
  return Result<void>();
}

Result<bool> Listener::reload() {
  if (server_ == nullptr || options_.certificate.empty()) return false;
  const Result<void> reloaded = server_->reload_tls();
  if (reloaded.has_error()) return reloaded.error();
  return true;
}

boost::asio::awaitable<void> Listener::stop(Duration drain) {
  if (server_ == nullptr) co_return;
  co_await server_->stop(drain);
  server_.reset();
}

std::optional<http::ServerReply> Listener::check(const http::ServerRequest& head) const {
  const Route* const route = route_to(path_in(head));
  if (route == nullptr) return not_found();
  if (route->is_put_off()) return not_now();
  if (route->webhook != nullptr) return route->webhook->check(head);
  return std::nullopt;
}

void Listener::refused(const http::ServerRequest& head, int status) {
  const Route* const route = route_to(path_in(head));
  if (route != nullptr && !route->is_put_off() && route->webhook != nullptr) {
    route->webhook->refused(head, status);
    return;
  }
  const std::optional<std::int64_t> suppressed = refusals_.ask(clock_.mono());
  if (!suppressed) return;
  log_.warning("request_refused", {{"status", status}, {"peer", head.peer}, {"suppressed", *suppressed}});
}

boost::asio::awaitable<http::ServerReply> Listener::answer(http::ServerRequest request) {
  // Looked up again: while the body came in, the bot may have been changed.
  const Route* const route = route_to(path_in(request));
  if (route == nullptr) co_return not_found();
  if (route->is_put_off()) co_return not_now();
  const Visit visit(*route->visits);
  source::Webhook* const webhook = route->webhook;
  sink::PushSink* const push = route->push;
  if (webhook != nullptr) {
    http::ServerReply reply = co_await webhook->receive(std::move(request));
    co_return reply;
  }
  http::ServerReply reply = co_await push->settle(std::move(request));
  co_return reply;
}

const Listener::Route* Listener::route_to(std::string_view path) const {
  const auto webhook = webhooks_.find(path);
  if (webhook != webhooks_.end()) return &webhook->second;
  // The greatest prefix not above the path is the only one that can fit: none is the start of another.
  auto after = settlements_.upper_bound(path);
  if (after == settlements_.begin()) return nullptr;
  --after;
  return path.starts_with(after->first) ? &after->second : nullptr;
}

}  // namespace tgkeep::app
