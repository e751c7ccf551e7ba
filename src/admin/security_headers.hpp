#pragma once
// What every answer says to browsers, and what a request must say to change something.

#include "http/server.hpp"

namespace tgkeep::admin {

void add_security_headers(http::ServerReply& reply);

/// Its Content-Type is JSON: no page of another site can send that without being asked for leave first.
bool is_json_request(const http::ServerRequest& request);
http::ServerReply not_json();

}  // namespace tgkeep::admin
