#include "admin/gate.hpp"

#include <algorithm>

#include "admin/host_name.hpp"
#include "admin/params.hpp"
#include "admin/refusal.hpp"
#include "admin/same_secret.hpp"
#include "admin/security_headers.hpp"
#include "admin/target.hpp"

namespace tgkeep::admin {

namespace {

constexpr std::string_view kCookie = "tgkeep_session";

http::ServerReply unauthorized(std::string_view text) {
  http::ServerReply reply = refuse(401, "unauthorized", text);
  reply.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"tgkeep\"");
  return reply;
}

http::ServerReply wait_first(Duration wait) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(wait).count();
  http::ServerReply reply =
      refuse(429, "too_many_wrong_tokens",
             "too many wrong tokens came from this address; try again in " + std::to_string(seconds) + " s");
  reply.headers.emplace_back("Retry-After", std::to_string(seconds));
  return reply;
}

std::optional<std::string_view> bearer_in(const http::ServerRequest& request) {
  const std::string* const header = http::find_header(request.headers, "Authorization");
  if (header == nullptr) return std::nullopt;
  constexpr std::string_view kScheme = "bearer ";
  const std::string_view text = *header;
  const bool bearer = is_same_word(text.substr(0, kScheme.size()), kScheme);
  return bearer ? text.substr(kScheme.size()) : std::string_view();
}

void set_cookie(http::ServerReply& reply, const std::string& value, std::int64_t seconds, bool secure) {
  std::string cookie(kCookie);
  cookie += "=" + value + "; Path=/; Max-Age=" + std::to_string(seconds) + "; HttpOnly; SameSite=Strict";
  if (secure) cookie += "; Secure";
  reply.headers.emplace_back("Set-Cookie", std::move(cookie));
}

}  // namespace

Gate::Gate(Desk& desk, Clock& clock, DoorAddress address, Log log)
    : desk_(desk), address_(std::move(address)), log_(std::move(log)), sessions_(clock), wrong_(clock) {}

asio::awaitable<http::ServerReply> Gate::answer(http::ServerRequest request) {
  const std::string path(raw_path(request.target));
  std::optional<http::ServerReply> own = refusal(request);
  if (!own && path == "/login") own = sign_in(request);
  if (!own && path == "/logout") own = sign_out(request);
  if (own) {
    add_security_headers(*own);
    co_return *std::move(own);
  }
  http::ServerReply reply = co_await desk_.answer(std::move(request));
  co_return reply;
}

// Whatever a page of another site can make a browser send must end here.
std::optional<http::ServerReply> Gate::refusal(const http::ServerRequest& request) {
  const auto bearer = bearer_in(request);
  if (bearer) return check_token(request, *bearer);
  if (auto strange = check_host(request)) return strange;
  const bool changes = request.method != "GET" && request.method != "HEAD";
  if (changes && !is_own_origin(request, address_.names)) {
    return refuse(
        403, "other_site",
        "this request comes from another site, or names no Origin; use the dashboard itself, or send "
        "Authorization: Bearer TOKEN");
  }
  const std::string_view path = raw_path(request.target);
  if (path == "/login" || desk_.is_public(path) || !session_in(request).empty()) return std::nullopt;
  return unauthorized("send Authorization: Bearer TOKEN, or sign in with the dashboard");
}

std::optional<http::ServerReply> Gate::check_host(const http::ServerRequest& request) const {
  const std::string* const host = http::find_header(request.headers, "Host");
  if (host == nullptr || is_safe_host(*host, address_.names)) return std::nullopt;
  return refuse(403, "other_host",
                "this server is not known by the name in the address; add it to admin.hosts, or use the IP "
                "address");
}

std::optional<http::ServerReply> Gate::check_token(const http::ServerRequest& request,
                                                   std::string_view given) {
  if (const auto wait = wrong_.wait_of(request.peer)) return wait_first(*wait);
  if (same_secret(address_.token, given)) return std::nullopt;
  wrong_.count(request.peer);
  log_.warning("admin_wrong_token", {{"peer", request.peer}});
  return unauthorized("this is not the token of the admin interface; it is set with admin.token_file");
}

std::string Gate::session_in(const http::ServerRequest& request) {
  for (const auto& [name, value] : request.headers) {
    if (!is_same_word(name, "Cookie")) continue;
    std::string_view rest = value;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(';'), rest.size());
      std::string_view pair = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      pair.remove_prefix(std::min(pair.find_first_not_of(' '), pair.size()));
      if (!pair.starts_with(kCookie) || pair.substr(kCookie.size(), 1) != "=") continue;
      const std::string_view id = pair.substr(kCookie.size() + 1);
      if (sessions_.has(id)) return std::string(id);
    }
  }
  return {};
}

http::ServerReply Gate::sign_in(const http::ServerRequest& request) {
  if (request.method != "POST") {
    http::ServerReply reply = refuse(405, "method_not_allowed", "/login is for POST only");
    reply.headers.emplace_back("Allow", "POST");
    return reply;
  }
  if (!is_json_request(request)) return not_json();
  Params params = Params::of_body(request.body);
  const std::string token = params.text("token");
  if (token.empty()) params.refuse("token is missing");
  if (const auto wrong = params.wrong()) return wrong_request(*wrong);
  if (auto refused = check_token(request, token)) return *std::move(refused);
  http::ServerReply reply(200, "{}");
  constexpr auto kSeconds = std::chrono::duration_cast<std::chrono::seconds>(Sessions::kLifetime).count();
  set_cookie(reply, sessions_.begin(), kSeconds, came_over_tls(request));
  log_.info("admin_signed_in", {{"peer", request.peer}});
  return reply;
}

http::ServerReply Gate::sign_out(const http::ServerRequest& request) {
  if (request.method != "POST") {
    http::ServerReply reply = refuse(405, "method_not_allowed", "/logout is for POST only");
    reply.headers.emplace_back("Allow", "POST");
    return reply;
  }
  if (!is_json_request(request)) return not_json();
  const std::string session = session_in(request);
  if (!session.empty()) sessions_.end(session);
  http::ServerReply reply(200, "{}");
  set_cookie(reply, "", 0, came_over_tls(request));
  return reply;
}

}  // namespace tgkeep::admin
