#include "app/listener.hpp"

namespace tgkeep::app {

namespace {

std::string_view path_in(const http::ServerRequest& request) {
  const std::string_view target = request.target;
  return target.substr(0, target.find('?'));
}

http::ServerReply not_found() {
  return http::ServerReply(404, R"({"ok":false,"error_code":404,"description":"Not Found"})");
}

}  // namespace

Result<void> Listener::add_webhook(std::string path, source::Webhook& webhook) {
  if (webhooks_.contains(path)) {
    return Error(Errc::bad_config, "two bots have the webhook path " + path + ": give each its own");
  }
  webhooks_.emplace(std::move(path), &webhook);
  return Result<void>();
}

void Listener::add_settlements(std::string prefix, sink::PushSink& push) {
  settlements_.emplace(std::move(prefix), &push);
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

void Listener::reload() {
  if (server_ == nullptr || options_.certificate.empty()) {
    log_.info("reload_ignored", {{"why", "there is no certificate to read again"}});
    return;
  }
  const Result<void> reloaded = server_->reload_tls();
  if (reloaded.has_error()) {
    log_.error("reload_failed", {{"error", reloaded.error().text()}, {"kept", "the certificate in use"}});
    return;
  }
  log_.info("reloaded", {{"certificate", options_.certificate}});
}

boost::asio::awaitable<void> Listener::stop(Duration drain) {
  if (server_ == nullptr) co_return;
  co_await server_->stop(drain);
  server_.reset();
}

std::optional<http::ServerReply> Listener::check(const http::ServerRequest& head) const {
  const std::string_view path = path_in(head);
  if (const source::Webhook* webhook = webhook_at(path)) return webhook->check(head);
  if (push_at(path) != nullptr) return std::nullopt;
  return not_found();
}

void Listener::refused(const http::ServerRequest& head, int status) {
  if (source::Webhook* const webhook = webhook_at(path_in(head))) {
    webhook->refused(head, status);
    return;
  }
  const std::optional<std::int64_t> suppressed = refusals_.ask(clock_.mono());
  if (!suppressed) return;
  log_.warning("request_refused", {{"status", status}, {"peer", head.peer}, {"suppressed", *suppressed}});
}

boost::asio::awaitable<http::ServerReply> Listener::answer(http::ServerRequest request) {
  const std::string_view path = path_in(request);
  source::Webhook* const webhook = webhook_at(path);
  sink::PushSink* const push = push_at(path);
  if (webhook != nullptr) {
    http::ServerReply reply = co_await webhook->receive(std::move(request));
    co_return reply;
  }
  if (push != nullptr) {
    http::ServerReply reply = co_await push->settle(std::move(request));
    co_return reply;
  }
  co_return not_found();
}

source::Webhook* Listener::webhook_at(std::string_view path) const {
  const auto found = webhooks_.find(path);
  return found == webhooks_.end() ? nullptr : found->second;
}

sink::PushSink* Listener::push_at(std::string_view path) const {
  // The greatest prefix not above the path is the only one that can fit: none is the start of another.
  auto after = settlements_.upper_bound(path);
  if (after == settlements_.begin()) return nullptr;
  --after;
  return path.starts_with(after->first) ? after->second : nullptr;
}

}  // namespace tgkeep::app
