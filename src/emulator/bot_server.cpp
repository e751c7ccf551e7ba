#include "emulator/bot_server.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <optional>
#include <utility>

#include "emulator/account_name.hpp"
#include "loop/event.hpp"

namespace tgkeep::emulator {

namespace asio = boost::asio;

namespace {

// Larger than the largest upload of the cloud (50 MB).
constexpr std::size_t max_body = 64U << 20;
constexpr std::size_t max_header = 256U << 10;
constexpr std::int64_t test_bots = std::int64_t{1} << 54;
constexpr Duration restart_drain = std::chrono::seconds(1);

}  // namespace

BotServer::BotServer(const asio::any_io_executor& loop, Clock& clock, Log log, BotServerOptions options)
    : loop_(loop),
      clock_(clock),
      pace_(clock, options.speed),
      log_(log),
      options_(options),
      world_(options.strict),
      calls_changed_(loop),
      stopped_(loop),
      replies_(loop, std::move(log)) {
  world_.local_folder = options_.local_folder;
  world_.deliver = [this](std::int64_t bot, std::string_view kind,
                          const json::object& content) -> std::optional<std::int64_t> {
    BotAccount* account = find_bot(bot);
    if (account == nullptr) return std::nullopt;
    const std::optional<UpdateId> id = account->add(kind, json::serialize(content));
    return id ? std::optional(id->value()) : std::nullopt;
  };
}

Result<std::unique_ptr<BotServer>> BotServer::listen(const asio::any_io_executor& loop, Clock& clock, Log log,
                                                     BotServerOptions options) {
  std::unique_ptr<BotServer> self(new BotServer(loop, clock, std::move(log), std::move(options)));
  self->port_ = self->options_.port;
  if (const Result<void> opened = self->open(); !opened) return opened.error();
  return self;
}

Result<void> BotServer::open() {
  http::ServerOptions options;
  options.max_body = max_body;
  options.max_header = max_header;
  options.address = options_.address;
  options.port = port_;
  options.tls = options_.tls;
  options.check_head = [this](const http::ServerRequest& head) { return check_head(head); };
  const auto handler = [this](http::ServerRequest request) { return handle(std::move(request)); };
  auto listening = http::listen(loop_, std::move(options), handler, log_);
  if (!listening) return listening.error();
  server_ = *std::move(listening);
  port_ = server_->port();
  return {};
}

std::string BotServer::root() const {
  const std::string scheme = options_.tls ? "https://" : "http://";
  return scheme + options_.address + ":" + std::to_string(port_);
}

BotAccount& BotServer::add_bot(std::string_view token, std::uint64_t seed, bool test) {
  const std::string id_text(token.substr(0, token.find(':')));
  std::int64_t number = 0;
  std::from_chars(id_text.data(), id_text.data() + id_text.size(), number);
  const BotId id(number + (test ? test_bots : 0));
  auto& account = accounts_[account_name(token, test)];
  account = std::make_unique<BotAccount>(id, seed, pace_);
  world_.bots.insert(id.value());
  world_.directory.add_user(account->short_profile());
  return *account;
}

BotAccount* BotServer::find_bot(std::int64_t id) noexcept {
  for (const auto& [name, account] : accounts_) {
    if (account->id.value() == id) return account.get();
  }
  return nullptr;
}

std::vector<BotAccount*> BotServer::bots() const {
  std::vector<BotAccount*> all;
  for (const auto& [name, account] : accounts_) all.push_back(account.get());
  return all;
}

void BotServer::clear_calls() {
  calls_.clear_ended();
}

asio::awaitable<void> BotServer::close(Duration drain) {
  stopping_ = true;
  stopped_.notify();
  for (const auto& [name, account] : accounts_) {
    if (account->waiting != nullptr) account->waiting->changed.notify();
  }
  for (const auto& [name, account] : accounts_) co_await close_webhook(*account);
  co_await server_->stop(drain);
  // A setWebhook that was being answered may have started another.
  for (const auto& [name, account] : accounts_) co_await close_webhook(*account);
}

asio::awaitable<void> BotServer::stop(Duration drain) {
  replies_.cancel();
  co_await close(drain);
  replies_.cancel();
  co_await replies_.join();
}

asio::awaitable<void> BotServer::restart(Duration down) {
  co_await close(restart_drain);
  if (down > Duration::zero()) co_await loop::sleep_for(clock_, down);
  stopping_ = false;
  const Result<void> opened = open();
  if (!opened) log_.error("emulator_restart_failed", {{"error", opened.error().text()}});
  for (const auto& [name, account] : accounts_) account->started = clock_.mono();
  send_webhooks();
}

void BotServer::start_restart(Duration down) {
  replies_.spawn("restart", restart(down));
}

json::object BotServer::save() const {
  json::array accounts;
  for (const auto& [name, account] : accounts_) {
    json::object entry;
    entry["name"] = name;
    entry["account"] = account->save();
    accounts.push_back(std::move(entry));
  }
  json::object saved;
  saved["bots"] = std::move(accounts);
  saved["world"] = world_.save();
  return saved;
}

asio::awaitable<void> BotServer::forget() {
  for (const auto& [name, account] : accounts_) {
    co_await close_webhook(*account);
    account->start_anew();
    if (account->waiting != nullptr) account->waiting->changed.notify();
  }
  world_.clear();
  for (const auto& [name, account] : accounts_) world_.directory.add_user(account->short_profile());
  clear_calls();
}

void BotServer::send_webhooks() {
  for (const auto& [name, account] : accounts_) {
    if (account->webhook.settings) account->webhook.sender = start_sender(*account);
  }
}

asio::awaitable<void> BotServer::reset() {
  co_await forget();
  send_webhooks();
}

asio::awaitable<void> BotServer::load(json::object saved) {
  co_await forget();
  world_.load(*object_in(saved, "world"));
  for (const json::value& value : *array_in(saved, "bots")) {
    const json::object& entry = value.as_object();
    const std::string_view name = string_in(entry, "name");
    const bool test = name.ends_with(kTestSuffix);
    const std::string token(name.substr(0, name.size() - (test ? kTestSuffix.size() : 0)));
    if (!accounts_.contains(name)) add_bot(token, 1, test);
    BotAccount& account = *accounts_.find(name)->second;
    account.load(*object_in(entry, "account"));
  }
  send_webhooks();
}

std::unique_ptr<WebhookSender> BotServer::start_sender(BotAccount& account) {
  WebhookSenderOptions options;
  options.deadline = options_.webhook_deadline;
  options.seed = static_cast<std::uint64_t>(account.id.value());
  options.faults = webhook_faults_;
  options.perform = [this, &account](Route route) {
    replies_.spawn("webhook_reply", perform_reply(account, std::move(route)));
  };
  return std::make_unique<WebhookSender>(loop_, account, std::move(options), log_);
}

}  // namespace tgkeep::emulator
