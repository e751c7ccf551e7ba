#pragma once
// The unguessable part of a settle URL.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tgkeep::sink {

/// 128 random bits, written as 32 hex digits.
class SettleToken {
 public:
  /// From the system's generator; throws std::system_error when it gives nothing.
  static SettleToken random();
  /// Nothing when it is not 32 lower-case hex digits.
  static std::optional<SettleToken> parse(std::string_view text) noexcept;
  std::string text() const;

  /// Takes the same time wherever they differ.
  friend bool operator==(const SettleToken& left, const SettleToken& right) noexcept {
    return ((left.high_ ^ right.high_) | (left.low_ ^ right.low_)) == 0;
  }

  class Hash {
   public:
    std::size_t operator()(const SettleToken& token) const noexcept {
      return static_cast<std::size_t>(token.high_);
    }
  };

 private:
  SettleToken(std::uint64_t high, std::uint64_t low) : high_(high), low_(low) {}
  std::uint64_t high_;
  std::uint64_t low_;
};

}  // namespace tgkeep::sink
