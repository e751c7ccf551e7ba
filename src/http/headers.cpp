#include <algorithm>
#include <stdexcept>

#include "http/client.hpp"

namespace tgkeep::http {

namespace {

char lower(char letter) noexcept {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool same_name(std::string_view left, std::string_view right) noexcept {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

const std::string* find_header(const Headers& headers, std::string_view name) noexcept {
  for (const auto& [header, value] : headers) {
    if (same_name(header, name)) return &value;
  }
  return nullptr;
}

void throw_exception_from_error(const ClientError& error, const boost::source_location&) {
  throw std::runtime_error("HTTP request failed: " + error.text);
}

}  // namespace tgkeep::http
