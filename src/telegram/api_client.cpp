#include "telegram/api_client.hpp"

#include <algorithm>
#include <optional>
#include <random>

#include "telegram/api_answer.hpp"
#include "telegram/multipart.hpp"

namespace tgkeep::telegram {

namespace {

bool is_method_name(std::string_view name) noexcept {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), is_letter);
}

// It can't be sent as it is, now or later: the same as a refusal by the server, which would answer 400.
ApiError unsendable(std::string why) {
  ApiError error(ApiError::Kind::refused, std::move(why));
  error.code = 400;
  return error;
}

class ApiClient final : public Api {
 public:
  ApiClient(http::Client& client, ApiClientOptions options)
      : client_(&client), token_(options.token.text()), base_(std::move(options.root)) {
    while (base_.ends_with('/')) base_.pop_back();
    base_ += "/bot" + token_ + (options.test_environment ? "/test/" : "/");
  }

  asio::awaitable<ApiResult> call(ApiRequest request) override {
    const std::string method = request.method;
    const std::string params = request.params;
    ApiResult result = co_await send(std::move(request));
    if (result) co_return result;
    ApiError error = result.error();
    error.method = method;
    error.params = params;
    co_return error;
  }

 private:
  asio::awaitable<ApiResult> send(ApiRequest request) {
    if (!is_method_name(request.method)) {
      ApiResult refused = unsendable("a method's name has only letters, digits and _");
      co_return refused;
    }
    http::ClientRequest post("POST", base_ + request.method);
    std::optional<ApiError> bad = write(request, post);
    if (bad) co_return *bad;
    post.timeout = request.timeout;
    post.repeatable = request.repeatable;
    http::ClientResult answer = co_await client_->send(std::move(post));
    ApiResult result = sort(std::move(answer));
    co_return result;
  }

  static std::optional<ApiError> write(ApiRequest& request, http::ClientRequest& post) {
    if (request.files.empty()) {
      post.headers.emplace_back("Content-Type", "application/json");
      post.body = request.params.empty() ? "{}" : std::move(request.params);
      return std::nullopt;
    }
    auto parts = make_multipart(request.params, request.files, std::random_device()());
    if (!parts) return unsendable(parts.error().text());
    post.headers.emplace_back("Content-Type", std::move(parts->content_type));
    post.body = std::move(parts->body);
    return std::nullopt;
  }

  ApiResult sort(http::ClientResult answer) const {
    if (!answer) {
      const bool sent = answer.error().kind == http::ClientError::Kind::maybe_sent;
      return ApiError(sent ? ApiError::Kind::maybe_sent : ApiError::Kind::not_sent, answer.error().text);
    }
    const std::string* retry_after = http::find_header(answer->headers, "Retry-After");
    ApiResult result = sort_answer(answer->status, std::move(answer->body), retry_after);
    if (result) return result;
    ApiError error = result.error();
    hide_token(error.description);
    return error;
  }

  // A proxy may put the path it was asked for into its words.
  void hide_token(std::string& text) const {
    for (std::size_t at = text.find(token_); at != text.npos; at = text.find(token_)) {
      text.replace(at, token_.size(), "<token>");
    }
  }

  http::Client* client_;
  std::string token_;
  std::string base_;
};

}  // namespace

std::unique_ptr<Api> make_api_client(http::Client& client, ApiClientOptions options) {
  return std::make_unique<ApiClient>(client, std::move(options));
}

}  // namespace tgkeep::telegram
