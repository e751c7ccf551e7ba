#include "admin/security_headers.hpp"

#include <string_view>

#include "admin/host_name.hpp"
#include "admin/refusal.hpp"

namespace tgkeep::admin {

void add_security_headers(http::ServerReply& reply) {
  reply.headers.emplace_back("Cache-Control", "no-store");
  reply.headers.emplace_back("X-Content-Type-Options", "nosniff");
  reply.headers.emplace_back("Referrer-Policy", "no-referrer");
  reply.headers.emplace_back("X-Frame-Options", "DENY");
  reply.headers.emplace_back(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
      "form-action 'self'; frame-ancestors 'none'; base-uri 'none'");
}

bool is_json_request(const http::ServerRequest& request) {
  const std::string* const type = http::find_header(request.headers, "Content-Type");
  if (type == nullptr) return false;
  std::string_view kind = std::string_view(*type).substr(0, type->find(';'));
  while (kind.ends_with(' ')) kind.remove_suffix(1);
  return is_same_word(kind, "application/json");
}

http::ServerReply not_json() {
  return refuse(415, "wrong_type", "send the body as JSON, with Content-Type: application/json");
}

}  // namespace tgkeep::admin
