#pragma once
// Asks a running process, through its Unix socket or over TCP.

#include <memory>
#include <string>

#include "app/ask/caller.hpp"

namespace tgkeep::app {

/// Whether somebody listens at a Unix socket.
enum class SocketState { answers, nobody, forbidden };
/// Connects and hangs up.
SocketState look_at_socket(const std::string& path);

std::unique_ptr<Caller> socket_caller(std::string path);

/// `url` without a slash at the end; `token` goes into each request.
std::unique_ptr<Caller> tcp_caller(std::string url, std::string token);

}  // namespace tgkeep::app
