#include <exception>
#include <optional>
#include <tgkeep/api_sink.hpp>
#include <utility>

#include "rules/mutant.hpp"
#include "words/exception_text.hpp"

namespace tgkeep::sink {

namespace {

// Longer than the server's own retries of a short flood wait (8 s): a client that gives up earlier makes
// duplicates.
constexpr Duration kTimeout = std::chrono::seconds(60);
constexpr std::chrono::seconds kFloodWait{3};  // for a 429 that names no time

class ApiSink final : public Sink {
 public:
  ApiSink(ApiOf api_of, Log log) : api_of_(std::move(api_of)), log_(std::move(log)) {}

  asio::awaitable<Outcome> deliver(std::shared_ptr<const Delivery> delivery) override {
    const Item& item = delivery->item;
    Api* const api = api_of_(item.bot);
    if (api == nullptr) {
      co_return Outcome::dead("no_bot", "no token is configured for bot " + std::to_string(item.bot.value()));
    }
    ApiRequest request(item.kind, item.body, kTimeout);
    request.from_outbox = true;
    std::optional<ApiError> error;
    try {
      if (rules::mutant("call_sent_twice")) co_await api->call(request);
      const ApiResult answer = co_await api->call(std::move(request));
      if (!answer) error = answer.error();
    } catch (...) {
      // Cancelled on its way, or thrown by a transformer: it may have left.
      error = ApiError(ApiError::Kind::maybe_sent, words::text_of(std::current_exception()));
    }
    if (error) co_return judge(item, *error);
    co_return Outcome::done();
  }

 private:
  Outcome judge(const Item& item, const ApiError& error) const {
    const std::string text = item.kind + ": " + error.description;
    switch (error.kind) {
      case ApiError::Kind::not_sent:
        return not_sent(text);
      case ApiError::Kind::maybe_sent:
        return maybe_sent(item, error, text);
      case ApiError::Kind::refused:
        break;
    }
    // Refused, so without effect. The first two pass by themselves.
    if (error.code == 429) return Outcome::postpone(error.retry_after.value_or(kFloodWait), text);
    if (error.code == 401 || error.code == 404) return unauthorized(error, text);
    return Outcome::dead("refused", text);
  }

  static Outcome not_sent(const std::string& text) {
    Outcome outcome = Outcome::postpone(Duration::zero(), text);
    outcome.target = Outcome::Target::unreachable;
    return outcome;
  }

  Outcome maybe_sent(const Item& item, const ApiError& error, const std::string& text) const {
    log_.warning("call_in_doubt",
                 {{"method", item.kind}, {"seq", item.seq.value()}, {"error", error.description}});
    Outcome outcome = Outcome::doubt(text);
    outcome.after = error.retry_after;
    outcome.target = Outcome::Target::failed;
    return outcome;
  }

  // A revoked or mistyped token refuses every call of the bot: keep them for the token that comes, and ask
  // with one at a time. 404 is also how an unknown method is refused; only that one says so.
  static Outcome unauthorized(const ApiError& error, const std::string& text) {
    if (error.description.find("method not found") != std::string::npos) {
      return Outcome::dead("refused", text);
    }
    return not_sent(text);
  }

  ApiOf api_of_;
  Log log_;
};

}  // namespace

std::unique_ptr<Sink> make_api_sink(ApiOf api_of, Log log) {
  return std::make_unique<ApiSink>(std::move(api_of), std::move(log));
}

}  // namespace tgkeep::sink
