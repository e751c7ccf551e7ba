#include "source/address_ranges.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace tgkeep::source {

namespace {

using Bytes = asio::ip::address_v6::bytes_type;

Bytes as_v6(const asio::ip::address& address) noexcept {
  if (address.is_v6()) return address.to_v6().to_bytes();
  Bytes bytes{};
  bytes[10] = bytes[11] = 0xff;
  const auto four = address.to_v4().to_bytes();
  std::copy(four.begin(), four.end(), bytes.begin() + 12);
  return bytes;
}

std::optional<unsigned> read_bits(std::string_view text, unsigned most) {
  unsigned bits = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), bits);
  if (failure != std::errc() || end != text.data() + text.size() || bits > most) return std::nullopt;
  return bits;
}

bool same_start(const Bytes& left, const Bytes& right, unsigned bits) noexcept {
  const unsigned whole = bits / 8;
  if (!std::equal(left.begin(), left.begin() + whole, right.begin())) return false;
  if (bits % 8 == 0) return true;
  const unsigned shift = 8 - bits % 8;
  return left[whole] >> shift == right[whole] >> shift;
}

}  // namespace

Result<AddressRanges> AddressRanges::parse(const std::vector<std::string>& texts) {
  AddressRanges ranges;
  for (const std::string& text : texts) {
    const std::size_t slash = text.find('/');
    boost::system::error_code failure;
    const auto address = asio::ip::make_address(text.substr(0, slash), failure);
    const unsigned most = address.is_v4() ? 32 : 128;
    std::optional<unsigned> bits = most;
    if (slash != std::string::npos) bits = read_bits(std::string_view(text).substr(slash + 1), most);
    if (failure || !bits) {
      return Error(Errc::bad_config, "\"" + text +
                                         "\" is neither an IP address nor a range of them: write it like "
                                         "10.0.0.7 or 10.0.0.0/8");
    }
    ranges.ranges_.emplace_back(as_v6(address), *bits + 128 - most);
  }
  return ranges;
}

bool AddressRanges::contains(const asio::ip::address& address) const noexcept {
  const Bytes bytes = as_v6(address);
  return std::ranges::any_of(ranges_,
                             [&](const Range& range) { return same_start(bytes, range.base, range.bits); });
}

const AddressRanges& telegram_ranges() {
  static const AddressRanges ranges = AddressRanges::parse({"149.154.160.0/20", "91.108.4.0/22"}).value();
  return ranges;
}

}  // namespace tgkeep::source
