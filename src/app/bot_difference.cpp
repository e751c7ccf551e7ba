#include "app/bot_difference.hpp"

#include <functional>
#include <string_view>

namespace tgkeep::app {

namespace {

class Comparison {
 public:
  template <class T>
  void value(std::string_view name, const T& now, const T& next) {
    if (!(now == next)) note(name);
  }
  template <class Signature>
  void function(std::string_view name, const std::function<Signature>& now,
                const std::function<Signature>& next) {
    if (now.target_type() != next.target_type()) note(name);
  }
  void note(std::string_view name) { names_.push_back(prefix_ + std::string(name)); }
  void set_section(std::string_view section) { prefix_ = std::string(section) + "."; }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::string prefix_;
  std::vector<std::string> names_;
};

void compare(Comparison& found, const WebhookSettings& now, const WebhookSettings& next) {
  found.set_section("webhook");
  found.value("path", now.path, next.path);
  found.value("secret", now.secrets, next.secrets);
  found.value("own", now.own, next.own);
  found.value("url", now.url, next.url);
  found.value("certificate", now.certificate_file, next.certificate_file);
  found.value("ip_address", now.ip_address, next.ip_address);
  found.value("max_connections", now.max_connections, next.max_connections);
  found.value("telegram_only", now.telegram_only, next.telegram_only);
  found.value("trusted_proxies", now.trusted_proxies, next.trusted_proxies);
  found.value("address_header", now.address_header, next.address_header);
}

void compare(Comparison& found, const PushSettings& now, const PushSettings& next) {
  found.set_section("push");
  found.value("url", now.url, next.url);
  found.value("secret", now.secret, next.secret);
  found.value("concurrency", now.concurrency, next.concurrency);
  found.value("timeout", now.timeout, next.timeout);
  found.value("statuses", now.rules, next.rules);
  found.value("webhook_reply", now.webhook_reply, next.webhook_reply);
  found.value("accept_202", now.accept_202, next.accept_202);
  found.value("lease", now.lease, next.lease);
  found.value("settle_url", now.settle_url, next.settle_url);
}

void compare(Comparison& found, std::string_view section, const RunnerOptions& now,
             const RunnerOptions& next) {
  found.set_section(section);
  found.value("limit", now.limit, next.limit);
  found.value("in_batches", now.in_batches, next.in_batches);
  found.value("timeout", now.timeout, next.timeout);
  found.value("first_delay", now.first_delay, next.first_delay);
  found.value("max_delay", now.max_delay, next.max_delay);
  found.value("max_attempts", now.max_attempts, next.max_attempts);
  found.value("max_block", now.max_block, next.max_block);
  found.value("suspect_after", now.suspect_after, next.suspect_after);
  found.value("max_crashes", now.max_crashes, next.max_crashes);
  found.value("suspect_window", now.suspect_window, next.suspect_window);
  found.value("max_stuck", now.max_stuck, next.max_stuck);
  found.value("max_heads", now.max_heads, next.max_heads);
  found.value("max_heads_per_key", now.max_heads_per_key, next.max_heads_per_key);
  found.value("seed", now.seed, next.seed);
  found.value("log_deliveries", now.log_deliveries, next.log_deliveries);
  found.function("on_error", now.on_error, next.on_error);
  found.function("on_timeout", now.on_timeout, next.on_timeout);
}

bool same_kinds(const std::vector<ApiTransformer>& now, const std::vector<ApiTransformer>& next) {
  if (now.size() != next.size()) return false;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i].target_type() != next[i].target_type()) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> differences(const BotOptions& now, const BotOptions& next) {
  Comparison found;
  found.value("token", now.token, next.token);
  found.value("name", now.name, next.name);
  found.value("api_root", now.api_root, next.api_root);
  found.value("test_environment", now.test_environment, next.test_environment);
  found.value("folder", now.folder, next.folder);
  found.value("in_memory", now.in_memory, next.in_memory);
  found.value("reserve", now.reserve, next.reserve);
  found.value("source", now.webhook.has_value(), next.webhook.has_value());
  const bool same_sink =
      now.push.has_value() == next.push.has_value() && now.pull.has_value() == next.pull.has_value();
  if (!same_sink || now.handler.target_type() != next.handler.target_type()) found.note("handler");
  found.function("sequentialize", now.sequentialize, next.sequentialize);
  found.value("log_updates", now.log_updates, next.log_updates);
  if (!same_kinds(now.transformers, next.transformers)) found.note("transformers");
  found.set_section("history");
  found.value("keep", now.history, next.history);
  found.value("max_size", now.max_history, next.max_history);
  found.set_section("poll");
  found.value("timeout", now.poll_timeout, next.poll_timeout);
  found.value("allowed_updates", now.allowed_updates, next.allowed_updates);
  found.value("drop_pending", now.drop_pending, next.drop_pending);
  found.value("take_over", now.take_over, next.take_over);
  if (now.webhook && next.webhook) compare(found, *now.webhook, *next.webhook);
  if (now.push && next.push) compare(found, *now.push, *next.push);
  if (now.pull && next.pull) {
    found.set_section("pull");
    found.value("lease", now.pull->lease, next.pull->lease);
    found.set_section("push");
    found.value("timeout", now.pull->push_timeout, next.pull->push_timeout);
  }
  compare(found, "inbox", now.inbox, next.inbox);
  compare(found, "outbox", now.outbox, next.outbox);
  return found.take();
}

bool same_store(const BotOptions& now, const BotOptions& next) {
  return now.folder == next.folder && now.in_memory == next.in_memory && now.reserve == next.reserve &&
         now.history == next.history && now.max_history == next.max_history;
}

}  // namespace tgkeep::app
