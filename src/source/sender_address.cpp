#include "source/sender_address.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tgkeep::source {

namespace {

char lower(char letter) noexcept {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool same_name(std::string_view left, std::string_view right) noexcept {
  return std::ranges::equal(left, right, {}, lower, lower);
}

std::string_view trim(std::string_view text) noexcept {
  constexpr std::string_view kBlank = " \t";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// Some proxies add the port: 1.2.3.4:5 or [::1]:5.
std::string_view without_port(std::string_view text) noexcept {
  if (text.starts_with('[')) return text.substr(1, text.find(']') - 1);
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos && colon == text.rfind(':')) return text.substr(0, colon);
  return text;
}

std::optional<asio::ip::address> read_address(std::string_view text) {
  boost::system::error_code failure;
  const auto address = asio::ip::make_address(std::string(without_port(trim(text))), failure);
  if (failure) return std::nullopt;
  return address;
}

// A header sent several times is one list.
std::vector<std::string_view> entries(const http::Headers& headers, std::string_view name) {
  std::vector<std::string_view> list;
  for (const auto& header : headers) {
    if (!same_name(header.first, name)) continue;
    std::string_view rest = header.second;
    for (std::size_t comma = rest.find(','); comma != std::string_view::npos; comma = rest.find(',')) {
      list.push_back(rest.substr(0, comma));
      rest.remove_prefix(comma + 1);
    }
    list.push_back(rest);
  }
  return list;
}

}  // namespace

std::optional<asio::ip::address> sender_address(const http::ServerRequest& head, std::string_view header,
                                                const AddressRanges& trusted) {
  auto peer = read_address(head.peer);
  if (!peer || !trusted.contains(*peer)) return peer;
  const auto list = entries(head.headers, header);
  for (auto entry = list.rbegin(); entry != list.rend(); ++entry) {
    auto address = read_address(*entry);
    if (!address || !trusted.contains(*address)) return address;
  }
  return std::nullopt;
}

}  // namespace tgkeep::source
