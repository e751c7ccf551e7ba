#include "sink/handler_run.hpp"

#include <iterator>
#include <tgkeep/store_browser.hpp>
#include <utility>

namespace tgkeep::sink {

namespace {

/// A call on the loop.
class CallJob {
 public:
  CallJob(HandlerServices services, std::vector<ApiTransformer> transformers, ApiRequest request)
      : services_(services), transformers_(std::move(transformers)), request_(std::move(request)) {}
  asio::awaitable<ApiResult> operator()() {
    if (transformers_.empty()) return services_.api->call(std::move(request_));
    line_ = make_transformed_api(*services_.api, *services_.clock, std::move(transformers_));
    return line_->call(std::move(request_));
  }

 private:
  HandlerServices services_;
  std::vector<ApiTransformer> transformers_;
  ApiRequest request_;
  std::shared_ptr<Api> line_;
};

using StateRow = Result<std::optional<std::string>>;

/// A look at a row on the loop.
class StateJob {
 public:
  StateJob(StoreBrowser& browser, BotId bot, std::string space, std::string key)
      : browser_(&browser), bot_(bot), space_(std::move(space)), key_(std::move(key)) {}
  asio::awaitable<StateRow> operator()() { return browser_->state(bot_, std::move(space_), std::move(key_)); }

 private:
  StoreBrowser* browser_;
  BotId bot_;
  std::string space_;
  std::string key_;
};

template <class T>
void put_before(std::vector<T>& later, std::vector<T>& earlier) {
  if (earlier.empty()) return;
  earlier.insert(earlier.end(), std::make_move_iterator(later.begin()), std::make_move_iterator(later.end()));
  later = std::move(earlier);
}

}  // namespace

HandlerRun::HandlerRun(const asio::any_io_executor& loop, const PoolContext& pool,
                       std::shared_ptr<const Handler> handler, HandlerServices services,
                       std::shared_ptr<const Delivery> delivery)
    : Turn(std::move(delivery)),
      pool(pool),
      handler(std::move(handler)),
      strand(pool->get_executor()),
      wake(loop, asio::steady_timer::time_point::max()),
      errands(loop, pool, wake),
      services_(services),
      face_(*this) {}

Api& HandlerRun::api() {
  if (services_.api == nullptr) return Turn::api();
  return face_;
}

void HandlerRun::use(ApiTransformer transformer) {
  if (services_.api == nullptr) Turn::use(std::move(transformer));
  transformers_.push_back(std::move(transformer));
}

asio::awaitable<ApiResult> HandlerRun::Face::call(ApiRequest request) {
  const auto run = run_.shared_from_this();
  const std::string method = request.method;
  const std::string params = request.params;
  std::function<asio::awaitable<ApiResult>()> job =
      CallJob(run->services_, run->transformers_, std::move(request));
  auto errands = run->shared_errands();
  std::optional<ApiResult> answer = co_await run_errand<ApiResult>(std::move(errands), std::move(job));
  if (answer) co_return std::move(*answer);
  ApiError error(ApiError::Kind::not_sent, "the call was not made: the delivery had ended or was cancelled");
  error.method = method;
  error.params = params;
  co_return ApiResult(std::move(error));
}

asio::awaitable<StateRow> HandlerRun::read_state(std::string space, std::string key) {
  if (services_.store == nullptr) {
    StateRow refused = co_await Turn::read_state(std::move(space), std::move(key));
    co_return refused;
  }
  const auto run = shared_from_this();
  StoreBrowser* const browser = services_.store->browser();
  if (browser == nullptr) {
    co_return Error(Errc::misuse, "this store can't be searched, so handlers can't read state from it");
  }
  std::function<asio::awaitable<StateRow>()> job =
      StateJob(*browser, delivery->item.bot, std::move(space), std::move(key));
  auto errands = shared_errands();
  std::optional<StateRow> row = co_await run_errand<StateRow>(std::move(errands), std::move(job));
  if (row) co_return std::move(*row);
  co_return Error(Errc::cancelled, "state was not read: the delivery had ended or was cancelled");
}

void HandlerRun::finish(const std::exception_ptr& thrown, Outcome ended) {
  // They may hold the Context, and that holds this.
  transformers_.clear();
  failure = thrown;
  outcome = std::move(ended);
  if (outcome.kind != Outcome::Kind::done) return;
  put_before(outcome.calls, calls);
  put_before(outcome.state, state);
}

}  // namespace tgkeep::sink
