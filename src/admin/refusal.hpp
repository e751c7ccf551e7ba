#pragma once
// The two kinds of replies there are: JSON, and a refusal that says what, where and what to do.

#include <boost/json/fwd.hpp>
#include <string>
#include <string_view>
#include <tgkeep/error.hpp>

#include "http/server.hpp"

namespace tgkeep::admin {

http::ServerReply json_reply(const boost::json::value& value);
http::ServerReply refuse(int status, std::string_view code, std::string_view text);
/// The status that fits the error: 404, 409, 503 or 500.
http::ServerReply refuse(const Error& error);
/// 400: the request itself is wrong.
http::ServerReply wrong_request(std::string_view text);
/// 409: the bot's store can't be searched.
http::ServerReply not_searchable();
/// 404: the bot has gone since it was found.
http::ServerReply bot_gone();

/// `bytes` as text that JSON can hold: what is no UTF-8 becomes U+FFFD.
std::string as_text(std::string_view bytes);
bool is_utf8(std::string_view bytes) noexcept;

}  // namespace tgkeep::admin
