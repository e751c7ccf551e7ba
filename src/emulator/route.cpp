#include "emulator/route.hpp"

#include <charconv>

namespace tgkeep::emulator {

namespace {

constexpr std::size_t longest_token = 80;
constexpr std::int64_t end_of_bots = std::int64_t{1} << 54;

}  // namespace

std::optional<Route> read_route(const http::ServerRequest& request) {
  const std::string_view target = request.target;
  const std::size_t question = target.find('?');
  const std::string path = percent_decoded(target.substr(0, question), false);
  Route route;
  if (question != std::string_view::npos) add_form(route.params, target.substr(question + 1));
  const std::string* const type = http::find_header(request.headers, "Content-Type");
  if (type != nullptr) add_body(route.params, *type, request.body);

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
  const Answer invalid = Answer::error(401, "Unauthorized: invalid token specified");
  const std::size_t colon = token.find(':');
  if (token.starts_with('0') || token.size() > longest_token || colon == std::string_view::npos)
    return invalid;
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + colon, id);
  if (end != token.data() + colon || error == std::errc::invalid_argument) {
    return Answer::error(421, "Misdirected Request: unallowed token specified");
  }
  if (error != std::errc() || id <= 0 || id >= end_of_bots) return invalid;
  return std::nullopt;
}

}  // namespace tgkeep::emulator
