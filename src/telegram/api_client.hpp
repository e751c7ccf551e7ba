#pragma once
// The Bot API over HTTP: calls by method name and JSON, answers as result or ApiError.

#include <memory>
#include <string>
#include <string_view>
#include <tgkeep/api.hpp>
#include <tgkeep/api_client.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/id.hpp>

#include "http/client.hpp"

namespace tgkeep::telegram {

/// A bot's token, checked for shape: `<id>:<secret>`. Its text is only given to the URL.
class Token {
 public:
  /// bad_config says what is wrong without repeating the text.
  static Result<Token> parse(std::string_view text);
  const std::string& text() const noexcept { return text_; }
  /// The bot's user id, + 2^54 in the test environment.
  BotId bot(bool test_environment) const noexcept;

 private:
  Token(std::string text, std::int64_t id) : text_(std::move(text)), id_(id) {}
  std::string text_;
  std::int64_t id_;
};

/// Puts `<token>` where the token stands: a proxy may put the path it was asked for into its words.
void hide_token(std::string& text, std::string_view token);

class ApiClientOptions {
 public:
  explicit ApiClientOptions(Token token) : token(std::move(token)) {}
  Token token;
  std::string root = "https://api.telegram.org";  ///< without a slash at the end
  bool test_environment = false;
  ApiTimeouts timeouts;
};

/// `client` must outlive it.
std::unique_ptr<ApiClient> make_api_client(http::Client& client, ApiClientOptions options);

static_assert(!std::is_aggregate_v<Token> && !std::is_aggregate_v<ApiClientOptions>);

}  // namespace tgkeep::telegram
