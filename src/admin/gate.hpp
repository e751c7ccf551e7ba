#pragma once
// Who may come in over TCP: the token, as bearer or by the cookie that signing in with it gives, and from
// pages of our own only.

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>

#include "admin/desk.hpp"
#include "admin/door.hpp"
#include "admin/sessions.hpp"
#include "admin/wrong_tokens.hpp"
#include "http/server.hpp"

namespace tgkeep::admin {

/// Everything on the loop's thread. `desk` and `clock` outlive it.
class Gate {
 public:
  Gate(Desk& desk, Clock& clock, DoorAddress address, Log log);
  asio::awaitable<http::ServerReply> answer(http::ServerRequest request);

 private:
  std::optional<http::ServerReply> refusal(const http::ServerRequest& request);
  std::optional<http::ServerReply> check_host(const http::ServerRequest& request) const;
  std::optional<http::ServerReply> check_token(const http::ServerRequest& request, std::string_view given);
  std::string session_in(const http::ServerRequest& request);
  http::ServerReply sign_in(const http::ServerRequest& request);
  http::ServerReply sign_out(const http::ServerRequest& request);

  Desk& desk_;
  DoorAddress address_;
  Log log_;
  Sessions sessions_;
  WrongTokens wrong_;
};

}  // namespace tgkeep::admin
