#include <tgkeep/api_client.hpp>
#include <utility>

#include "http/client.hpp"
#include "telegram/api_client.hpp"

namespace tgkeep {

namespace {

Result<telegram::ApiClientOptions> read(ApiOptions options) {
  auto token = telegram::Token::parse(options.token);
  if (!token) return token.error();
  telegram::ApiClientOptions client(std::move(*token));
  client.root = std::move(options.root);
  client.test_environment = options.test_environment;
  return client;
}

class OwnApi final : public Api {
 public:
  OwnApi(const asio::any_io_executor& loop, telegram::ApiClientOptions options)
      : client_(loop), api_(telegram::make_api_client(client_, std::move(options))) {}
  asio::awaitable<ApiResult> call(ApiRequest request) override { return api_->call(std::move(request)); }

 private:
  http::Client client_;
  std::unique_ptr<Api> api_;
};

}  // namespace

Result<std::unique_ptr<Api>> make_api(const asio::any_io_executor& loop, ApiOptions options) {
  auto client = read(std::move(options));
  if (!client) return client.error();
  return std::unique_ptr<Api>(std::make_unique<OwnApi>(loop, std::move(*client)));
}

Result<BotId> bot_of(const ApiOptions& options) {
  const auto token = telegram::Token::parse(options.token);
  if (!token) return token.error();
  return token->bot(options.test_environment);
}

}  // namespace tgkeep
