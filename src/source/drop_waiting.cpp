#include "source/drop_waiting.hpp"

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "source/poll_request.hpp"

namespace tgkeep::source {

namespace {

namespace json = boost::json;

constexpr Duration kQuickCall = std::chrono::seconds(15);

/// The update_id of the only update of an answer; nothing when there is none.
std::optional<std::int64_t> only_id(const std::string& answer) {
  boost::system::error_code wrong;
  const json::value value = json::parse(answer, wrong);
  const json::array* const updates = wrong ? nullptr : value.if_array();
  if (updates == nullptr || updates->empty()) return std::nullopt;
  const json::object* const update = updates->front().if_object();
  const json::value* const id = update == nullptr ? nullptr : update->if_contains("update_id");
  if (id == nullptr || !id->is_int64()) return std::nullopt;
  return id->get_int64();
}

}  // namespace

asio::awaitable<Result<void>> drop_waiting(Api& api) {
  // A negative offset deletes all but the last; that one is confirmed.
  ApiRequest last("getUpdates", R"({"offset":-1,"limit":1,"timeout":0})", kQuickCall);
  last.repeatable = true;
  const ApiResult left = co_await api.call(std::move(last));
  if (!left) co_return Error(Errc::network, left.error().text());
  const std::optional<std::int64_t> id = only_id(*left);
  if (!id) co_return Result<void>();
  ApiRequest rest = confirm_updates(*id + 1);
  const ApiResult confirmed = co_await api.call(std::move(rest));
  if (!confirmed) co_return Error(Errc::network, confirmed.error().text());
  co_return Result<void>();
}

}  // namespace tgkeep::source
