#pragma once
// Which IP addresses a push may go to: public ones and this machine, others only when listed. Pure; any
// thread.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgkeep/error.hpp>
#include <vector>

#include "http/client.hpp"

namespace tgkeep::sink {

/// A range of addresses, as `10.0.0.0/8`, `fd00::/8` or one address.
class AddressRange {
 public:
  /// bad_config says what is wrong with the text.
  static Result<AddressRange> parse(std::string_view text);
  /// False for a text that is no address. An IPv4 address inside an IPv6 one (::ffff:a.b.c.d) is the IPv4
  /// one.
  bool contains(std::string_view address) const noexcept;
  /// The same for 16 bytes, IPv4 as ::ffff:a.b.c.d.
  bool contains(const std::array<std::uint8_t, 16>& address) const noexcept;

 private:
  std::array<std::uint8_t, 16> bytes_{};
  unsigned bits_ = 128;
};

/// Refused unless listed: private, link-local (clouds keep their credentials there), shared, reserved and
/// multicast addresses, and IPv6 forms that only wrap an IPv4 one.
class TargetAddresses {
 public:
  /// `listed`: ranges allowed besides public addresses and loopback. bad_config names the entry it can't
  /// read.
  static Result<TargetAddresses> parse(std::span<const std::string> listed);
  bool allows(std::string_view address) const noexcept;
  /// For ClientOptions::allowed.
  http::AddressFilter filter() const;

 private:
  std::vector<AddressRange> listed_;
};

}  // namespace tgkeep::sink
