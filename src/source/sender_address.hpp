#pragma once
// Who has sent a request that may have come through proxies.

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string_view>

#include "http/server.hpp"
#include "source/address_ranges.hpp"

namespace tgkeep::source {

/// The other end of the connection; when that is a trusted proxy, the last entry of `header` that is none:
/// whatever stands before it was written by strangers. Nothing when it can't be told.
std::optional<asio::ip::address> sender_address(const http::ServerRequest& head, std::string_view header,
                                                const AddressRanges& trusted);

}  // namespace tgkeep::source
