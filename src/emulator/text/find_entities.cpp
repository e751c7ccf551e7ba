// What Telegram marks in a text by itself.

#include <boost/json/array.hpp>
#include <cctype>

#include "emulator/text/formatted_text.hpp"

namespace tgkeep::emulator {

namespace {

bool is_word(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return std::isalnum(byte) != 0 || letter == '_' || byte >= 0x80U;
}

bool is_plain_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

std::size_t run_of(std::string_view text, std::size_t from, bool (*fits)(char)) {
  std::size_t end = from;
  while (end < text.size() && fits(text[end])) ++end;
  return end - from;
}

/// `/command` or `/command@bot`.
std::size_t command_length(std::string_view token) {
  const std::size_t name = run_of(token, 1, is_plain_word);
  if (name == 0 || name > 64) return 0;
  std::size_t length = 1 + name;
  if (length < token.size() && token[length] == '@') {
    const std::size_t bot = run_of(token, length + 1, is_plain_word);
    if (bot >= 3) length += 1 + bot;
  }
  if (length < token.size() && token[length] == '/') return 0;
  return length;
}

std::size_t cashtag_length(std::string_view token) {
  std::size_t length = 1;
  while (length < token.size() && token[length] >= 'A' && token[length] <= 'Z') ++length;
  const bool ends = length == token.size() || !is_word(token[length]);
  return ends && length >= 4 && length <= 9 ? length : 0;
}

std::string_view without_punctuation(std::string_view token) {
  while (!token.empty() && std::string_view(".,:;!?)]}\"'>").find(token.back()) != std::string_view::npos) {
    token.remove_suffix(1);
  }
  return token;
}

bool is_host(std::string_view host) {
  const std::size_t dot = host.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || host.size() - dot < 3) return false;
  for (const char letter : host.substr(dot + 1)) {
    if (std::isalpha(static_cast<unsigned char>(letter)) == 0) return false;
  }
  for (const char letter : host) {
    if (!is_word(letter) && letter != '.' && letter != '-') return false;
  }
  return host.find("..") == std::string_view::npos;
}

/// Names with these ends are links without a scheme; others are file names more often than not.
bool has_known_ending(std::string_view host) {
  for (const std::string_view ending : {".com", ".org", ".net", ".me", ".io", ".dev", ".ru", ".de"}) {
    if (host.ends_with(ending)) return true;
  }
  return false;
}

std::string_view link_type(std::string_view token) {
  if (token.starts_with("http://") || token.starts_with("https://") || token.starts_with("tg://")) {
    return token.find("://") + 3 < token.size() ? "url" : "";
  }
  const std::size_t at = token.find('@');
  if (at != std::string_view::npos) return at > 0 && is_host(token.substr(at + 1)) ? "email" : "";
  const std::string_view host = token.substr(0, token.find_first_of("/?#:"));
  return is_host(host) && has_known_ending(host) ? "url" : "";
}

class Finder {
 public:
  json::array all;

  void look(std::string_view token, std::size_t offset) {
    const std::size_t skipped = token.find_first_not_of("([{\"'<");
    if (skipped == std::string_view::npos) return;
    token.remove_prefix(skipped);
    offset += skipped;
    std::size_t length = 0;
    std::string_view type;
    if (token[0] == '/') {
      length = command_length(token);
      type = "bot_command";
    } else if (token[0] == '@') {
      const std::size_t name = run_of(token, 1, is_plain_word);
      length = name >= 3 && name <= 32 ? 1 + name : 0;
      type = "mention";
    } else if (token[0] == '#') {
      const std::size_t name = run_of(token, 1, is_word);
      length = name > 0 ? 1 + name : 0;
      type = "hashtag";
    } else if (token[0] == '$') {
      length = cashtag_length(token);
      type = "cashtag";
    } else {
      const std::string_view link = without_punctuation(token);
      type = link_type(link);
      length = type.empty() ? 0 : link.size();
    }
    if (length > 0) all.push_back(make_entity(type, offset, utf16_length(token.substr(0, length))));
  }
};

}  // namespace

json::array find_entities(std::string_view text) {
  Finder finder;
  constexpr std::string_view blanks = " \t\r\n";
  std::size_t begin = text.find_first_not_of(blanks);
  std::size_t measured = 0;
  std::size_t offset = 0;
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    offset += utf16_length(text.substr(measured, begin - measured));
    measured = begin;
    finder.look(text.substr(begin, end - begin), offset);
    begin = text.find_first_not_of(blanks, end);
  }
  return std::move(finder.all);
}

}  // namespace tgkeep::emulator
