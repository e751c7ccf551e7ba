#include "source/secret.hpp"

#include <algorithm>

namespace tgkeep::source {

namespace {

bool is_secret_letter(char c) noexcept {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

}  // namespace

bool is_secret(std::string_view text) noexcept {
  return !text.empty() && text.size() <= 256 && std::all_of(text.begin(), text.end(), is_secret_letter);
}

SecretSet::Padded::Padded(std::string_view text) noexcept : size(text.size()) {
  std::copy_n(text.begin(), std::min(size, kLongest), bytes.begin());
}

SecretSet::SecretSet(const std::vector<std::string>& secrets) {
  // A text that is no secret stays in the list, as one that nothing equals: dropping it could leave none.
  for (const std::string& secret : secrets) secrets_.emplace_back(is_secret(secret) ? secret : std::string());
}

bool SecretSet::accepts(const std::string* given) const noexcept {
  if (secrets_.empty()) return true;
  const Padded candidate(given == nullptr ? std::string_view() : std::string_view(*given));
  // volatile: no compiler may see that the answer is known and leave early.
  volatile unsigned matched = 0;
  for (const Padded& secret : secrets_) {
    std::size_t difference = candidate.size ^ secret.size;
    for (std::size_t i = 0; i < kLongest; ++i) {
      difference |= static_cast<std::size_t>(candidate.bytes[i] ^ secret.bytes[i]);
    }
    difference |= static_cast<std::size_t>(secret.size == 0);
    matched = matched | static_cast<unsigned>(difference == 0);
  }
  return matched != 0;
}

}  // namespace tgkeep::source
