#pragma once
// The answers that change nothing.

#include "admin/office.hpp"

namespace tgkeep::admin {

asio::awaitable<http::ServerReply> show_status(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> show_items(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> show_item(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> show_trace(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> show_lanes(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> show_audit(Office& office, Inquiry inquiry);

}  // namespace tgkeep::admin
