#pragma once
// Sets of IP addresses written as text: `91.108.4.0/22`, `10.0.0.7`, `2001:db8::/32`.

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/address_v6.hpp>
#include <string>
#include <tgkeep/error.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep::source {

namespace asio = boost::asio;

class AddressRanges {
 public:
  AddressRanges() = default;
  /// bad_config names the first text that is neither an address nor a range.
  static Result<AddressRanges> parse(const std::vector<std::string>& texts);
  /// IPv4 addresses written as IPv6 ones (::ffff:a.b.c.d) count as IPv4.
  bool contains(const asio::ip::address& address) const noexcept;

 private:
  class Range {
   public:
    Range(asio::ip::address_v6::bytes_type base, unsigned bits) : base(base), bits(bits) {}
    asio::ip::address_v6::bytes_type base;
    unsigned bits;  ///< of the 128
  };
  std::vector<Range> ranges_;
};

/// Where Telegram's webhook requests come from, as published (core.telegram.org/bots/webhooks).
const AddressRanges& telegram_ranges();

static_assert(!std::is_aggregate_v<AddressRanges>);

}  // namespace tgkeep::source
