#include "emulator/route.hpp"

#include "telegram/token_refusal.hpp"

namespace tgkeep::emulator {

std::optional<Route> read_route(const http::ServerRequest& request) {
  const std::string_view target = request.target;
  const std::size_t question = target.find('?');
  const std::string path = telegram::percent_decoded(target.substr(0, question), false);
  Route route;
  if (question != std::string_view::npos) telegram::add_form(route.params, target.substr(question + 1));
  const std::string* const type = http::find_header(request.headers, "Content-Type");
  if (type != nullptr) telegram::add_body(route.params, *type, request.body);

  std::string_view rest = path;
  if (!rest.starts_with("/bot")) return std::nullopt;
  rest.remove_prefix(4);
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  route.token = rest.substr(0, slash);
  rest.remove_prefix(slash);
  if (rest.starts_with("/test")) {
    if (!rest.starts_with("/test/")) return std::nullopt;
    route.test = true;
    rest.remove_prefix(5);
  }
  rest.remove_prefix(1);
  route.method = rest.empty() ? route.params.text("method") : rest;
  return route;
}

std::optional<Answer> refuse_token(std::string_view token) {
  const std::optional<telegram::TokenRefusal> refusal = telegram::refuse_token(token);
  if (!refusal) return std::nullopt;
  return Answer::error(refusal->code, refusal->description);
}

}  // namespace tgkeep::emulator
