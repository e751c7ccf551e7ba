#include "sink/settle_reply.hpp"

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <utility>

#include "rules/mutant.hpp"

namespace tgkeep::sink {

namespace {

namespace json = boost::json;
using Fate = SettledAs::Fate;

// Shorter than what clients wait for an answer.
constexpr Duration kLongestWait = std::chrono::seconds(5);
// A 202 that was sent before the settlement may come in after it.
constexpr Duration kAnswerOnItsWay = std::chrono::milliseconds(100);

constexpr const char* kNotYet =
    "taken, but not written yet: tgkeep's disk is full, busy or slow (settle_waits in its log), or the "
    "update "
    "has not come up again since tgkeep started. It counts when it is written; settle again to hear that";
constexpr const char* kRefused =
    "no longer in flight: it was ended by another hand, and this counts for nothing";
constexpr const char* kLost =
    "not written: tgkeep's store has failed (see its log), or tgkeep stops. Settle again once it runs";

}  // namespace

SettleAnswer::SettleAnswer(int status) : status(status) {
  body["ok"] = status == 200;
}

SettleAnswer SettleAnswer::refused(int status, std::string_view error) {
  SettleAnswer answer(status);
  answer.body["error"] = error;
  return answer;
}

SettleAnswer SettleAnswer::taken() {
  return SettleAnswer(200);
}

SettleAnswer SettleAnswer::taken(SettleRequest::Action action) {
  SettleAnswer answer(200);
  answer.body["action"] = to_string(action);
  return answer;
}

SettleAnswer SettleAnswer::taken(std::shared_ptr<SettledAs> settled) {
  SettleAnswer answer = taken(settled->action);
  answer.settled = std::move(settled);
  return answer;
}

SettleAnswer SettleAnswer::again(std::shared_ptr<SettledAs> before, SettleRequest::Action action) {
  if (before->action != action) {
    return refused(409, "already settled as " + std::string(to_string(before->action)));
  }
  SettleAnswer answer = taken(std::move(before));
  answer.body["repeated"] = true;
  return answer;
}

void SettleAnswer::refuse(int with, std::string_view error) {
  status = with;
  body["ok"] = false;
  body["error"] = error;
}

void SettleAnswer::conclude() {
  if (settled == nullptr || rules::mutant("settle_answered_early")) return;
  switch (settled->fate()) {
    case Fate::written:
      break;
    case Fate::open:
      if (!settled->held_up) return refuse(503, kNotYet);
      status = 202;
      body["written"] = false;
      break;
    case Fate::refused:
      return refuse(404, kRefused);
    case Fate::lost:
      return refuse(503, kLost);
  }
}

/// Is told of each, as long as it lives.
class SettleReply::Wait {
 public:
  Wait(const asio::any_io_executor& executor, const std::vector<SettleAnswer>& answers) : decided(executor) {
    for (const SettleAnswer& answer : answers) {
      if (!answer.is_open()) continue;
      answer.settled->tell(decided);
      on_.push_back(answer.settled);
    }
  }
  ~Wait() {
    for (const std::shared_ptr<SettledAs>& settled : on_) settled->tell_no_more(decided);
  }
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

  loop::Event decided;

 private:
  std::vector<std::shared_ptr<SettledAs>> on_;
};

SettleReply::SettleReply(SettleAnswer one) : single_(true) {
  answers_.push_back(std::move(one));
}

bool SettleReply::is_open() const {
  return std::ranges::any_of(answers_, &SettleAnswer::is_open) && !rules::mutant("settle_answered_early");
}

bool SettleReply::is_held_up() const {
  return single_ && answers_.front().settled->held_up;
}

asio::awaitable<http::ServerReply> SettleReply::when_written(Clock& clock) {
  if (!is_open()) co_return reply();
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  const MonoTime start = clock.mono();
  Wait wait(executor, answers_);
  while (is_open()) {
    const MonoTime until = start + (is_held_up() ? kAnswerOnItsWay : kLongestWait);
    if (clock.mono() >= until) break;
    co_await wait.decided.wait_until(clock, until);
  }
  co_return reply();
}

http::ServerReply SettleReply::reply() {
  bool all = true;
  json::array results;
  for (SettleAnswer& answer : answers_) {
    answer.conclude();
    if (single_) break;
    all = all && answer.status == 200;
    if (answer.status != 200) answer.body["error_code"] = answer.status;
    results.push_back(std::move(answer.body));
  }
  if (single_) {
    const SettleAnswer& answer = answers_.front();
    http::ServerReply reply(answer.status, json::serialize(answer.body));
    if (answer.status == 405) reply.headers.emplace_back("Allow", "POST");
    if (answer.status == 503) reply.headers.emplace_back("Retry-After", "1");
    return reply;
  }
  json::object body;
  body["ok"] = all;
  body["results"] = std::move(results);
  return http::ServerReply(200, json::serialize(body));
}

}  // namespace tgkeep::sink
