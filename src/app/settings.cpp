#include "app/settings.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "app/setting_kinds.hpp"

namespace tgkeep::app {

namespace {

using std::chrono::hours;
using std::chrono::seconds;

// A file starts with what has no section.
constexpr std::array<std::string_view, 13> kSections{"",      "listen", "face",  "poll",   "webhook",
                                                     "push",  "pull",   "inbox", "outbox", "history",
                                                     "admin", "health", "log"};

std::string replaced(std::string text, std::string_view from, char to) {
  std::replace_if(
      text.begin(), text.end(), [from](char c) { return from.find(c) != std::string_view::npos; }, to);
  return text;
}

void add_runner(std::vector<Setting>& table, const std::string& section, RunnerOptions& options) {
  const auto key = [&section](const char* name) { return section + "." + name; };
  table.push_back(number<std::size_t>(key("limit"), "Deliveries at once.", options.limit, 1, 100'000));
  table.push_back(duration(key("timeout"), "For one delivery; then it is cancelled and counts as failed.",
                           options.timeout, seconds(1), hours(24)));
  table.push_back(duration(key("first_delay"), "Before the first retry; doubles with each.",
                           options.first_delay, std::chrono::milliseconds(10), hours(1)));
  table.push_back(duration(key("max_delay"), "Longest wait between retries.", options.max_delay,
                           std::chrono::milliseconds(10), hours(24)));
  table.push_back(number<std::uint32_t>(key("max_attempts"),
                                        "Failed attempts before it becomes a dead letter.",
                                        options.max_attempts, 1, 1'000'000));
  table.push_back(duration(key("max_block"),
                           "How long a failing item may hold up its chat; then it is a dead letter.",
                           options.max_block, seconds(1), hours(24 * 366)));
  table.push_back(number<std::size_t>(key("max_stuck"),
                                      "Timed-out handlers that do not end: more pause delivery.",
                                      options.max_stuck, 1, 100'000));
  table.push_back(number<std::size_t>(key("max_heads"), "Waiting items known in memory (not their bodies).",
                                      options.max_heads, 1'000, 10'000'000));
}

void add_webhook(std::vector<Setting>& table, BotConfig& bot) {
  WebhookSettings& webhook = bot.webhook;
  table.push_back(text("webhook.path",
                       "With source = \"webhook\": the path of this bot's requests at the listener.",
                       webhook.path));
  table.push_back(text("webhook.secret_env",
                       "The variable that holds the secret Telegram must send; several, separated by blanks: "
                       "the current one first.",
                       bot.webhook_secret_env));
  table.push_back(text("webhook.secret_file", "A file that holds it, one a line.", bot.webhook_secret_file));
  table.push_back(yes_no(
      "webhook.own", "Register the webhook with Telegram at each start, and watch over it.", webhook.own));
  table.push_back(text("webhook.url", "As Telegram reaches the listener; for own.", webhook.url));
  table.push_back(text("webhook.certificate",
                       "A self-signed certificate (PEM) to upload; not needed for one of an authority.",
                       webhook.certificate_file));
  table.push_back(text("webhook.ip_address", "Where Telegram connects to, instead of what DNS says.",
                       webhook.ip_address));
  table.push_back(number<int>("webhook.max_connections", "That Telegram may open at once.",
                              webhook.max_connections, 1, 100));
  table.push_back(yes_no("webhook.telegram_only", "Refuse senders outside Telegram's published addresses.",
                         webhook.telegram_only));
  table.push_back(words("webhook.trusted_proxies",
                        "Addresses or ranges of proxies whose address_header is believed.",
                        webhook.trusted_proxies));
  table.push_back(text("webhook.address_header", "The header in which they say who sent the request.",
                       webhook.address_header));
}

void add_push(std::vector<Setting>& table, BotConfig& bot) {
  PushSettings& push = bot.push;
  table.push_back(
      text("push.url", "With handler = \"push\": where the bot's own HTTP server takes updates.", push.url));
  table.push_back(
      text("push.secret_env", "The variable that holds the secret the bot expects.", bot.push_secret_env));
  table.push_back(text("push.secret_file", "A file that holds it.", bot.push_secret_file));
  table.push_back(
      number<std::size_t>("push.concurrency", "Open requests at once.", push.concurrency, 1, 10'000));
  table.push_back(duration("push.timeout", "For one request; then it is tried again.", push.timeout,
                           seconds(1), hours(24)));
  table.push_back(statuses("push.statuses",
                           "What answers mean besides 2xx (done), 429 and 503 (again later), such as "
                           "410=dead or 4xx=dead. All others are tried again.",
                           push.rules));
  table.push_back(
      yes_no("push.webhook_reply", "Send the Bot API call that an answer may hold.", push.webhook_reply));
  table.push_back(yes_no("push.accept_202",
                         "Take 202 as \"accepted\": the bot settles later, at the URL it was given.",
                         push.accept_202));
  table.push_back(duration("push.lease",
                           "How long it may take for that, or until it renews; then the update comes again. "
                           "inbox.timeout bounds all renewals.",
                           push.lease, seconds(1), hours(24)));
  table.push_back(text("push.settle_url",
                       "Start of the settle URLs as the bot reaches the listener, such as "
                       "http://127.0.0.1:8480/settle/.",
                       push.settle_url));
}

void add_pull(std::vector<Setting>& table, PullSettings& pull) {
  table.push_back(
      duration("pull.lease",
               "With handler = \"pull\", for bots that confirm before they have finished: what was "
               "handed out within this time comes again when the bot starts anew. 0s: a confirmed "
               "update is done.",
               pull.lease, seconds(0), hours(24)));
}

void add_face(std::vector<Setting>& table, FaceConfig& face) {
  table.push_back(
      text("face.listen",
           "Address and port where bots reach the Bot API through tgkeep. Left out: 127.0.0.1:8481 "
           "when a bot has handler = \"pull\", else none.",
           face.listen));
  table.push_back(
      text("face.certificate",
           "A certificate with its chain (PEM), for TLS; SIGHUP reads it again. Left out: plain HTTP.",
           face.certificate));
  table.push_back(text("face.key", "Its private key (PEM).", face.key));
  table.push_back(yes_no("face.allow_plain",
                         "Plain HTTP also on an address that others can reach: tokens go over the network as "
                         "they are.",
                         face.allow_plain));
  table.push_back(duration(
      "face.max_wait", "How long a call may wait for its turn and for flood waits; then the bot gets 429.",
      face.max_wait, seconds(1), hours(1)));
  table.push_back(number<std::size_t>("face.max_waiting", "Calls of one bot that may wait; more get 429.",
                                      face.max_waiting, 1, 100'000));
  table.push_back(number<std::uint32_t>(
      "face.bulk_rate", "Calls a second of one bot, of those marked as bulk; the others are not paced.",
      face.bulk_rate, 1, 1'000));
}

void add_admin(std::vector<Setting>& table, AdminConfig& admin) {
  table.push_back(text("admin.socket",
                       "Unix socket for `tgkeep status` and the other commands; only its owner may open it. "
                       "Left out: admin.sock in the folder. off: none.",
                       admin.socket));
  table.push_back(
      text("admin.listen",
           "Address and port for the dashboard and metrics over TCP, such as 127.0.0.1:9480; needs "
           "a token. Left out: none.",
           admin.listen));
  table.push_back(text("admin.token_env", "The variable that holds that token, of 32 characters or more.",
                       admin.token_env));
  table.push_back(text("admin.token_file", "A file that holds it.", admin.token_file));
  table.push_back(words("admin.hosts",
                        "Names by which browsers reach admin.listen, besides its address, such as "
                        "tgkeep.example.org.",
                        admin.hosts));
}

void add_health(std::vector<Setting>& table, AdminConfig& admin) {
  table.push_back(
      duration("health.max_age",
               "/readyz says no when a bot's last good exchange with Telegram is older. The first poll, "
               "which may take poll.timeout, has that long, too.",
               admin.max_age, seconds(60), hours(24)));
}

/// Puts the settings of one section side by side, as a file needs it.
void sort_by_section(std::vector<Setting>& table) {
  const auto rank = [](const Setting& setting) {
    return std::find(kSections.begin(), kSections.end(), setting.section()) - kSections.begin();
  };
  std::stable_sort(table.begin(), table.end(),
                   [&rank](const Setting& a, const Setting& b) { return rank(a) < rank(b); });
}

}  // namespace

std::string Setting::variable() const {
  std::string name = replaced(key, ".", '_');
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return "TGKEEP_" + name;
}

std::string Setting::flag() const {
  return "--" + replaced(key, "._", '-');
}

std::string Setting::section() const {
  const std::size_t dot = key.find('.');
  return dot == std::string::npos ? "" : key.substr(0, dot);
}

std::string Setting::name() const {
  return key.substr(key.find('.') + 1);
}

std::vector<Setting> bot_settings_of(BotConfig& bot) {
  BotOptions& options = bot.options;
  std::vector<Setting> table;
  table.push_back(
      text("token_env", "The variable that holds the bot's token; it wins over token_file.", bot.token_env));
  table.push_back(text("token_file", "A file that holds the bot's token and nothing else.", bot.token_file));
  table.push_back(text("api_root", "The Bot API server, without a slash at the end.", options.api_root));
  table.push_back(yes_no("test_environment", "Use Telegram's test servers.", options.test_environment));
  table.push_back(choice<SourceKind>("source", "How updates come: poll or webhook.", bot.source,
                                     {{"poll", SourceKind::poll}, {"webhook", SourceKind::webhook}}));
  table.push_back(choice<HandlerKind>("handler",
                                      "What becomes of updates: echo (answer texts with themselves), log, "
                                      "push (to a bot's HTTP server), or pull "
                                      "(a bot fetches them at the face).",
                                      bot.handler,
                                      {{"echo", HandlerKind::echo},
                                       {"log", HandlerKind::log},
                                       {"push", HandlerKind::push},
                                       {"pull", HandlerKind::pull}}));
  table.push_back(text("folder",
                       "Where the queues live; made if missing. One process at a time. Each of several bots "
                       "gets a folder in it, named by its id.",
                       options.folder));
  table.push_back(yes_no("in_memory", "Keep the queues in memory only: everything is forgotten at exit.",
                         options.in_memory));
  table.push_back(
      size("reserve", "Disk space kept free: below, no new update is accepted.", options.reserve));

  table.push_back(duration("poll.timeout", "How long Telegram holds a poll that finds nothing.",
                           options.poll_timeout, seconds(1), seconds(50)));
  table.push_back(
      kinds("poll.allowed_updates",
            "Kinds to ask Telegram for, also by an own webhook: it remembers them and drops all others for "
            "good. Left out: as set before. []: its default kinds.",
            options.allowed_updates));
  table.push_back(yes_no("poll.drop_pending",
                         "Give up, at each start, what Telegram still holds; also with an own webhook.",
                         options.drop_pending));
  table.push_back(
      yes_no("poll.take_over",
             "Delete a webhook before polling, so that a bot can change to it; what waits is kept.",
             options.take_over));
  add_webhook(table, bot);
  add_push(table, bot);
  add_pull(table, bot.pull);
  add_runner(table, "inbox", options.inbox);
  add_runner(table, "outbox", options.outbox);
  table.push_back(duration("history.keep",
                           "How long finished updates and calls can be found and replayed; 0s: not at all.",
                           options.history, hours(0), hours(24 * 366)));
  table.push_back(size("history.max_size", "Disk space for them, per bot: above, the oldest go early.",
                       options.max_history));
  return table;
}

std::vector<Setting> process_settings_of(Config& config) {
  ProcessOptions& process = config.process;
  std::vector<Setting> table;
  table.push_back(number<std::size_t>("handler_threads",
                                      "Threads of handlers; 0 = twice the cores, at least 4.",
                                      process.handler_threads, 0, 4'096));
  table.push_back(
      duration("drain", "How long a stop lets handlers finish.", process.drain, seconds(0), hours(1)));
  table.push_back(text("listen.address",
                       "Where webhook requests and settlements arrive; opened only when a bot needs it.",
                       process.listen.address));
  table.push_back(number<std::uint16_t>("listen.port", "0: any free one.", process.listen.port, 0, 65'535));
  table.push_back(text("listen.certificate",
                       "A certificate with its chain (PEM), for TLS; SIGHUP reads it again. Left out: plain "
                       "HTTP, for a proxy in front.",
                       process.listen.certificate));
  table.push_back(text("listen.key", "Its private key (PEM).", process.listen.key));
  table.push_back(words("push.allow",
                        "Addresses and ranges that pushes may go to besides public ones and this machine, "
                        "such as 10.0.0.0/8.",
                        process.push_networks));
  add_face(table, config.face);
  add_admin(table, config.admin);
  add_health(table, config.admin);
  table.push_back(choice<LogLevel>("log.level", "debug, info, warning or error.", config.log_level,
                                   {{"debug", LogLevel::debug},
                                    {"info", LogLevel::info},
                                    {"warning", LogLevel::warning},
                                    {"error", LogLevel::error}}));
  table.push_back(choice<LogFormat>("log.format", "text or json; one event a line, to stderr.",
                                    config.log_format,
                                    {{"text", LogFormat::text}, {"json", LogFormat::json}}));
  table.push_back(yes_no("log.updates", "A line for each webhook request and each delivery, with its times.",
                         config.log_updates));
  return table;
}

std::vector<Setting> settings_of(Config& config) {
  std::vector<Setting> table = bot_settings_of(config.bot);
  const std::vector<Setting> process = process_settings_of(config);
  table.insert(table.end(), process.begin(), process.end());
  sort_by_section(table);
  return table;
}

}  // namespace tgkeep::app
