#pragma once
// A ServerReply as HTTP/1.1 bytes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/server.hpp"

namespace tgkeep::http {

/// "Not Found" for 404; "Status" for numbers without a name.
std::string_view reason_phrase(int status) noexcept;

/// Status line and headers, the empty line included. Content-Length is the body's, also when the body is not
/// sent.
std::string reply_head(const ServerReply& reply, bool keep_alive);
/// The same for a streamed reply: chunked, or until the connection closes.
std::string stream_head(const ServerReply& reply, bool keep_alive, bool chunked);
/// What the headers of a streamed reply say; nothing when they say none.
std::optional<std::uint64_t> announced_length(const ServerReply& reply);
/// One piece of a chunked body; an empty one is its end.
std::string chunk(std::string_view piece);

/// False when a header or the content type would break the head's lines.
bool is_well_formed(const ServerReply& reply) noexcept;

}  // namespace tgkeep::http
