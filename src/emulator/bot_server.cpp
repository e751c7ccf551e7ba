#include "emulator/bot_server.hpp"

#include <boost/json/serialize.hpp>
#include <optional>
#include <utility>

#include "emulator/get_updates.hpp"
#include "emulator/methods/registry.hpp"
#include "loop/event.hpp"

namespace tgkeep::emulator {

namespace asio = boost::asio;

namespace {

// Larger than the largest upload (50 MB).
constexpr std::size_t max_body = 64U << 20;
constexpr std::size_t max_header = 256U << 10;
constexpr std::string_view get_updates_name = "getUpdates";
constexpr std::string_view set_webhook_name = "setWebhook";
constexpr std::string_view delete_webhook_name = "deleteWebhook";
constexpr std::int64_t test_bots = std::int64_t{1} << 54;

std::string account_name(std::string_view token, bool test) {
  std::string name(token);
  if (test) name += "/test";
  return name;
}

std::string_view reason(int status) {
  switch (status) {
    case 500:
      return "Internal Server Error";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return "Scripted fault";
  }
}

/// Marks a call as cut off unless it ended in another way: its coroutine may be cancelled anywhere.
class CallEnd {
 public:
  explicit CallEnd(CallRecord& record) : record_(record) {}
  ~CallEnd() {
    if (record_.end == CallRecord::End::running) record_.end = CallRecord::End::cut_off;
  }
  CallEnd(const CallEnd&) = delete;
  CallEnd& operator=(const CallEnd&) = delete;

  http::ServerReply hang_up() {
    record_.end = CallRecord::End::hung_up;
    http::ServerReply reply;
    reply.hang_up = true;
    return reply;
  }
  http::ServerReply answer(const Answer& answer) {
    record_.end = CallRecord::End::answered;
    record_.status = answer.status();
    return answer.reply();
  }

