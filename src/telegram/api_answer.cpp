#include "telegram/api_answer.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <charconv>
#include <limits>

#include "telegram/json_scan.hpp"

namespace tgkeep::telegram {

namespace {

constexpr std::size_t kMaxDescription = 1024;

// The end of the value at `at`: the place of the comma or bracket behind it, npos when the text ends before.
// The two kinds of brackets are not told apart: a wrong one inside a value is for whoever reads the value.
std::size_t end_of_value(std::string_view text, std::size_t at) noexcept {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = skip_string(text, at);
      if (at == text.npos) return at;
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) return at;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
  }
  return text.npos;
}

// Calls `field(name, value)` for each field of the object; false when the text is not one whole object.
template <class Field>
bool read_object(std::string_view text, const Field& field) {
  std::size_t at = skip_space(text, 0);
  if (at == text.size() || text[at] != '{') return false;
  at = skip_space(text, at + 1);
  if (at < text.size() && text[at] == '}') return skip_space(text, at + 1) == text.size();
  for (;;) {
    if (at >= text.size() || text[at] != '"') return false;
    const std::size_t name_end = skip_string(text, at);
    if (name_end == text.npos) return false;
    const std::string_view name = text.substr(at + 1, name_end - at - 2);
    at = skip_space(text, name_end);
    if (at == text.size() || text[at] != ':') return false;
    at = skip_space(text, at + 1);
    const std::size_t end = end_of_value(text, at);
    if (end == text.npos || text[end] == ']') return false;
    std::string_view value = text.substr(at, end - at);
    while (!value.empty() && is_json_space(value.back())) value.remove_suffix(1);
    if (value.empty()) return false;
    field(name, value);
    at = skip_space(text, end + 1);
    if (text[end] == '}') return at == text.size();
  }
}

template <class Number>
std::optional<Number> number(std::string_view text) noexcept {
  Number value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<std::chrono::seconds> wait_of(std::string_view text) noexcept {
  const auto seconds = number<std::int64_t>(text);
  if (!seconds || *seconds < 0) return std::nullopt;
  return std::chrono::seconds(std::min<std::int64_t>(*seconds, std::numeric_limits<std::int32_t>::max()));
}

// Cut where a character begins.
std::string cut(std::string text) {
  if (text.size() <= kMaxDescription) return text;
  std::size_t size = kMaxDescription;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  text.resize(size);
  return text;
}

std::string words(std::string_view raw) {
  boost::system::error_code error;
  const boost::json::value value =
      boost::json::parse(boost::json::string_view(raw.data(), raw.size()), error);
  if (!error && value.is_string()) return cut(std::string(value.get_string()));
  std::string readable;
  for (const char c : raw.substr(0, kMaxDescription)) readable += c >= ' ' && c <= '~' ? c : '?';
  return readable;
}

void read_parameters(std::string_view text, Envelope& envelope) {
  read_object(text, [&](std::string_view name, std::string_view value) {
    if (name == "retry_after") envelope.retry_after = wait_of(value);
    if (name == "migrate_to_chat_id") envelope.migrate_to_chat_id = number<std::int64_t>(value);
  });
}

std::string describe_foreign(int status, std::string_view body) {
  std::string text = "HTTP " + std::to_string(status) + " and no Bot API answer";
  if (body.empty()) return text + " (empty body)";
  text += " (" + std::to_string(body.size()) + " bytes";
  if (body.front() == '<') text += " of HTML";
  if (body.front() == '{') text += ", cut or broken JSON";
  text += ")";
  if (status >= 300 && status < 400)
    text += ": redirects are not followed, set the API root to the final address";
  if (status == 404) text += ": check the API root";
  return text;
}

// What is known not to have taken effect. 408 comes from proxies that gave up waiting for either side.
bool is_refusal(int code) noexcept {
  return code >= 300 && code < 500 && code != 408;
}

}  // namespace

std::optional<Envelope> read_envelope(std::string_view text) {
  Envelope envelope;
  std::optional<bool> ok;
  const bool whole = read_object(text, [&](std::string_view name, std::string_view value) {
    if (name == "ok") {
      if (value == "true") ok = true;
      if (value == "false") ok = false;
    } else if (name == "result") {
      envelope.result = value;
    } else if (name == "error_code") {
      envelope.error_code = number<int>(value);
    } else if (name == "description") {
      envelope.description = words(value);
    } else if (name == "parameters") {
      read_parameters(value, envelope);
    }
  });
  if (!whole || !ok) return std::nullopt;
  envelope.ok = *ok;
  return envelope;
}

ApiResult sort_answer(int status, std::string body, const std::string* retry_after) {
  std::optional<Envelope> envelope = read_envelope(body);
  if (envelope && envelope->ok && envelope->result && status >= 200 && status < 300) {
    const auto from = static_cast<std::size_t>(envelope->result->data() - body.data());
    body.resize(from + envelope->result->size());
    body.erase(0, from);
    return body;
  }
  const bool told = envelope && !envelope->ok;
  const int code = told ? envelope->error_code.value_or(status) : status;
  // Without Telegram's own words a 4xx may come from anything on the way; these two say themselves what they
  // are.
  const bool is_plain = status == 413 || status == 429;
  const bool refused = is_refusal(code) && status < 500 && (told || is_plain);
  ApiError error(refused ? ApiError::Kind::refused : ApiError::Kind::maybe_sent, {});
  error.code = code;
  if (told) {
    error.description = envelope->description.empty() ? "no description" : std::move(envelope->description);
    error.retry_after = envelope->retry_after;
    error.migrate_to_chat_id = envelope->migrate_to_chat_id;
  } else {
    error.description = describe_foreign(status, body);
  }
  if (!error.retry_after && retry_after != nullptr) error.retry_after = wait_of(*retry_after);
  return error;
}

}  // namespace tgkeep::telegram
