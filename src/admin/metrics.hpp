#pragma once
// GET /metrics: docs/metrics.md.

#include <string>
#include <string_view>

#include "admin/office.hpp"
#include "admin/picture.hpp"

namespace tgkeep::admin {

std::string metrics_text(const Picture& picture, std::string_view version);
asio::awaitable<http::ServerReply> show_metrics(Office& office, Inquiry inquiry);

}  // namespace tgkeep::admin
