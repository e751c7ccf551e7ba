#include "admin/host_name.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>

namespace tgkeep::admin {

namespace {

char lower(char letter) noexcept {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// Without port and the brackets of IPv6.
std::string_view name_of(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    return end == std::string_view::npos ? std::string_view() : host.substr(1, end - 1);
  }
  return host.substr(0, host.rfind(':'));
}

bool is_among(std::string_view name, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(),
                     [name](const std::string& each) { return is_same_word(each, name); });
}

}  // namespace

bool is_same_word(std::string_view one, std::string_view other) noexcept {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](char left, char right) { return lower(left) == lower(right); });
}

bool is_safe_host(std::string_view host, const std::vector<std::string>& names) {
  const std::string_view name = name_of(host);
  if (is_same_word(name, "localhost")) return true;
  boost::system::error_code error;
  boost::asio::ip::make_address(name, error);
  if (!error) return true;
  return is_among(name, names);
}

bool is_own_origin(const http::ServerRequest& request, const std::vector<std::string>& names) {
  const std::string* const origin = http::find_header(request.headers, "Origin");
  const std::string* const host = http::find_header(request.headers, "Host");
  if (origin == nullptr) return false;
  const std::size_t scheme = origin->find("://");
  if (scheme == std::string::npos) return false;
  const std::string_view place = std::string_view(*origin).substr(scheme + 3);
  if (host != nullptr && !host->empty() && is_same_word(place, *host)) return true;
  // A proxy may have put its own name for us into Host.
  return is_among(name_of(place), names);
}

bool came_over_tls(const http::ServerRequest& request) {
  const std::string* const origin = http::find_header(request.headers, "Origin");
  return origin != nullptr && origin->starts_with("https://");
}

}  // namespace tgkeep::admin
