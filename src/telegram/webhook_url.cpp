#include "telegram/webhook_url.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <charconv>

namespace tgkeep::telegram {

namespace ip = boost::asio::ip;

namespace {

constexpr std::array<std::uint16_t, 4> cloud_ports = {80, 88, 443, 8443};
constexpr std::array reserved = {
    "0.0.0.0/8",     "10.0.0.0/8",      "100.64.0.0/10",  "127.0.0.0/8",    "169.254.0.0/16",
    "172.16.0.0/12", "192.0.0.0/24",    "192.0.2.0/24",   "192.88.99.0/24", "192.168.0.0/16",
    "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
};

bool is_reserved(const ip::address_v4& address) {
  return std::ranges::any_of(reserved, [address](const char* range) {
    const ip::network_v4 network = ip::make_network_v4(range);
    return ip::network_v4(address, network.prefix_length()).canonical() == network.canonical();
  });
}

std::optional<std::uint16_t> read_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

/// Takes the host off the front of `text`, which is left with what follows it.
std::string_view take_host(std::string_view& text) {
  const bool bracketed = text.starts_with('[');
  const std::size_t end = bracketed ? text.find(']') : text.find(':');
  const std::string_view host =
      bracketed && end != std::string_view::npos ? text.substr(1, end - 1) : text.substr(0, end);
  if (end == std::string_view::npos) {
    text = {};
  } else {
    text.remove_prefix(bracketed ? end + 1 : end);
  }
  return host;
}

}  // namespace

std::optional<WebhookUrl> WebhookUrl::parse(std::string_view text) {
  const auto strange = [](unsigned char byte) { return byte <= ' ' || byte == 0x7F; };
  if (std::ranges::any_of(text, strange)) return std::nullopt;
  WebhookUrl url;
  const std::size_t scheme_end = text.find("://");
  const std::string_view scheme =
      scheme_end == std::string_view::npos ? std::string_view("https") : text.substr(0, scheme_end);
  if (scheme != "https" && scheme != "http") return std::nullopt;
  std::string_view rest = scheme_end == std::string_view::npos ? text : text.substr(scheme_end + 3);
  url.text = std::string(scheme) + "://" + std::string(rest);
  url.secure = scheme == "https";
  url.port = url.secure ? 443 : 80;
  std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos)
    authority.remove_prefix(at + 1);
  url.host = take_host(authority);
  if (url.host.empty()) return std::nullopt;
  if (authority.empty()) return url;
  if (!authority.starts_with(':')) return std::nullopt;
  const std::optional<std::uint16_t> port = read_port(authority.substr(1));
  if (!port) return std::nullopt;
  url.port = *port;
  return url;
}

std::optional<std::string> refuse_url(const WebhookUrl& url) {
  if (!url.secure) return "An HTTPS URL must be provided for webhook";
  if (std::ranges::find(cloud_ports, url.port) == cloud_ports.end()) {
    return "Webhook can be set up only on ports 80, 88, 443 or 8443";
  }
  return std::nullopt;
}

std::optional<std::string> refuse_address(std::string_view address, bool cloud) {
  boost::system::error_code error;
  const ip::address parsed = ip::make_address(std::string(address), error);
  if (error) return "Invalid IP address specified";
  if (!cloud) return std::nullopt;
  if (parsed.is_v6()) return "IPv6-only addresses are not allowed";
  if (is_reserved(parsed.to_v4())) return "IP address " + parsed.to_string() + " is reserved";
  return std::nullopt;
}

}  // namespace tgkeep::telegram
