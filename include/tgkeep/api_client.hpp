#pragma once
// The Bot API client, for programs that put the parts together themselves.

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>
#include <tgkeep/api.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/id.hpp>
#include <type_traits>

namespace tgkeep {

/// Where a bot's API is.
class ApiOptions {
 public:
  explicit ApiOptions(std::string token) : token(std::move(token)) {}
  std::string token;                              ///< from @BotFather; never logged
  std::string root = "https://api.telegram.org";  ///< without a slash at the end
  bool test_environment = false;                  ///< Telegram's test servers
};

/// A client with connections of its own, on `loop`; used on its thread. bad_config when the token has not the
/// shape of one. Destroy it when no call runs.
Result<std::unique_ptr<Api>> make_api(const asio::any_io_executor& loop, ApiOptions options);

/// The bot a token belongs to: its user id. bad_config as `make_api`.
Result<BotId> bot_of(const ApiOptions& options);

static_assert(!std::is_aggregate_v<ApiOptions>);

}  // namespace tgkeep
