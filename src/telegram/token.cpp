#include <algorithm>
#include <charconv>

#include "telegram/api_client.hpp"

namespace tgkeep::telegram {

namespace {

constexpr std::int64_t kIdLimit = std::int64_t{1}
                                  << 54;  // the server's own; above it begins the test environment
constexpr std::size_t kMaxToken = 80;
constexpr std::size_t kMinSecret = 24;

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

bool is_secret_letter(char c) noexcept {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

Error bad(const std::string& what) {
  return Error(Errc::bad_config,
               "the bot token " + what + "; copy it whole from @BotFather, it looks like 123456789:AA…");
}

}  // namespace

Result<Token> Token::parse(std::string_view text) {
  if (text.empty()) return bad("is empty");
  const std::size_t space = text.find_first_of(" \t\r\n");
  if (space != text.npos) return bad("has a space or line break at character " + std::to_string(space + 1));
  if (text.size() > kMaxToken) {
    return bad("is " + std::to_string(text.size()) + " characters long, at most 80 are possible");
  }
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return bad("has no colon between the bot's id and the secret");
  const std::string_view id_text = text.substr(0, colon);
  const std::string_view secret = text.substr(colon + 1);
  std::int64_t id = 0;
  if (id_text.empty() || !std::all_of(id_text.begin(), id_text.end(), is_digit)) {
    return bad("does not begin with the bot's id, a number");
  }
  const auto [end, failure] = std::from_chars(id_text.data(), id_text.data() + id_text.size(), id);
  if (failure != std::errc() || id_text.front() == '0' || id >= kIdLimit) {
    return bad("begins with a number that can't be a bot's id");
  }
  if (!std::all_of(secret.begin(), secret.end(), is_secret_letter)) {
    return bad("has a character in its secret that is no letter, digit, - or _");
  }
  if (secret.size() < kMinSecret) {
    return bad("has a secret of " + std::to_string(secret.size()) + " characters, at least 24 are needed");
  }
  return Token(std::string(text), id);
}

BotId Token::bot(bool test_environment) const noexcept {
  return BotId(test_environment ? id_ + kIdLimit : id_);
}

void hide_token(std::string& text, std::string_view token) {
  if (token.empty()) return;
  for (std::size_t at = text.find(token); at != text.npos; at = text.find(token)) {
    text.replace(at, token.size(), "<token>");
  }
}

}  // namespace tgkeep::telegram
