#pragma once
// GET /healthz and /readyz.

#include <string>
#include <tgkeep/time.hpp>
#include <vector>

#include "admin/office.hpp"
#include "admin/picture.hpp"

namespace tgkeep::admin {

asio::awaitable<http::ServerReply> show_health(Office& office, Inquiry inquiry);
asio::awaitable<http::ServerReply> show_readiness(Office& office, Inquiry inquiry);

/// A line for each thing that speaks against sending work here; empty: ready.
std::vector<std::string> against_readiness(const Picture& picture, Duration ready_age);

}  // namespace tgkeep::admin
