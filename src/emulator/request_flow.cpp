// How BotServer answers requests.

#include <algorithm>
#include <optional>
#include <utility>

#include "emulator/account_name.hpp"
#include "emulator/bot_server.hpp"
#include "emulator/get_updates.hpp"
#include "emulator/methods/registry.hpp"
#include "emulator/schema/check_params.hpp"

namespace tgkeep::emulator {

namespace asio = boost::asio;

namespace {

constexpr std::string_view get_updates_name = "getUpdates";
constexpr std::string_view set_webhook_name = "setWebhook";
constexpr std::string_view delete_webhook_name = "deleteWebhook";
// What a server that stops says to a request it has not answered.
constexpr std::chrono::seconds unanswered{5};
constexpr std::size_t max_params = 1U << 20;
constexpr std::size_t max_files = 50;
constexpr std::size_t largest_upload = 50U << 20;

/// What the server's parser says to a request it does not like: a status and nothing else, then it closes.
http::ServerReply bare(int status) {
  http::ServerReply reply(status, "", "");
  reply.cut_at = std::string::npos;
  return reply;
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

/// What is refused anyway costs nothing.
bool may_send(const Call& call) {
  return !schema::refuse_params(call.spec, call.params) && find_writable_chat(call).has_value();
}

/// Marks a call as cut off unless it ended in another way: its coroutine may be cancelled anywhere.
class CallEnd {
 public:
  CallEnd(CallRecord& record, loop::Event& changed, bool keep_answer)
      : record_(record), changed_(changed), keep_answer_(keep_answer) {}
  ~CallEnd() {
    if (record_.end == CallRecord::End::running) record_.end = CallRecord::End::cut_off;
    changed_.notify();
  }
  CallEnd(const CallEnd&) = delete;
  CallEnd& operator=(const CallEnd&) = delete;

  http::ServerReply hang_up(bool reset) {
    record_.end = CallRecord::End::hung_up;
    http::ServerReply reply;
    reply.hang_up = true;
    reply.reset = reset;
    return reply;
  }
  /// What comes instead of an answer.
  http::ServerReply instead(const Fault& fault) {
    switch (fault.kind) {
      case Fault::Kind::status:
        return answer(Answer::error(fault.code, fault.text.empty() ? reason(fault.code) : fault.text));
      case Fault::Kind::flood:
        return answer(Answer::flood(std::chrono::duration_cast<std::chrono::seconds>(fault.delay)));
      case Fault::Kind::body:
        record_.end = CallRecord::End::answered;
        record_.status = fault.code;
        return http::ServerReply(fault.code, fault.text, fault.content_type);
      default:
        return hang_up(fault.kind == Fault::Kind::reset);
    }
  }
  /// The answer of a call that took effect, or what is left of it.
  http::ServerReply answer_with(const Fault& fault, const Answer& answered) {
    if (fault.kind == Fault::Kind::hang_up_after || fault.kind == Fault::Kind::hang_after)
      return hang_up(false);
    if (fault.kind == Fault::Kind::reset_after) return hang_up(true);
    http::ServerReply reply = answer(answered);
    if (fault.kind == Fault::Kind::cut) reply.cut_at = fault.bytes;
    if (fault.kind == Fault::Kind::drip) reply.drip = fault.delay;
    if (fault.kind == Fault::Kind::cut) record_.end = CallRecord::End::hung_up;
    return reply;
  }
  http::ServerReply answer(const Answer& answer) {
    record_.end = CallRecord::End::answered;
    record_.status = answer.status();
    if (keep_answer_) record_.answer = answer.body();
    return answer.reply();
  }

 private:
  CallRecord& record_;
  loop::Event& changed_;
  bool keep_answer_;
};

}  // namespace

asio::awaitable<void> BotServer::perform_reply(BotAccount& account, Route route) {
  const http::ServerReply thrown_away = co_await serve(account, std::move(route));
  static_cast<void>(thrown_away);
}

BotAccount* BotServer::account_of(const Route& route) {
  const auto found = accounts_.find(account_name(route.token, route.test));
  if (found != accounts_.end()) return found->second.get();
  if (!options_.any_bot) return nullptr;
  return &add_bot(route.token, 1, route.test);
}

asio::awaitable<http::ServerReply> BotServer::handle(http::ServerRequest request) {
  if (control_ && request.target.starts_with("/control/")) {
    http::ServerReply reply = co_await control_(std::move(request));
    co_return reply;
  }
  if (request.target.starts_with("/file/bot")) co_return download(request.target);
  if (request.absolute) {
    co_return Answer::error(404, "Not Found: absolute URI is specified in the Request-Line").reply();
  }
  std::optional<Route> route = read_route(request);
  if (!route) co_return Answer::error(404, "Not Found").reply();
  if (route->params.text_size() > max_params || route->params.uploads().size() > max_files)
    co_return bare(413);
  if (const std::optional<Answer> refused = refuse_token(route->token)) {
    if (options_.cloud_errors) co_return Answer::error(404, "Not Found").reply();
    co_return refused->reply();
  }
  const bool too_large = std::ranges::any_of(route->params.uploads(), [](const telegram::Upload& upload) {
    return upload.bytes.size() > largest_upload;
  });
  if (too_large && options_.local_folder.empty())
    co_return Answer::error(413, "Request Entity Too Large").reply();
  BotAccount* account = account_of(*route);
  if (account == nullptr) co_return Answer::error(401, "Unauthorized").reply();
  Route taken = *std::move(route);
  http::ServerReply reply = co_await serve(*account, std::move(taken));
  co_return reply;
}

http::ServerReply BotServer::download(std::string_view target) {
  target.remove_prefix(std::string_view("/file/bot").size());
  const std::string path = telegram::percent_decoded(target.substr(0, target.find('?')), false);
  const std::size_t slash = path.find('/');
  const auto account = accounts_.find(path.substr(0, slash));
  if (slash == std::string::npos || account == accounts_.end())
    return Answer::error(404, "Not Found").reply();
  const FileRecord* file = world_.files.find_path(account->second->id.value(), path.substr(slash + 1));
  if (file == nullptr) return Answer::error(404, "Not Found").reply();
  return http::ServerReply(200, file->bytes, "application/octet-stream");
}

CallRecord& BotServer::note(const BotAccount& account, Route route, const schema::MethodSpec* method) {
  while (options_.keep_calls > 0 && calls_.size() >= options_.keep_calls &&
         calls_.front().end != CallRecord::End::running) {
    calls_.pop_front();
  }
  CallRecord& record = calls_.add();
  record.number = ++last_call_;
  record.bot = account.id;
  record.method = method == nullptr ? route.method : std::string(method->name);
  record.params = std::move(route.params);
  record.webhook_reply = route.webhook_reply;
  record.chat = record.params.number("chat_id", 0);
  record.received = clock_.mono();
  calls_changed_.notify();
  return record;
}

/// False when the server stops meanwhile.
asio::awaitable<bool> BotServer::pause(Duration duration) {
  const MonoTime until = clock_.mono() + duration;
  while (!stopping_ && clock_.mono() < until) {
    const bool notified = co_await stopped_.wait_until(clock_, until);
    if (!notified) break;
  }
  co_return !stopping_;
}

asio::awaitable<void> BotServer::wait_for_stop() {
  while (!stopping_) co_await stopped_.wait();
}

std::optional<http::ServerReply> BotServer::check_head(const http::ServerRequest& head) const {
  if (head.method != "GET" && head.method != "POST") return http::ServerReply(501, "", "");
  // The server unpacks gzip and deflate; nobody sends them.
  if (http::find_header(head.headers, "Content-Encoding") != nullptr) return http::ServerReply(415, "", "");
  if (!early_faults_ || !head.target.starts_with("/bot")) return std::nullopt;
  const std::string_view path = std::string_view(head.target).substr(0, head.target.find('?'));
  if (!early_faults_(path.substr(path.rfind('/') + 1))) return std::nullopt;
  http::ServerReply reply;
  reply.hang_up = true;
  reply.reset = true;
  return reply;
}

asio::awaitable<http::ServerReply> BotServer::serve(BotAccount& account, Route route) {
  const schema::MethodSpec* method = schema::find_method(route.method);
  CallRecord& record = note(account, std::move(route), method);
  CallEnd end(record, calls_changed_, options_.keep_answers);
  if (account.clock.mono() < account.logged_out_until) co_return end.answer(Answer::error(400, "Logged out"));
  if (method == nullptr) co_return end.answer(Answer::error(404, "Not Found: method not found"));

  Fault fault;
  if (faults_) fault = faults_(record);
  if (fault.kind != Fault::Kind::none) record.fault = fault.name.empty() ? to_string(fault.kind) : fault.name;
  if (fault.kind == Fault::Kind::late) {
    const bool goes_on = co_await pause(fault.delay);
    if (!goes_on) co_return end.answer(Answer::flood(unanswered));
  }
  if (fault.kind == Fault::Kind::hang) co_await wait_for_stop();
  if (!fault.happens_after()) co_return end.instead(fault);
  const Call sending(account, world_, record.params, *method, clock_.wall());
  if (options_.flood_limits && FloodLimits::counts(method->name) && may_send(sending)) {
    const bool paid = record.params.flag("allow_paid_broadcast");
    const FloodVerdict verdict = account.sends.admit(record.chat, paid, clock_.mono());
    if (verdict.retry_after > std::chrono::seconds::zero())
      co_return end.answer(Answer::flood(verdict.retry_after));
    const bool goes_on = co_await pause(verdict.wait);
    if (!goes_on) co_return end.answer(Answer::flood(unanswered));
  }
  const Answer answer = co_await perform(account, *method, record);
  if (fault.kind == Fault::Kind::late_answer) {
    const bool goes_on = co_await pause(fault.delay);
    if (!goes_on) co_return end.answer(Answer::flood(unanswered));
  }
  if (fault.kind == Fault::Kind::hang_after) co_await wait_for_stop();
  co_return end.answer_with(fault, answer);
}

asio::awaitable<Answer> BotServer::perform(BotAccount& account, const schema::MethodSpec& method,
                                           CallRecord& record) {
  record.took_effect = true;
  telegram::Params params = record.params;
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
