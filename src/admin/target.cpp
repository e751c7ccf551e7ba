#include "admin/target.hpp"

#include <algorithm>
#include <optional>

#include "admin/refusal.hpp"

namespace tgkeep::admin {

namespace {

constexpr std::size_t kLongest = 8U << 10;
constexpr std::size_t kParameters = 64;

std::optional<unsigned> digit(char letter) noexcept {
  if (letter >= '0' && letter <= '9') return static_cast<unsigned>(letter - '0');
  if (letter >= 'a' && letter <= 'f') return static_cast<unsigned>(letter - 'a' + 10);
  if (letter >= 'A' && letter <= 'F') return static_cast<unsigned>(letter - 'A' + 10);
  return std::nullopt;
}

Error broken(const char* what) {
  return Error(Errc::misuse, std::string("the address of the request ") + what);
}

Result<std::string> decoded(std::string_view text, bool plus_is_space) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      plain += ' ';
    } else if (text[i] != '%') {
      plain += text[i];
    } else {
      const auto high = i + 2 < text.size() ? digit(text[i + 1]) : std::nullopt;
      const auto low = i + 2 < text.size() ? digit(text[i + 2]) : std::nullopt;
      if (!high || !low)
        return broken("has a % without two hexadecimal digits behind it; a percent sign is %25");
      plain += static_cast<char>(*high * 16 + *low);
      i += 2;
    }
  }
  const bool control = std::any_of(plain.begin(), plain.end(), [](char letter) {
    return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F;
  });
  if (control || !is_utf8(plain)) return broken("holds control characters or is not UTF-8");
  return plain;
}

}  // namespace

std::string_view raw_path(std::string_view target) noexcept {
  return target.substr(0, target.find('?'));
}

Result<Target> read_target(std::string_view target) {
  if (target.size() > kLongest) return broken("is longer than 8 KiB");
  std::string_view path = raw_path(target);
  if (!path.starts_with('/')) return broken("does not begin with /");
  Target read;
  std::string_view query = target.substr(std::min(path.size() + 1, target.size()));
  path.remove_prefix(1);
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    Result<std::string> part = decoded(path.substr(0, end), false);
    if (part.has_error()) return part.error();
    read.path.push_back(*std::move(part));
    const bool more = end < path.size();
    path.remove_prefix(std::min(end + 1, path.size()));
    if (more && path.empty()) read.path.emplace_back();
  }
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (pair.empty()) continue;
    const std::size_t sign = std::min(pair.find('='), pair.size());
    Result<std::string> name = decoded(pair.substr(0, sign), true);
    if (name.has_error()) return name.error();
    Result<std::string> value = decoded(pair.substr(std::min(sign + 1, pair.size())), true);
    if (value.has_error()) return value.error();
    if (read.query.size() == kParameters) return broken("has more than 64 parameters");
    read.query.emplace_back(*std::move(name), *std::move(value));
  }
  return read;
}

}  // namespace tgkeep::admin
