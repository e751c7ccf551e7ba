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
  client.timeouts = std::move(options.timeouts);
  return client;
}

http::ClientOptions connecting(const ApiOptions& options) {
  http::ClientOptions client;
  client.http2 = options.http2;
  client.proxy = options.proxy;
  client.ca_file = options.ca_file;
  client.max_connections = options.max_connections;
  client.max_connections_per_host = options.max_connections;
  return client;
}

class OwnApi final : public ApiClient {
 public:
  OwnApi(const asio::any_io_executor& loop, http::ClientOptions connecting,
         telegram::ApiClientOptions options)
      : client_(loop, std::move(connecting)), api_(telegram::make_api_client(client_, std::move(options))) {}
  asio::awaitable<ApiResult> call(ApiRequest request) override { return api_->call(std::move(request)); }
  asio::awaitable<DownloadResult> download(std::string file_path, DownloadTaker taker) override {
    return api_->download(std::move(file_path), std::move(taker));
  }
  asio::awaitable<DownloadResult> download_to(std::string file_path, std::string path) override {
    return api_->download_to(std::move(file_path), std::move(path));
  }

 private:
  http::Client client_;
  std::unique_ptr<ApiClient> api_;
};

}  // namespace

Result<std::unique_ptr<ApiClient>> make_api(const asio::any_io_executor& loop, ApiOptions options) {
  http::ClientOptions way = connecting(options);
  auto client = read(std::move(options));
  if (!client) return client.error();
  return std::unique_ptr<ApiClient>(std::make_unique<OwnApi>(loop, std::move(way), std::move(*client)));
}

Result<BotId> bot_of(const ApiOptions& options) {
  const auto token = telegram::Token::parse(options.token);
  if (!token) return token.error();
  return token->bot(options.test_environment);
}

}  // namespace tgkeep
