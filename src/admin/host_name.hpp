#pragma once
// By which names browsers come, and from where.

#include <string>
#include <string_view>
#include <vector>

#include "http/server.hpp"

namespace tgkeep::admin {

/// Equal but for the case of ASCII letters.
bool is_same_word(std::string_view one, std::string_view other) noexcept;

/// Whether a Host header's name can't be that of a stranger whose DNS leads here: an IP address, localhost,
/// or one of `names`.
bool is_safe_host(std::string_view host, const std::vector<std::string>& names);

/// Whether a browser says that the page that sent the request is of this very host, or of one of `names`.
bool is_own_origin(const http::ServerRequest& request, const std::vector<std::string>& names);
/// Whether that page came over TLS: a proxy in front of us has a certificate.
bool came_over_tls(const http::ServerRequest& request);

}  // namespace tgkeep::admin
