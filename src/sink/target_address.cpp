#include "sink/target_address.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <optional>

namespace tgkeep::sink {

namespace {

namespace ip = boost::asio::ip;
using Bytes = std::array<std::uint8_t, 16>;

class Parsed {
 public:
  Parsed(Bytes bytes, bool v4) : bytes(bytes), v4(v4) {}
  Bytes bytes;
  bool v4;
};

std::optional<Parsed> parsed(std::string_view text) noexcept {
  // fe80::1%eth0: the zone says nothing about what may be reached.
  const std::string plain(text.substr(0, text.find('%')));
  boost::system::error_code error;
  const ip::address address = ip::make_address(plain, error);
  if (error) return std::nullopt;
  if (address.is_v6()) return Parsed(address.to_v6().to_bytes(), false);
  Bytes bytes{};
  bytes[10] = bytes[11] = 0xFF;
  const auto four = address.to_v4().to_bytes();
  std::ranges::copy(four, bytes.begin() + 12);
  return Parsed(bytes, true);
}

// RFC 6890 and its successors, and one address that a cloud took out of the public space.
constexpr std::array<std::string_view, 29> kRefused{
    "0.0.0.0/8",     "10.0.0.0/8",      "100.64.0.0/10",   "168.63.129.16",  "169.254.0.0/16",
    "172.16.0.0/12", "192.0.0.0/24",    "192.0.2.0/24",    "192.88.99.0/24", "192.168.0.0/16",
    "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",  "224.0.0.0/4",    "240.0.0.0/4",
    "::/96",         "64:ff9b:1::/48",  "100::/64",        "2001::/23",      "2001:db8::/32",
    "2002::/16",     "3fff::/20",       "5f00::/16",       "fc00::/7",       "fe80::/10",
    "fec0::/10",     "ff00::/8",        "::ffff:0:0:0/96", "64:ff9b::/96"};

const std::vector<AddressRange>& refused() {
  static const std::vector<AddressRange> all = [] {
    std::vector<AddressRange> ranges;
    ranges.reserve(kRefused.size());
    for (const std::string_view text : kRefused) ranges.push_back(AddressRange::parse(text).value());
    return ranges;
  }();
  return all;
}

bool is_loopback(const Bytes& address) noexcept {
  static const AddressRange v4 = AddressRange::parse("127.0.0.0/8").value();
  static const AddressRange v6 = AddressRange::parse("::1").value();
  return v4.contains(address) || v6.contains(address);
}

}  // namespace

Result<AddressRange> AddressRange::parse(std::string_view text) {
  const auto wrong = [&](std::string_view what) {
    return Error(Errc::bad_config, "\"" + std::string(text) + "\" " + std::string(what));
  };
  const std::size_t slash = text.find('/');
  const auto address = parsed(text.substr(0, slash));
  if (!address) return wrong("is no range of IP addresses; write one like 10.0.0.0/8 or fd00::/8");
  const unsigned all = address->v4 ? 32 : 128;
  unsigned bits = all;
  if (slash != std::string_view::npos) {
    const std::string_view digits = text.substr(slash + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
    if (error != std::errc() || end != digits.data() + digits.size() || bits > all) {
      return wrong("needs a number from 0 to " + std::to_string(all) + " after the slash");
    }
  }
  AddressRange range;
  range.bits_ = bits + 128 - all;
  range.bytes_ = address->bytes;
  for (unsigned bit = range.bits_; bit < 128; ++bit) {
    if ((address->bytes[bit / 8] >> (7 - bit % 8) & 1U) != 0) {
      return wrong("has bits beyond its prefix; write the first address of the range");
    }
  }
  return range;
}

bool AddressRange::contains(const std::array<std::uint8_t, 16>& address) const noexcept {
  // ::/0 means IPv6: the IPv4 networks are not hidden in it.
  constexpr std::array<std::uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
  if (bits_ < 96 && std::ranges::equal(kMapped, std::span(address).first<12>())) return false;
  const unsigned whole = bits_ / 8;
  if (!std::equal(bytes_.begin(), bytes_.begin() + whole, address.begin())) return false;
  const unsigned rest = bits_ % 8;
  return rest == 0 || (bytes_[whole] ^ address[whole]) >> (8 - rest) == 0;
}

bool AddressRange::contains(std::string_view address) const noexcept {
  const auto known = parsed(address);
  return known && contains(known->bytes);
}

Result<TargetAddresses> TargetAddresses::parse(std::span<const std::string> listed) {
  TargetAddresses addresses;
  for (const std::string& text : listed) {
    auto range = AddressRange::parse(text);
    if (!range) return range.error();
    addresses.listed_.push_back(*range);
  }
  return addresses;
}

bool TargetAddresses::allows(std::string_view address) const noexcept {
  const auto known = parsed(address);
  if (!known) return false;
  const auto inside = [&](const AddressRange& range) { return range.contains(known->bytes); };
  return is_loopback(known->bytes) || std::ranges::any_of(listed_, inside) ||
         std::ranges::none_of(refused(), inside);
}

http::AddressFilter TargetAddresses::filter() const {
  return [self = *this](std::string_view address) { return self.allows(address); };
}

}  // namespace tgkeep::sink
