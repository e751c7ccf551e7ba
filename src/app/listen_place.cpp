#include "app/listen_place.hpp"

#include <boost/asio/ip/address.hpp>
#include <charconv>

namespace tgkeep::app {

std::optional<std::pair<std::string, std::uint16_t>> read_place(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const bool in_brackets = host.starts_with('[') && host.ends_with(']');
  if (in_brackets) host = host.substr(1, host.size() - 2);
  boost::system::error_code wrong;
  const auto address = boost::asio::ip::make_address(host, wrong);
  if (wrong || address.is_v6() != in_brackets) return std::nullopt;
  std::uint16_t port = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + colon + 1, last, port);
  if (error != std::errc{} || end != last) return std::nullopt;
  return std::pair(std::string(host), port);
}

}  // namespace tgkeep::app
