#include "app/config_checks.hpp"

#include <map>
#include <string_view>

#include "app/admin_settings.hpp"
#include "app/face_settings.hpp"
#include "app/wiring.hpp"
#include "sink/target_address.hpp"

namespace tgkeep::app {

namespace {

bool is_http(std::string_view url) {
  return url.starts_with("http://") || url.starts_with("https://");
}

/// Collects sentences about one bot.
class BotProblems {
 public:
  BotProblems(const BotConfig& bot, std::vector<std::string>& problems)
      : where_(bot.name.empty() ? "" : "bot " + bot.name + ": "), problems_(problems) {}
  void add(const std::string& sentence) { problems_.push_back(where_ + sentence); }

 private:
  std::string where_;
  std::vector<std::string>& problems_;
};

void check_basics(const BotOptions& bot, BotProblems& problems) {
  if (!is_http(bot.api_root) || bot.api_root.ends_with('/')) {
    problems.add("api_root: write it as https://host or http://host:port, without a slash at the end");
  }
  if (bot.folder.empty() && !bot.in_memory) {
    problems.add("folder: name a folder for the queues, or set in_memory = true to forget them at exit");
  }
  for (const auto& [name, runner] : {std::pair("inbox", bot.inbox), std::pair("outbox", bot.outbox)}) {
    if (runner.first_delay > runner.max_delay) {
      problems.add(std::string(name) + ".first_delay is longer than " + name + ".max_delay: lower it");
    }
  }
}

void check_webhook(const BotConfig& bot, const BotOptions& options, BotProblems& problems) {
  if (!options.webhook) return;
  if (bot.webhook.own && bot.webhook.url.empty()) {
    problems.add(
        "webhook.url: webhook.own = true needs the URL by which Telegram reaches the listener, such as "
        "https://bot.example.org" +
        bot.webhook.path);
    return;
  }
  const Result<void> checked = source::check_options(webhook_options(BotId(), options));
  if (checked.has_error()) problems.add("[webhook]: " + checked.error().text());
}

void check_push(const BotConfig& bot, BotProblems& problems) {
  if (bot.handler != HandlerKind::push) return;
  if (!is_http(bot.push.url)) {
    problems.add(
        "push.url: handler = \"push\" needs the address of the bot's HTTP server, such as "
        "http://127.0.0.1:3000/");
  }
  const std::string& settle = bot.push.settle_url;
  if (bot.push.accept_202 && (!is_http(settle) || !settle.ends_with('/'))) {
    problems.add(
        "push.settle_url: push.accept_202 = true needs the start of the URLs at which the bot settles, with "
        "a "
        "slash at the end, such as http://127.0.0.1:8480/settle/");
  }
}

void check_pull(const BotConfig& bot, const BotOptions& options, BotProblems& problems) {
  if (bot.handler != HandlerKind::pull) return;
  const bool kept = !options.in_memory && options.history >= bot.pull.lease;
  if (bot.pull.lease > Duration::zero() && !kept) {
    problems.add(
        "pull.lease: what comes again is taken from the history: set history.keep at least as long, and "
        "in_memory = false");
  }
  if (bot.push.url.empty()) return;
  problems.add(
      "handler = \"pull\" means that the bot fetches its updates, and push.url that they are sent to it: "
      "take "
      "out push.url, or set handler = \"push\"");
}

void check_process(const ProcessOptions& process, std::vector<std::string>& problems) {
  if (process.listen.certificate.empty() != process.listen.key.empty()) {
    problems.emplace_back(
        "[listen]: TLS needs both certificate and key: name the other file too, or neither");
  }
  const auto networks = sink::TargetAddresses::parse(process.push_networks);
  if (networks.has_error()) problems.push_back("push.allow: " + networks.error().text());
}

void check_paths(const std::vector<BotConfig>& bots, std::vector<std::string>& problems) {
  std::map<std::string, std::string> owner;
  for (const BotConfig& bot : bots) {
    if (bot.source != SourceKind::webhook) continue;
    const auto [taken, is_new] = owner.emplace(bot.webhook.path, bot.name);
    if (is_new) continue;
    problems.push_back("bot " + bot.name + ": webhook.path: bot " + taken->second + " has " +
                       bot.webhook.path + " too: give each its own, such as /" + bot.name);
  }
}

}  // namespace

BotOptions options_of(const BotConfig& bot) {
  BotOptions options = bot.options;
  options.name = bot.name;
  if (bot.source == SourceKind::webhook) options.webhook = bot.webhook;
  if (bot.handler == HandlerKind::push) options.push = bot.push;
  if (bot.handler == HandlerKind::pull) {
    options.pull = bot.pull;
    options.pull->push_timeout = bot.push.timeout;
  }
  return options;
}

std::vector<std::string> check_together(const Config& config) {
  std::vector<std::string> problems;
  check_process(config.process, problems);
  const std::vector<BotConfig> bots = config.all_bots();
  for (const BotConfig& bot : bots) {
    BotProblems of_bot(bot, problems);
    const BotOptions options = options_of(bot);
    check_basics(options, of_bot);
    check_webhook(bot, options, of_bot);
    check_push(bot, of_bot);
    check_pull(bot, options, of_bot);
  }
  check_paths(bots, problems);
  for (const std::vector<std::string>& more : {check_admin(config), check_face(config)}) {
    problems.insert(problems.end(), more.begin(), more.end());
  }
  return problems;
}

}  // namespace tgkeep::app
