#include "telegram/api_client.hpp"

#include <algorithm>
#include <optional>
#include <random>

#include "telegram/api_answer.hpp"
#include "telegram/file_path.hpp"
#include "telegram/file_taker.hpp"
#include "telegram/multipart.hpp"
#include "telegram/multipart_source.hpp"

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

constexpr std::size_t kMaxRefusal = 64U << 10;

class HttpApi final : public ApiClient {
 public:
  HttpApi(http::Client& client, ApiClientOptions options)
      : client_(&client), token_(options.token.text()), timeouts_(std::move(options.timeouts)) {
    std::string root = std::move(options.root);
    while (root.ends_with('/')) root.pop_back();
    const std::string bot = "bot" + token_ + (options.test_environment ? "/test/" : "/");
    base_ = root + "/" + bot;
    files_ = root + "/file/" + bot;
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

  asio::awaitable<DownloadResult> download(std::string file_path, DownloadTaker taker) override {
    DownloadResult result = co_await fetch(std::move(file_path), std::move(taker));
    if (result) co_return result;
    ApiError error = result.error();
    error.method = "download";
    co_return error;
  }

  asio::awaitable<DownloadResult> download_to(std::string file_path, std::string path) override {
    FileTaker file(std::move(path));
    DownloadTaker taker = [&file](std::string piece) { return file.take(std::move(piece)); };
    std::optional<ApiError> unwritten;
    try {
      DownloadResult result = co_await download(std::move(file_path), std::move(taker));
      if (result) file.finish();
      co_return result;
    } catch (const FileTrouble& trouble) {
      unwritten = unsendable(trouble.what());
    }
    unwritten->method = "download";
    co_return *unwritten;
  }

 private:
  asio::awaitable<DownloadResult> fetch(std::string file_path, DownloadTaker taker) {
    const std::optional<std::string> path = url_path(file_path);
    if (!path) {
      co_return unsendable(
          "the file_path is not one of a download: of a server in local mode it is a path of that machine, "
          "to "
          "be read there");
    }
    http::ClientRequest get("GET", files_ + *path);
    get.timeout = timeouts_.download;
    get.repeatable = true;
    http::ClientResult head = co_await client_->open(std::move(get));
    if (!head) co_return not_answered(head.error());
    std::uint64_t size = 0;
    std::string refusal;
    for (;;) {
      http::PieceResult piece = co_await head->stream->read();
      if (!piece) co_return not_answered(piece.error());
      if (piece->empty()) break;
      size += piece->size();
      if (head->status == 200) {
        asio::awaitable<void> taken = taker(std::move(*piece));
        co_await std::move(taken);
      } else {
        refusal += *piece;
        if (refusal.size() > kMaxRefusal) break;
      }
    }
    if (head->status == 200) co_return size;
    const std::string* retry_after = http::find_header(head->headers, "Retry-After");
    ApiResult sorted = sort_answer(head->status, std::move(refusal), retry_after);
    ApiError error(ApiError::Kind::maybe_sent, "the answer is no file");
    if (!sorted) error = sorted.error();
    hide_token(error.description, token_);
    co_return error;
  }

  ApiError not_answered(const http::ClientError& error) const {
    const bool sent = error.kind == http::ClientError::Kind::maybe_sent;
    ApiError told(sent ? ApiError::Kind::maybe_sent : ApiError::Kind::not_sent, error.text);
    hide_token(told.description, token_);
    return told;
  }

  asio::awaitable<ApiResult> send(ApiRequest request) {
    if (!is_method_name(request.method)) {
      ApiResult refused = unsendable("a method's name has only letters, digits and _");
      co_return refused;
    }
    http::ClientRequest post("POST", base_ + request.method);
    const Duration timeout = timeouts_.of(request);
    std::optional<ApiError> bad = write(request, post);
    if (bad) co_return *bad;
    post.timeout = timeout;
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
    if (parts->stretches.size() == 1) {
      post.body = std::move(parts->stretches.front().text);
      return std::nullopt;
    }
    post.length = parts->length;
    const auto source = std::make_shared<MultipartSource>(std::move(parts->stretches));
    post.rest = [source] { return source->next(); };
    return std::nullopt;
  }

  ApiResult sort(http::ClientResult answer) const {
    if (!answer) return not_answered(answer.error());
    const std::string* retry_after = http::find_header(answer->headers, "Retry-After");
    ApiResult result = sort_answer(answer->status, std::move(answer->body), retry_after);
    if (result) return result;
    ApiError error = result.error();
    hide_token(error.description, token_);
    return error;
  }

  http::Client* client_;
  std::string token_;
  std::string base_;
  std::string files_;
  ApiTimeouts timeouts_;
};

}  // namespace

std::unique_ptr<ApiClient> make_api_client(http::Client& client, ApiClientOptions options) {
  return std::make_unique<HttpApi>(client, std::move(options));
}

}  // namespace tgkeep::telegram
