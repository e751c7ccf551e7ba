#include <cstddef>
#include <memory>
#include <tgkeep/transformer.hpp>
#include <utility>

namespace tgkeep {

asio::awaitable<ApiResult> ApiNext::operator()(ApiRequest request) const {
  return function_(std::move(request));
}

namespace {

class TransformedApi final : public Api {
 public:
  TransformedApi(Api& api, Clock& clock, std::vector<ApiTransformer> transformers)
      : api_(&api), clock_(&clock), transformers_(std::move(transformers)) {
    for (const ApiTransformer& transformer : transformers_) {
      if (!transformer) throw Failure(Error(Errc::misuse, "a transformer of API calls is an empty function"));
    }
  }

  asio::awaitable<ApiResult> call(ApiRequest request) override {
    return from(transformers_.size(), std::move(request));
  }

 private:
  /// Through the first `count` transformers, from the last of them inwards. No coroutine of its own: what it
  /// hands out refers to this object only, never to a closure that ends before the call.
  asio::awaitable<ApiResult> from(std::size_t count, ApiRequest request) {
    if (count == 0) return api_->call(std::move(request));
    auto inwards = [this, count](ApiRequest changed) { return from(count - 1, std::move(changed)); };
    return transformers_[count - 1](ApiNext(std::move(inwards), *clock_), std::move(request));
  }

  Api* api_;
  Clock* clock_;
  const std::vector<ApiTransformer> transformers_;  // in place for as long as a call of theirs runs
};

}  // namespace

std::unique_ptr<Api> make_transformed_api(Api& api, Clock& clock, std::vector<ApiTransformer> transformers) {
  return std::make_unique<TransformedApi>(api, clock, std::move(transformers));
}

}  // namespace tgkeep
