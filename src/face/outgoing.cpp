#include "face/outgoing.hpp"

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <random>
#include <utility>

#include "face/attempt.hpp"
#include "face/call_plan.hpp"
#include "face/call_turns.hpp"
#include "face/file_passage.hpp"
#include "face/reply.hpp"
#include "face/upload.hpp"
#include "rules/flood_spread.hpp"
#include "rules/line_limit.hpp"
#include "rules/mutant.hpp"
#include "rules/retry.hpp"
#include "telegram/api_client.hpp"

namespace tgkeep::face {

namespace {

using Outcome = Attempt::Outcome;

constexpr Duration kFirstPause = std::chrono::milliseconds(100);
constexpr Duration kLongestPause = std::chrono::seconds(3);
// Of a call that may be repeated, after its first try.
constexpr int kResends = 2;
// Flood waits of hours are for methods that are hardly called; what waits is given up long before.
constexpr std::chrono::seconds kLongestFlood = std::chrono::hours(24);

constexpr const char* kCutOff = "tgkeep stops or changes the bot, and did not wait longer for Telegram";

// Of a call that is told to come again.
constexpr std::chrono::seconds kLeastWait(1);

/// Time is up for it, and its bot is there to be told so.
bool is_cut_off(const Call& call) {
  return http::is_broken_off(call.request.open);
}

std::string_view name_of(Outcome outcome) noexcept {
  if (outcome == Outcome::not_sent) return "not_sent";
  return outcome == Outcome::maybe_sent ? "maybe_sent" : "refused";
}

class TelegramCalls final : public Outgoing {
 public:
  TelegramCalls(Clock& clock, http::Client& client, OutgoingOptions options, Log log)
      : clock_(clock),
        client_(client),
        options_(std::move(options)),
        log_(std::move(log)),
        turns_(clock, limits_of(options_)),
        files_(clock, client) {}

  asio::awaitable<http::ServerReply> pass(Call call) override;
  asio::awaitable<http::ServerReply> download(FacePath path, http::ServerRequest request) override;
  OutgoingStats stats() const override;

 private:
  static rules::CallLimits limits_of(const OutgoingOptions& options) {
    rules::CallLimits limits;
    limits.waiting = options.max_waiting;
    limits.bulk_rate = options.bulk_rate;
    return limits;
  }
  asio::awaitable<http::ServerReply> carry(Call call, CallPlan plan);
  asio::awaitable<Attempt> send(const Call& call, std::shared_ptr<Upload> upload);
  static asio::awaitable<bool> turn(const Call& call, CallTurns::Place& place);
  static bool may_go_again(const CallPlan& plan, const Attempt& attempt, int doubts);
  /// Nothing: it would be later than the call may wait.
  std::optional<MonoTime> next_try(const CallPlan& plan, const Attempt& attempt, int tries);
  void note_flood(const CallPlan& plan, const Attempt& attempt);
  http::ServerReply held_back(const CallPlan& plan, std::chrono::seconds least);
  http::ServerReply end(const CallPlan& plan, Attempt attempt, bool doubted);
  http::ServerReply tell(Outcome outcome, http::ServerReply reply);
  Duration pause_after(int tries);

