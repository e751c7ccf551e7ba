#include "face/attempt.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "face/reply.hpp"
#include "telegram/api_answer.hpp"

namespace tgkeep::face {

namespace {

using Outcome = Attempt::Outcome;

/// Gives what was read first, then the rest as it comes.
class RestOfAnswer {
 public:
  RestOfAnswer(std::string beginning, std::shared_ptr<http::AnswerStream> rest)
      : beginning_(std::move(beginning)), rest_(std::move(rest)) {}
  asio::awaitable<std::string> next() {
    if (!beginning_.empty()) co_return std::exchange(beginning_, {});
    http::PieceResult piece = co_await rest_->read();
    if (!piece) throw std::runtime_error(piece.error().text);
    co_return *std::move(piece);
  }

 private:
  std::string beginning_;
  std::shared_ptr<http::AnswerStream> rest_;
};

bool is_good(int status) noexcept {
  return status >= 200 && status < 300;
}

void broke(Attempt& attempt, const http::ClientError& error, bool late) {
  const bool sent = error.kind == http::ClientError::Kind::maybe_sent;
  attempt.outcome = sent ? Outcome::maybe_sent : Outcome::not_sent;
  attempt.code = sent && late ? 504 : 502;
  attempt.description = error.text;
}

/// A whole answer.
void judge(Attempt& attempt, http::ClientResponse& response) {
  const int status = response.status;
  const std::optional<telegram::Envelope> envelope = telegram::read_envelope(response.body);
  const std::string* const retry_header = http::find_header(response.headers, "Retry-After");
  attempt.reply.status = status;
  if (envelope && envelope->ok && envelope->result && is_good(status)) {
    attempt.outcome = Outcome::passed;
    attempt.reply.body = std::move(response.body);
    return;
  }
  ApiResult sorted = telegram::sort_answer(status, response.body, retry_header);
  // Good only in parts: a result with a status that is none of a result.
  const ApiError error =
      sorted ? ApiError(ApiError::Kind::maybe_sent, "HTTP " + std::to_string(status) + " with a result")
             : std::move(sorted).error();
  attempt.code = error.code == 0 ? status : error.code;
  attempt.description = error.description;
  attempt.retry_after =
      std::max(error.retry_after.value_or(std::chrono::seconds(1)), std::chrono::seconds(1));
  if (error.kind != ApiError::Kind::refused) {
    attempt.outcome = Outcome::maybe_sent;
    if (attempt.code < 500 || attempt.code > 599) attempt.code = 502;
    return;
  }
  attempt.outcome = attempt.code == 429 ? Outcome::flooded : Outcome::refused;
  if (envelope) {
    attempt.reply.body = std::move(response.body);
    if (retry_header != nullptr) attempt.reply.headers.emplace_back("Retry-After", *retry_header);
  } else {
    std::optional<std::chrono::seconds> wait;
    if (attempt.outcome == Outcome::flooded) wait = attempt.retry_after;
    attempt.reply = refusal(attempt.code, attempt.description, wait);
  }
}

}  // namespace

http::ReplyStream stream_of(std::string beginning, std::shared_ptr<http::AnswerStream> rest) {
  auto answer = std::make_shared<RestOfAnswer>(std::move(beginning), std::move(rest));
  return [answer] { return answer->next(); };
}

asio::awaitable<Attempt> try_once(Clock& clock, http::Client& client, http::ClientRequest request) {
  Attempt attempt;
  const MonoTime late = clock.mono() + request.timeout;
  http::ClientResult opened = co_await client.open(std::move(request));
  if (!opened) {
    broke(attempt, opened.error(), clock.mono() >= late);
    co_return attempt;
  }
  http::ClientResponse response = *std::move(opened);
  const std::string* const type = http::find_header(response.headers, "Content-Type");
  if (type != nullptr) attempt.reply.content_type = *type;
  bool whole = !response.stream;
  while (!whole && response.body.size() <= kSmallAnswer) {
    http::PieceResult piece = co_await response.stream->read();
    if (!piece) {
      broke(attempt, piece.error(), clock.mono() >= late);
      co_return attempt;
    }
    whole = piece->empty();
    response.body += *piece;
  }
  if (whole) {
    judge(attempt, response);
    co_return attempt;
  }
  attempt.reply.status = response.status;
  if (is_good(response.status)) {
    attempt.outcome = Outcome::passed;
    const std::string* const length = http::find_header(response.headers, "Content-Length");
    if (length != nullptr) attempt.reply.headers.emplace_back("Content-Length", *length);
    attempt.reply.stream = stream_of(std::move(response.body), std::move(response.stream));
  } else {
    attempt.outcome = Outcome::maybe_sent;
    attempt.code = 502;
    attempt.description = "HTTP " + std::to_string(response.status) + " and no Bot API answer (a long text)";
  }
  co_return attempt;
}

}  // namespace tgkeep::face
