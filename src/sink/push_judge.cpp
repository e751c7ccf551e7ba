#include "sink/push_judge.hpp"

#include "http/request_place.hpp"
#include "sink/retry_after.hpp"
#include "sink/webhook_reply.hpp"

namespace tgkeep::sink {

namespace {

// While nothing can be sent: the runner pauses a target that stays unreachable and asks with one update.
constexpr Duration kUnreachablePause = std::chrono::seconds(1);

Outcome with_target(Outcome outcome, Outcome::Target target) {
  outcome.target = target;
  return outcome;
}

}  // namespace

PushJudge::PushJudge(const PushOptions& options, Log log)
    : rules_(options.rules),
      webhook_reply_(options.webhook_reply),
      place_(http::RequestPlace(options.url).text()),
      log_(std::move(log)) {}

Outcome PushJudge::answered(const http::ClientResponse& answer, WallTime now) const {
  const int status = answer.status;
  if (status / 100 == 2) return done(answer);
  // Even with a word on when to come again, 503 says that the receiver as a whole does not work.
  const auto target = status / 100 == 5 ? Outcome::Target::failed : Outcome::Target::fine;
  if (status == 429 || status == 503) {
    const std::string* const header = http::find_header(answer.headers, "Retry-After");
    const auto after = header == nullptr ? std::nullopt : read_retry_after(*header, now);
    if (after) return with_target(Outcome::postpone(*after, words(status)), target);
    return with_target(Outcome::retry(words(status)), target);
  }
  switch (rule(status)) {
    case StatusRule::done:
      return Outcome::done();
    case StatusRule::dead:
      return with_target(Outcome::dead("status_" + std::to_string(status), words(status)), target);
    case StatusRule::retry:
      break;
  }
  return with_target(Outcome::retry(words(status)), target);
}

Outcome PushJudge::unanswered(const http::ClientError& error) const {
  if (error.kind == http::ClientError::Kind::not_sent) {
    return with_target(Outcome::postpone(kUnreachablePause, error.text), Outcome::Target::unreachable);
  }
  return with_target(Outcome::retry(error.text + " and have been handled; it is sent again"),
                     Outcome::Target::failed);
}

Outcome PushJudge::done(const http::ClientResponse& answer) const {
  Outcome outcome = Outcome::done();
  if (!webhook_reply_) return outcome;
  const std::string* const encoding = http::find_header(answer.headers, "Content-Encoding");
  if (encoding != nullptr && *encoding != "identity") return outcome;
  const std::string* const type = http::find_header(answer.headers, "Content-Type");
  WebhookReply reply = read_webhook_reply(type == nullptr ? std::string_view() : *type, answer.body);
  if (reply.call) outcome.calls.push_back(std::move(*reply.call));
  if (reply.lost) {
    log_.warning("webhook_reply_refused", {{"receiver", place_}, {"why", reply.ignored}});
  } else if (!reply.ignored.empty()) {
    log_.debug("webhook_reply_ignored", {{"receiver", place_}, {"why", reply.ignored}});
  }
  return outcome;
}

StatusRule PushJudge::rule(int status) const {
  if (const auto exact = rules_.find(status); exact != rules_.end()) return exact->second;
  if (const auto in_class = rules_.find(status / 100); in_class != rules_.end()) return in_class->second;
  return StatusRule::retry;
}

std::string PushJudge::words(int status) const {
  std::string text = "the receiver at " + place_ + " answered " + std::to_string(status);
  if (status / 100 == 3) text += ": redirects are not followed, set the URL it points to";
  if (status == 401 || status == 403) text += ": does it expect another secret?";
  if (status == 404) text += ": is the path of the URL right?";
  if (status == 405) text += ": the path takes no POST";
  if (status == 413) text += ": it must take bodies of 1 MiB";
  return text;
}

}  // namespace tgkeep::sink
