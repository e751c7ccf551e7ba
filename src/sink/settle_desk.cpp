#include "sink/settle_desk.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

namespace tgkeep::sink {

namespace {

constexpr Duration kLongestLease = std::chrono::hours(1);

SettleReply refused(int status, std::string_view error) {
  return SettleReply(SettleAnswer::refused(status, error));
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
  if (settled_ != nullptr) settled_->held_up = false;
  desk_.open_.erase(token_);
}

asio::awaitable<Outcome> SettleDesk::Ticket::wait() {
  answered_ = true;
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

SettleReply SettleDesk::answer(const http::ServerRequest& request) {
  if (request.method != "POST") return refused(405, "settle with POST and {\"action\":\"done\"}");
  if (request.body.size() > kMaxSettleBody) return refused(413, "at most 1 MiB");
  const auto token = token_of(request.target);
  const auto open = token ? open_.find(*token) : open_.end();
  Ticket* const ticket = open == open_.end() ? nullptr : open->second;
  std::shared_ptr<SettledAs> before;
  if (ticket != nullptr) {
    before = ticket->settled_;
  } else if (token) {
    before = settled_.find(*token, clock_.mono());
  }
  // A stranger's body is not looked at.
  if (ticket == nullptr && before == nullptr) {
    return refused(404, "unknown settle URL: settled long ago, its lease has ended, or tgkeep was restarted");
  }
  auto settlement = read_settle_request(request.body);
  if (!settlement) return refused(400, settlement.error().text());
  if (before != nullptr) return SettleReply(SettleAnswer::again(std::move(before), settlement->action));
  if (settlement->action == SettleRequest::Action::renew) return SettleReply(renew(*ticket, *settlement));
  return SettleReply(settle(*token, *ticket, std::move(*settlement)));
}

SettleAnswer SettleDesk::settle(const SettleToken& token, Ticket& ticket, SettleRequest request) {
  auto settled = std::make_shared<SettledAs>(request.action);
  settled->held_up = !ticket.answered_;
  request.outcome.receipt = receipt_of(settled);
  settled_.remember(token, settled, clock_.mono());
  ticket.settled_ = settled;
  ticket.outcome_ = std::move(request.outcome);
  ticket.changed_.notify();
  return SettleAnswer::taken(std::move(settled));
}

SettleAnswer SettleDesk::renew(Ticket& ticket, const SettleRequest& request) {
  const Duration lease = request.renewal.value_or(lease_);
  if (lease > longest_lease()) {
    return SettleAnswer::refused(400, "`seconds` is at most " + std::to_string(in_seconds(longest_lease())));
  }
  ticket.deadline_ = clock_.mono() + lease;
  ticket.changed_.notify();
  SettleAnswer answer = SettleAnswer::taken(SettleRequest::Action::renew);
  answer.body["seconds"] = in_seconds(lease);
  answer.body["deadline"] = (to_millis(clock_.wall()) / 1000) + in_seconds(lease);
  return answer;
}

}  // namespace tgkeep::sink
