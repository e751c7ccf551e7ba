#include "sink/api_sink.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <utility>

#include "rules/retry.hpp"

namespace tgkeep::sink {

namespace {

// Longer than the server's own retries of a short flood wait (8 s): a client that gives up earlier makes
// duplicates.
constexpr Duration kTimeout = std::chrono::seconds(60);
constexpr Duration kFirstDelay = std::chrono::seconds(1);
constexpr Duration kMaxDelay = std::chrono::seconds(30);

class ApiSink final : public Sink {
 public:
  ApiSink(Clock& clock, ApiOf api_of, Log log)
      : clock_(clock), api_of_(std::move(api_of)), log_(std::move(log)) {}

  asio::awaitable<Outcome> deliver(std::shared_ptr<const Delivery> delivery) override {
    const Item& item = delivery->item;
    Api* const api = api_of_(item.bot);
    if (api == nullptr) {
      co_return Outcome::dead("no_bot", "no token is configured for bot " + std::to_string(item.bot.value()));
    }
    ApiRequest request(item.kind, item.body, kTimeout);
    std::optional<ApiError> error;
    try {
      const ApiResult answer = co_await api->call(std::move(request));
      if (!answer) error = answer.error();
    } catch (const std::exception& failure) {
      // Cancelled on its way: it may have left.
      error = ApiError(ApiError::Kind::maybe_sent, failure.what());
    }
    if (error) co_return judge(item, *error);
    outages_.erase(item.bot);
    co_return Outcome::done();
  }

 private:
  Outcome judge(const Item& item, const ApiError& error) {
    const std::string text = item.kind + ": " + error.description;
    if (error.kind == ApiError::Kind::not_sent) return Outcome::postpone(outage_delay(item.bot), text);
    if (error.kind == ApiError::Kind::maybe_sent) {
      log_.warning("call_in_doubt",
                   {{"method", item.kind}, {"seq", item.seq.value()}, {"error", error.description}});
      Outcome doubt = Outcome::doubt(text);
      doubt.after = outage_delay(item.bot);
      return doubt;
    }
    outages_.erase(item.bot);
    // Refused, so without effect: these pass by themselves.
    if (error.code == 429)
      return Outcome::postpone(error.retry_after.value_or(std::chrono::seconds(3)), text);
    if (error.code == 401 || error.code == 404) return unauthorized(error, text);
    return Outcome::dead("refused", text);
  }

  // A revoked or mistyped token refuses every call of the bot: keep them for the token that comes. 404 is
  // also how an unknown method is refused; only that one says so.
  static Outcome unauthorized(const ApiError& error, const std::string& text) {
    if (error.description.find("method not found") != std::string::npos)
      return Outcome::dead("refused", text);
    return Outcome::postpone(kMaxDelay, text);
  }

  // One outage of a bot, however many calls meet it: the delay doubles once per round, not once per call.
  Duration outage_delay(BotId bot) {
    Outage& outage = outages_[bot];
    const MonoTime now = clock_.mono();
    if (now >= outage.until) {
      ++outage.rounds;
      outage.until = now + rules::backoff(kFirstDelay, kMaxDelay, outage.rounds, 0.0);
    }
    return outage.until - now;
  }

  struct Outage {
    std::uint32_t rounds = 0;
    MonoTime until{};
  };

  Clock& clock_;
  ApiOf api_of_;
  Log log_;
  std::map<BotId, Outage> outages_;
};

}  // namespace

std::unique_ptr<Sink> make_api_sink(Clock& clock, ApiOf api_of, Log log) {
  return std::make_unique<ApiSink>(clock, std::move(api_of), std::move(log));
}

}  // namespace tgkeep::sink
