#pragma once
// The answers that change nothing.

#include "admin/office.hpp"

namespace tgkeep::admin {

asio::awaitable<http::ServerReply> show_status(Office& office, Inquiry inquiry);

}  // namespace tgkeep::admin
