#pragma once
// The secrets of a webhook. Comparing takes the same time whatever is given and whichever matches, so that a
// stranger can't find one piece by piece.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tgkeep::source {

/// Telegram's rule: 1-256 characters of A-Z, a-z, 0-9, _ and -.
bool is_secret(std::string_view text) noexcept;

class SecretSet {
 public:
  /// Texts that are no secrets match nothing.
  explicit SecretSet(const std::vector<std::string>& secrets);
  /// Whether `given` (null: none was sent) is one of them. With no secrets at all everything is accepted.
  bool accepts(const std::string* given) const noexcept;
  bool empty() const noexcept { return secrets_.empty(); }

 private:
  static constexpr std::size_t kLongest = 256;
  class Padded {
   public:
    explicit Padded(std::string_view text) noexcept;
    std::array<unsigned char, kLongest> bytes{};
    std::size_t size;
  };
  std::vector<Padded> secrets_;
};

static_assert(!std::is_aggregate_v<SecretSet>);

}  // namespace tgkeep::source
