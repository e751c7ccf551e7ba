#include "prove/sim_api.hpp"

#include <boost/system/system_error.hpp>

#include "loop/event.hpp"
#include "prove/sim_telegram.hpp"

namespace tgkeep::prove {

using std::chrono::milliseconds;

asio::awaitable<ApiResult> SimApi::call(ApiRequest request) {
  ApiResult result = ApiError(ApiError::Kind::maybe_sent, "cancelled");
  bool cancelled = false;
  if (request.from_outbox && !life_->killed) scene_.checker.call_began();
  try {
    result = co_await send(request);
  } catch (const boost::system::system_error&) {
    cancelled = true;
  }
  if (cancelled || life_->killed) result = ApiError(ApiError::Kind::maybe_sent, "cancelled");
  co_return result;
}

asio::awaitable<ApiResult> SimApi::send(const ApiRequest& request) {
  const Duration on_its_way = scene_.dice.between(milliseconds(1), milliseconds(60));
  co_await loop::sleep_for(scene_.clock, on_its_way);
  const bool is_poll = request.method == "getUpdates";
  if (life_->killed || (is_poll && scene_.strikes(SimFault::poll_request_lost, 0.02)))
    co_return ApiError(ApiError::Kind::not_sent, "connection refused");
  ApiResult result = co_await telegram_.serve(request, life_);
  co_return result;
}

}  // namespace tgkeep::prove
