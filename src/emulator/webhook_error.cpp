#include "emulator/webhook_error.hpp"

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "http/reply_text.hpp"

namespace tgkeep::emulator {

namespace {

using Words = std::pair<std::string_view, std::string_view>;

// What libcurl's texts hold, and what the server says.
constexpr std::array translations = {
    Words("onnect to server", "Connection refused"),
    Words("refused", "Connection refused"),
    Words("reset", "Connection reset by peer"),
    Words("onnection timed out", "Connection timed out"),
    Words("timed out", "Read timeout expired"),
    Words("longer than its timeout", "Read timeout expired"),
    Words("SSL", "SSL error {error}"),
    Words("certificate", "SSL error {error}"),
    Words("resolve host", "Failed to resolve host"),
};

}  // namespace

bool is_accepted(const http::ClientResult& result) noexcept {
  return result.has_value() && result->status >= 200 && result->status < 300;
}

std::string webhook_error(const http::ClientResult& result) {
  if (is_accepted(result)) return {};
  if (result) {
    std::string text = "Wrong response from the webhook: " + std::to_string(result->status) + ' ';
    return text.append(http::reason_phrase(result->status));
  }
  const std::string text = result.error().text;
  for (const auto& [theirs, ours] : translations) {
    if (text.find(theirs) != std::string::npos) return std::string(ours);
  }
  return text;
}

std::optional<std::chrono::seconds> retry_after_of(const http::ClientResult& result) {
  if (!result) return std::nullopt;
  const std::string* const header = http::find_header(result->headers, "Retry-After");
  if (header == nullptr) return std::nullopt;
  std::int64_t seconds = 0;
  const char* const end = header->data() + header->size();
  if (std::from_chars(header->data(), end, seconds).ptr != end) return std::nullopt;
  return std::chrono::seconds(seconds);
}

}  // namespace tgkeep::emulator