 private:
  CallRecord& record_;
};

}  // namespace

BotServer::BotServer(const asio::any_io_executor& loop, Clock& clock, Log log, BotServerOptions options)
    : loop_(loop),
      clock_(clock),
      pace_(clock, options.speed),
      log_(log),
      options_(options),
      world_(options.strict),
      replies_(loop, std::move(log)) {
  world_.deliver = [this](std::int64_t bot, std::string_view kind, const json::object& content) {
    if (BotAccount* account = find_bot(bot)) account->add(kind, json::serialize(content));
  };
}

Result<std::unique_ptr<BotServer>> BotServer::listen(const asio::any_io_executor& loop, Clock& clock, Log log,
                                                     BotServerOptions options) {
  std::unique_ptr<BotServer> self(new BotServer(loop, clock, log, options));
  const auto handler = [server = self.get()](http::ServerRequest request) {
    return server->handle(std::move(request));
  };
  http::ServerOptions http_options;
  http_options.max_body = max_body;
  http_options.max_header = max_header;
  http_options.port = options.port;
  auto listening = http::listen(loop, std::move(http_options), handler, std::move(log));
  if (!listening) return listening.error();
  self->server_ = *std::move(listening);
  return self;
}

std::string BotServer::root() const {
  return "http://127.0.0.1:" + std::to_string(port());
}

BotAccount& BotServer::add_bot(std::string_view token, std::uint64_t seed, bool test) {
  const std::string id_text(token.substr(0, token.find(':')));
  const BotId id(std::stoll(id_text) + (test ? test_bots : 0));
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

asio::awaitable<void> BotServer::stop(Duration drain) {
  stopping_ = true;
  for (const auto& [name, account] : accounts_) {
    if (account->waiting != nullptr) account->waiting->changed.notify();
  }
  for (const auto& [name, account] : accounts_) co_await close_webhook(*account);
  co_await server_->stop(drain);
  // A setWebhook that was being answered may have started another.
  for (const auto& [name, account] : accounts_) co_await close_webhook(*account);
  replies_.cancel();
  co_await replies_.join();
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

asio::awaitable<void> BotServer::perform_reply(BotAccount& account, Route route) {
  const http::ServerReply thrown_away = co_await serve(account, std::move(route));
  static_cast<void>(thrown_away);
}

asio::awaitable<http::ServerReply> BotServer::handle(http::ServerRequest request) {
  if (request.method != "GET" && request.method != "POST") co_return http::ServerReply(501);
  if (request.target.starts_with("/file/bot")) co_return download(request.target);
  std::optional<Route> route = read_route(request);
  if (!route) co_return Answer::error(404, "Not Found").reply();
  if (const std::optional<Answer> refused = refuse_token(route->token)) co_return refused->reply();
  const auto found = accounts_.find(account_name(route->token, route->test));
  if (found == accounts_.end()) co_return Answer::error(401, "Unauthorized").reply();
  Route taken = *std::move(route);
  http::ServerReply reply = co_await serve(*found->second, std::move(taken));
  co_return reply;
}

http::ServerReply BotServer::download(std::string_view target) {
  target.remove_prefix(std::string_view("/file/bot").size());
  const std::string path = percent_decoded(target.substr(0, target.find('?')), false);
  const std::size_t slash = path.find('/');
  const auto account = accounts_.find(path.substr(0, slash));
  if (slash == std::string::npos || account == accounts_.end())
    return Answer::error(404, "Not Found").reply();
  const FileRecord* file = world_.files.find_path(account->second->id.value(), path.substr(slash + 1));
  if (file == nullptr) return Answer::error(404, "Not Found").reply();
  return http::ServerReply(200, file->bytes, "application/octet-stream");
}

asio::awaitable<http::ServerReply> BotServer::serve(BotAccount& account, Route route) {
  const schema::MethodSpec* method = schema::find_method(route.method);
  CallRecord& record = calls_.emplace_back();
  record.bot = account.id;
  record.method = method == nullptr ? route.method : std::string(method->name);
  record.params = std::move(route.params);
  record.webhook_reply = route.webhook_reply;
  record.chat = record.params.number("chat_id", 0);
  record.received = clock_.mono();
  CallEnd end(record);
  if (account.logged_out) co_return end.answer(Answer::error(400, "Logged out"));
  if (method == nullptr) co_return end.answer(Answer::error(404, "Not Found: method not found"));

  Fault fault;
  if (faults_) fault = faults_(record);
  if (fault.kind == Fault::Kind::late) co_await loop::sleep_for(clock_, fault.delay);
  if (fault.kind == Fault::Kind::hang_up) co_return end.hang_up();
  if (fault.kind == Fault::Kind::status) co_return end.answer(Answer::error(fault.code, reason(fault.code)));
  if (fault.kind == Fault::Kind::flood) {
    co_return end.answer(Answer::flood(std::chrono::duration_cast<std::chrono::seconds>(fault.delay)));
  }
  const Answer answer = co_await perform(account, *method, record);
  if (fault.kind == Fault::Kind::late_answer) co_await loop::sleep_for(clock_, fault.delay);
  if (fault.kind == Fault::Kind::hang_up_after) co_return end.hang_up();
  co_return end.answer(answer);
}

asio::awaitable<Answer> BotServer::perform(BotAccount& account, const schema::MethodSpec& method,
                                           CallRecord& record) {
  record.took_effect = true;
  Params params = record.params;
  if (method.name == set_webhook_name) {
    const StartSender start = [this](BotAccount& bot) { return start_sender(bot); };
    Answer set = co_await set_webhook(clock_, account, std::move(params), options_.webhook_rules, start);
    co_return set;
  }
  if (method.name == delete_webhook_name) {
    Answer deleted = co_await delete_webhook(account, std::move(params));
    co_return deleted;
  }
  if (method.name == get_updates_name) {
    Answer updates = co_await get_updates(clock_, account, std::move(params), stopping_);
    co_return updates;
  }
  Call call(account, world_, record.params, method, clock_.wall());
  co_return perform_method(call);
}

}  // namespace tgkeep::emulator
