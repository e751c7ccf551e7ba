#include "sink/settle_desk.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/system_error.hpp>

namespace tgkeep::sink {

namespace {

namespace json = boost::json;

constexpr Duration kLongestLease = std::chrono::hours(1);
constexpr Duration kRemembered = std::chrono::minutes(10);
constexpr std::size_t kMaxRemembered = 10'000;

http::ServerReply reply(int status, const json::object& body) {
  return http::ServerReply(status, json::serialize(body));
}

http::ServerReply refused(int status, std::string_view error) {
  json::object body;
  body["ok"] = false;
  body["error"] = error;
  return reply(status, body);
}

json::object taken(SettleRequest::Action action) {
  json::object body;
  body["ok"] = true;
  body["action"] = to_string(action);
  return body;
}

http::ServerReply again(SettleRequest::Action before, SettleRequest::Action action) {
  if (action != before) return refused(409, "already settled as " + std::string(to_string(before)));
  json::object body = taken(action);
  body["repeated"] = true;
  return reply(200, body);
}

std::int64_t in_seconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::seconds>(duration).count();
}

std::optional<SettleToken> token_of(std::string_view target) {
  target = target.substr(0, target.find('?'));
  return SettleToken::parse(target.substr(target.rfind('/') + 1));
}

}  // namespace

SettleDesk::Ticket::Ticket(SettleDesk& desk, const asio::any_io_executor& executor)
    : desk_(desk), token_(SettleToken::random()), changed_(executor) {
  desk_.open_.emplace(token_, this);
}

SettleDesk::Ticket::~Ticket() {
  desk_.open_.erase(token_);
}

asio::awaitable<Outcome> SettleDesk::Ticket::wait() {
  const Duration lease = desk_.lease_;
  deadline_ = std::max(deadline_, desk_.clock_.mono() + lease);
  bool cancelled = false;
  while (!outcome_ && !cancelled && desk_.clock_.mono() < deadline_) {
    try {
      co_await changed_.wait_until(desk_.clock_, deadline_);
    } catch (const boost::system::system_error&) {
      cancelled = true;
    }
  }
  if (outcome_) co_return std::move(*outcome_);
  if (cancelled) {
    throw boost::system::system_error(asio::error::operation_aborted,
                                      "accepted by the bot, cancelled before it was settled");
  }
  Outcome ended =
      Outcome::retry("the lease ended: accepted by the bot with 202, then neither settled nor renewed");
  ended.target = Outcome::Target::failed;
  co_return ended;
}

Duration SettleDesk::longest_lease() const noexcept {
  return std::max(lease_, kLongestLease);
}

http::ServerReply SettleDesk::answer(const http::ServerRequest& request) {
  if (request.method != "POST") {
    http::ServerReply reply = refused(405, "settle with POST and {\"action\":\"done\"}");
    reply.headers.emplace_back("Allow", "POST");
    return reply;
  }
  if (request.body.size() > kMaxSettleBody) return refused(413, "at most 1 MiB");
  forget_old();
  const auto token = token_of(request.target);
  const auto open = token ? open_.find(*token) : open_.end();
  const auto before = token ? settled_as(*token) : std::nullopt;
  // A stranger's body is not looked at.
  if (open == open_.end() && !before) {
    return refused(404, "unknown settle URL: settled long ago, its lease has ended, or tgkeep was restarted");
  }
  const auto settlement = read_settle_request(request.body);
  if (!settlement) return refused(400, settlement.error().text());
  const SettleRequest::Action action = settlement->action;
  if (before) return again(*before, action);
  Ticket& ticket = *open->second;
  if (action == SettleRequest::Action::renew) return renew(ticket, *settlement);
  ticket.outcome_ = settlement->outcome;
  ticket.settled_as_ = action;
  remember(*token, action);
  ticket.changed_.notify();
  return reply(200, taken(action));
}

http::ServerReply SettleDesk::renew(Ticket& ticket, const SettleRequest& request) {
  const Duration lease = request.renewal.value_or(lease_);
  if (lease > longest_lease()) {
    return refused(400, "`seconds` is at most " + std::to_string(in_seconds(longest_lease())));
  }
  ticket.deadline_ = clock_.mono() + lease;
  ticket.changed_.notify();
  json::object body = taken(SettleRequest::Action::renew);
  body["seconds"] = in_seconds(lease);
  body["deadline"] = (to_millis(clock_.wall()) / 1000) + in_seconds(lease);
  return reply(200, body);
}

std::optional<SettleRequest::Action> SettleDesk::settled_as(const SettleToken& token) const {
  const auto open = open_.find(token);
  if (open != open_.end()) return open->second->settled_as_;
  const auto settled = settled_.find(token);
  if (settled == settled_.end()) return std::nullopt;
  return settled->second;
}

void SettleDesk::remember(const SettleToken& token, SettleRequest::Action action) {
  if (settled_order_.size() >= kMaxRemembered) {
    settled_.erase(settled_order_.front().token);
    settled_order_.pop_front();
  }
  settled_.emplace(token, action);
  settled_order_.emplace_back(token, clock_.mono() + kRemembered);
}

void SettleDesk::forget_old() {
  while (!settled_order_.empty() && settled_order_.front().until <= clock_.mono()) {
    settled_.erase(settled_order_.front().token);
    settled_order_.pop_front();
  }
}

}  // namespace tgkeep::sink
