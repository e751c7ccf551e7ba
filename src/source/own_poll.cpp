#include <boost/asio/this_coro.hpp>
#include <tgkeep/api_client.hpp>
#include <tgkeep/poll_supplier.hpp>
#include <utility>

namespace tgkeep::source {

namespace {

/// Clock and client are of the loop that asks first.
class OwnPoll {
 public:
  OwnPoll(ApiOptions api, LongPollOptions options, Log log)
      : api_options_(std::move(api)), options_(std::move(options)), log_(std::move(log)) {}

  asio::awaitable<std::optional<std::vector<Update>>> supply(std::size_t limit) {
    const asio::any_io_executor loop = co_await asio::this_coro::executor;
    if (!poll_) open(loop);
    co_return co_await poll_(limit);
  }

 private:
  void open(const asio::any_io_executor& loop) {
    clock_ = make_real_clock(loop);
    api_ = make_api(loop, api_options_).value();
    poll_ = make_poll_supplier(*clock_, *api_, options_, log_);
  }

  const ApiOptions api_options_;
  const LongPollOptions options_;
  const Log log_;
  std::unique_ptr<Clock> clock_;
  std::unique_ptr<Api> api_;
  UpdateSupplier poll_;
};

}  // namespace

Result<UpdateSupplier> make_poll_supplier(ApiOptions api, Log log, LongPollOptions options) {
  const Result<BotId> bot = bot_of(api);
  if (!bot) return bot.error();
  options.bot = *bot;
  auto poll = std::make_shared<OwnPoll>(std::move(api), std::move(options), std::move(log));
  return UpdateSupplier([poll = std::move(poll)](std::size_t limit) { return poll->supply(limit); });
}

}  // namespace tgkeep::source
