#include "emulator/bot_server.hpp"

#include <optional>
#include <utility>

#include "emulator/get_updates.hpp"
#include "emulator/methods.hpp"
#include "loop/event.hpp"

namespace tgkeep::emulator {

namespace asio = boost::asio;

namespace {

constexpr std::string_view get_updates_name = "getUpdates";
constexpr std::int64_t test_bots = std::int64_t{1} << 54;

/// The documented spelling; nothing for a method this server does not have.
std::optional<std::string_view> documented_name(std::string_view method) {
  if (same_ignoring_case(method, get_updates_name)) return get_updates_name;
  const NamedMethod* found = find_method(method);
  if (found == nullptr) return std::nullopt;
  return found->name;
}

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

Result<std::unique_ptr<BotServer>> BotServer::listen(const asio::any_io_executor& loop, Clock& clock,
                                                     Log log) {
  std::unique_ptr<BotServer> self(new BotServer(clock));
  const auto handler = [server = self.get()](http::ServerRequest request) {
    return server->handle(std::move(request));
  };
  http::ServerOptions options;
  auto listening = http::listen(loop, std::move(options), handler, std::move(log));
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
  account = std::make_unique<BotAccount>(id, seed);
  return *account;
}

asio::awaitable<void> BotServer::stop(Duration drain) {
  stopping_ = true;
  for (const auto& [name, account] : accounts_) {
    if (account->waiting != nullptr) account->waiting->changed.notify();
  }
  co_await server_->stop(drain);
}

asio::awaitable<http::ServerReply> BotServer::handle(http::ServerRequest request) {
  if (request.method != "GET" && request.method != "POST") co_return http::ServerReply(501);
  std::optional<Route> route = read_route(request);
  if (!route) co_return Answer::error(404, "Not Found").reply();
  if (const std::optional<Answer> refused = refuse_token(route->token)) co_return refused->reply();
  const auto found = accounts_.find(account_name(route->token, route->test));
  if (found == accounts_.end()) co_return Answer::error(401, "Unauthorized").reply();
  Route taken = *std::move(route);
  http::ServerReply reply = co_await serve(*found->second, std::move(taken));
  co_return reply;
}

asio::awaitable<http::ServerReply> BotServer::serve(BotAccount& account, Route route) {
  const std::optional<std::string_view> name = documented_name(route.method);
  CallRecord& record = calls_.emplace_back();
  record.bot = account.id;
  record.method = name ? std::string(*name) : route.method;
  record.params = std::move(route.params);
  record.chat = record.params.number("chat_id", 0);
  record.received = clock_.mono();
  CallEnd end(record);
  if (!name) co_return end.answer(Answer::error(404, "Not Found: method not found"));

  Fault fault;
  if (faults_) fault = faults_(record);
  if (fault.kind == Fault::Kind::late) co_await loop::sleep_for(clock_, fault.delay);
  if (fault.kind == Fault::Kind::hang_up) co_return end.hang_up();
  if (fault.kind == Fault::Kind::status) co_return end.answer(Answer::error(fault.code, reason(fault.code)));
  if (fault.kind == Fault::Kind::flood) {
    co_return end.answer(Answer::flood(std::chrono::duration_cast<std::chrono::seconds>(fault.delay)));
  }
  const Answer answer = co_await perform(account, record);
  if (fault.kind == Fault::Kind::late_answer) co_await loop::sleep_for(clock_, fault.delay);
  if (fault.kind == Fault::Kind::hang_up_after) co_return end.hang_up();
  co_return end.answer(answer);
}

asio::awaitable<Answer> BotServer::perform(BotAccount& account, CallRecord& record) {
  record.took_effect = true;
  const NamedMethod* method = find_method(record.method);
  if (method != nullptr) co_return method->perform(account, record.params, clock_.wall());
  Params params = record.params;
  Answer answer = co_await get_updates(clock_, account, std::move(params), stopping_);
  co_return answer;
}

}  // namespace tgkeep::emulator
