#include "telegram/file_path.hpp"

#include <algorithm>

namespace tgkeep::telegram {

namespace {

bool is_plain(char letter) noexcept {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || std::string_view("-._~/").find(letter) != std::string_view::npos;
}

bool leads_upwards(std::string_view path) noexcept {
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (path.substr(0, end) == "..") return true;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return false;
}

}  // namespace

std::optional<std::string> url_path(std::string_view file_path) {
  if (file_path.empty() || file_path.starts_with('/') || leads_upwards(file_path)) return std::nullopt;
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char letter : file_path) {
    if (is_plain(letter)) {
      out += letter;
      continue;
    }
    const auto byte = static_cast<unsigned char>(letter);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

}  // namespace tgkeep::telegram