  Clock& clock_;
  http::Client& client_;
  OutgoingOptions options_;
  Log log_;
  CallTurns turns_;
  FilePassage files_;
  rules::FloodSpread spread_;
  rules::LineLimit lines_told_;
  std::mt19937 dice_{std::random_device{}()};
  OutgoingStats stats_;
};

Duration TelegramCalls::pause_after(int tries) {
  const double dice = std::uniform_real_distribution<double>(0, 1)(dice_);
  return rules::backoff(kFirstPause, kLongestPause, static_cast<std::uint32_t>(tries), dice);
}

/// Throws when the bot has hung up meanwhile. Broken off it ends at once, as maybe_sent or not_sent.
asio::awaitable<Attempt> TelegramCalls::send(const Call& call, std::shared_ptr<Upload> upload) {
  http::ClientRequest request = request_of(call, options_);
  request.body = call.body;
  if (upload) {
    request.rest = source_of(upload);
    request.length = call.request.stream->length();
  }
  Attempt attempt;
  attempt.outcome = Outcome::maybe_sent;
  attempt.code = 502;
  try {
    Attempt made = co_await try_once(clock_, client_, std::move(request));
    attempt = std::move(made);
  } catch (const boost::system::system_error&) {
    // In the middle of an answer.
    if (!is_cut_off(call)) throw;
  }
  const auto state = co_await asio::this_coro::cancellation_state;
  const bool unanswered = attempt.outcome == Outcome::maybe_sent || attempt.outcome == Outcome::not_sent;
  const bool broken = unanswered && upload && upload->broken();
  const bool cancelled = state.cancelled() != asio::cancellation_type::none;
  const bool hung_up = cancelled && !is_cut_off(call);
  if (broken || hung_up) throw boost::system::system_error(asio::error::operation_aborted);
  if (cancelled && unanswered) attempt.description = kCutOff;
  co_return attempt;
}

/// False when it may not wait longer, or was broken off. Throws when the bot has hung up meanwhile.
asio::awaitable<bool> TelegramCalls::turn(const Call& call, CallTurns::Place& place) {
  try {
    const bool runs = co_await place.turn();
    co_return runs && !is_cut_off(call);
  } catch (const boost::system::system_error&) {
    if (!is_cut_off(call)) throw;
  }
  co_return false;
}

asio::awaitable<http::ServerReply> TelegramCalls::pass(Call call) {
  CallPlan plan = plan_call(call);
  call.params = telegram::Params();  // what they said is in the plan; the body goes as it came
  try {
    http::ServerReply reply = co_await carry(std::move(call), std::move(plan));
    co_return reply;
  } catch (const boost::system::system_error&) {
    ++stats_.hung_up;
    throw;
  }
}

/// Throws when the bot has hung up meanwhile. Broken off, it answers at once.
asio::awaitable<http::ServerReply> TelegramCalls::carry(Call call, CallPlan plan) {
  const MonoTime arrived = clock_.mono();
  plan.ask.until = arrived + options_.max_wait;
  std::shared_ptr<Upload> upload;
  if (!call.whole) upload = std::make_shared<Upload>(call.request.stream);

  const asio::any_io_executor loop = co_await asio::this_coro::executor;
  CallTurns::Place place(turns_, loop, plan.ask);
  if (!place.admitted()) co_return held_back(plan, kLeastWait);
  std::optional<Attempt> last;
  int doubts = 0;  // tries before the last that may have taken effect
  for (int tries = 1;; ++tries) {
    const bool runs = co_await turn(call, place);
    if (!runs && !last) co_return held_back(plan, is_cut_off(call) ? kPutOff : kLeastWait);
    if (!runs) break;
    if (tries == 1) {
      stats_.waits.add(clock_.mono() - arrived);
    } else {
      ++stats_.resent;
    }
    Attempt attempt = co_await send(call, upload);
    last = std::move(attempt);
    if (last->outcome == Outcome::flooded) note_flood(plan, *last);
    const bool unsent = last->outcome == Outcome::not_sent && doubts == 0;
    if (is_cut_off(call) && unsent) co_return held_back(plan, kPutOff);
    if (is_cut_off(call)) break;
    const bool fixed = upload && upload->begun();
    if (fixed || !may_go_again(plan, *last, doubts)) break;
    const std::optional<MonoTime> again = next_try(plan, *last, tries);
    if (!again) break;
    if (last->outcome == Outcome::maybe_sent) ++doubts;
    place.again(*again);
  }
  co_return end(plan, *std::move(last), doubts > 0 && !plan.reads);
}

bool TelegramCalls::may_go_again(const CallPlan& plan, const Attempt& attempt, int doubts) {
  if (attempt.outcome == Outcome::flooded || attempt.outcome == Outcome::not_sent) return true;
  if (attempt.outcome != Outcome::maybe_sent) return false;
  return (plan.repeatable && doubts < kResends) || rules::mutant("face_resends_maybe_sent");
}

std::optional<MonoTime> TelegramCalls::next_try(const CallPlan& plan, const Attempt& attempt, int tries) {
  const MonoTime now = clock_.mono();
  MonoTime next = now + pause_after(tries);
  if (attempt.outcome == Outcome::flooded) next = now + std::min(attempt.retry_after, kLongestFlood);
  if (next > plan.ask.until) return std::nullopt;
  return next;
}

/// Whose wait it is: the chat's. Without one, of the method; of all, when chat after chat is told to wait.
void TelegramCalls::note_flood(const CallPlan& plan, const Attempt& attempt) {
  const MonoTime now = clock_.mono();
  const Duration wait = std::min(attempt.retry_after, kLongestFlood);
  std::optional<Duration> all;
  if (plan.ask.in_order) all = spread_.flooded(plan.ask.line, wait, now);
  if (all) turns_.hold_all(now + *all);
  turns_.hold(plan.ask.line, now + wait);
  if (const auto kept_back = lines_told_.ask(now)) {
    log_.info("flood_wait", {{"of", plan.ask.line},
                             {"method", plan.method},
                             {"seconds", attempt.retry_after.count()},
                             {"all_chats", all ? "yes" : "no"},
                             {"lines_kept_back", *kept_back}});
  }
}

http::ServerReply TelegramCalls::tell(Outcome outcome, http::ServerReply reply) {
  reply.headers.emplace_back(kOutcomeHeader, name_of(outcome));
  return reply;
}

http::ServerReply TelegramCalls::held_back(const CallPlan& plan, std::chrono::seconds least) {
  ++stats_.held_back;
  const Duration wait = turns_.lines().wait_of(plan.ask, clock_.mono());
  const std::chrono::seconds seconds = std::max(std::chrono::ceil<std::chrono::seconds>(wait), least);
  http::ServerReply reply =
      refusal(429, "Too Many Requests: retry after " + std::to_string(seconds.count()), seconds);
  return tell(Outcome::not_sent, std::move(reply));
}

http::ServerReply TelegramCalls::end(const CallPlan& plan, Attempt attempt, bool doubted) {
  telegram::hide_token(attempt.description, options_.token);
  if (attempt.outcome == Outcome::passed) {
    if (plan.ask.in_order) spread_.passed();
    ++stats_.passed;
    return std::move(attempt.reply);
  }
  if (attempt.outcome == Outcome::not_sent && !doubted) {
    ++stats_.not_sent;
    return tell(Outcome::not_sent, refusal(502, "Bad Gateway: not sent: " + attempt.description));
  }
  if (attempt.outcome != Outcome::maybe_sent && !doubted) {
    ++stats_.refused;
    return tell(Outcome::refused, std::move(attempt.reply));
  }
  ++stats_.maybe_sent;
  if (const auto kept_back = lines_told_.ask(clock_.mono())) {
    log_.warning("call_maybe_sent",
                 {{"method", plan.method}, {"why", attempt.description}, {"lines_kept_back", *kept_back}});
  }
  std::string words = attempt.code == 504 ? "Gateway Timeout" : "Bad Gateway";
  words += ": the call may have been sent: " + attempt.description;
  std::optional<std::chrono::seconds> wait;
  if (attempt.outcome == Outcome::flooded || attempt.outcome == Outcome::refused) {
    words = attempt.description + "; the call may have been sent: an earlier try of it got no answer";
    if (attempt.outcome == Outcome::flooded) wait = attempt.retry_after;
  }
  return tell(Outcome::maybe_sent, refusal(attempt.code, words, wait));
}

asio::awaitable<http::ServerReply> TelegramCalls::download(FacePath path, http::ServerRequest request) {
  std::string root = options_.api_root + "/file/bot" + options_.token + "/";
  if (options_.test_environment || path.test) root += "test/";
  http::ServerReply reply = co_await files_.pass(std::move(root), std::move(path), std::move(request));
  co_return reply;
}

OutgoingStats TelegramCalls::stats() const {
  OutgoingStats all = stats_;
  all.waiting = turns_.lines().waiting();
  all.running = turns_.lines().running();
  all.flooded = turns_.lines().held();
  return all;
}

}  // namespace

std::unique_ptr<Outgoing> make_outgoing(Clock& clock, http::Client& client, OutgoingOptions options,
                                        Log log) {
  return std::make_unique<TelegramCalls>(clock, client, std::move(options), std::move(log));
}

}  // namespace tgkeep::face
