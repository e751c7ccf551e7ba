#include "admin/desk.hpp"

#include <algorithm>
#include <charconv>
#include <exception>

#include "admin/office.hpp"
#include "admin/picture.hpp"
#include "admin/refusal.hpp"
#include "admin/routes.hpp"
#include "admin/security_headers.hpp"
#include "admin/target.hpp"

namespace tgkeep::admin {

namespace {

http::ServerReply method_refused(const std::vector<Route>& routes, std::string_view path) {
  std::string methods;
  for (const Route& route : routes) {
    methods += methods.empty() ? "" : ", ";
    methods += route.method;
  }
  http::ServerReply reply =
      refuse(405, "method_not_allowed", std::string(path) + " is for " + methods + " only");
  reply.headers.emplace_back("Allow", methods);
  return reply;
}

/// Of a stranger's words, in an answer.
constexpr std::size_t kShown = 64;

Result<BotId> find_bot(Premises& premises, std::string_view word) {
  const std::vector<OperatedBot*> bots = premises.bots();
  std::string names;
  for (const OperatedBot* bot : bots) {
    const BotFacts& facts = bot->facts();
    const std::string id = std::to_string(facts.id.value());
    if (word == id || (word == facts.name && !word.empty()) || (word == "-" && bots.size() == 1)) {
      return facts.id;
    }
    names += (names.empty() ? "" : ", ") + (facts.name.empty() ? id : facts.name + " (" + id + ")");
  }
  if (bots.empty()) return Error(Errc::not_found, "there is no bot");
  if (word == "-") {
    return Error(Errc::not_found, "\"-\" is the only bot, and there are several: say which, of " + names);
  }
  return Error(Errc::not_found, "there is no bot with the id or name " + std::string(word.substr(0, kShown)) +
                                    "; there are: " + names);
}

}  // namespace

class Desk::Rooms {
 public:
  Rooms(Premises& premises, DeskOptions options) : office(premises, std::move(options)) {}

  const Asset* asset_at(std::string_view path) const {
    for (const Asset& asset : office.options.assets) {
      if (asset.path == path) return &asset;
    }
    return nullptr;
  }

  http::ServerReply show(const Asset& asset, const http::ServerRequest& request) const {
    if (request.method != "GET" && request.method != "HEAD") {
      http::ServerReply reply = refuse(405, "method_not_allowed", asset.path + " is for GET only");
      reply.headers.emplace_back("Allow", "GET");
      return reply;
    }
    return http::ServerReply(200, std::string(asset.bytes), asset.content_type);
  }

  asio::awaitable<http::ServerReply> reply_to(http::ServerRequest request) {
    if (const Asset* const asset = asset_at(raw_path(request.target))) co_return show(*asset, request);
    Result<Target> target = read_target(request.target);
    if (target.has_error()) co_return wrong_request(target.error().text());
    const std::vector<Route> routes = routes_at(target->path);
    if (routes.empty()) {
      co_return refuse(404, "not_found", "there is nothing at this address; there is " + list_of_routes());
    }
    const std::string_view method = request.method == "HEAD" ? "GET" : std::string_view(request.method);
    const auto route = std::find_if(routes.begin(), routes.end(),
                                    [method](const Route& each) { return each.method == method; });
    if (route == routes.end()) co_return method_refused(routes, routes.front().path);
    Inquiry inquiry;
    inquiry.places = places_of(*route, target->path);
    inquiry.params = Params(target->query);
    if (method == "POST") {
      if (!is_json_request(request)) co_return not_json();
      if (!target->query.empty())
        co_return wrong_request("what changes something has its parameters in its body");
      inquiry.params = Params::of_body(request.body);
    } else if (!request.body.empty()) {
      co_return wrong_request("a GET has no body: its parameters stand in the query");
    }
    if (route->path.starts_with("/api/bots/")) {
      const Result<BotId> bot = find_bot(office.premises, inquiry.places.front());
      if (bot.has_error()) co_return refuse(bot.error());
      inquiry.bot = *bot;
      inquiry.places.erase(inquiry.places.begin());
    }
    const std::int64_t bot = inquiry.bot.value();
    asio::awaitable<http::ServerReply> work = route->work(office, std::move(inquiry));
    http::ServerReply reply = co_await std::move(work);
    if (method == "POST") {
      office.options.log.info("admin_change",
                              {{"what", route->path}, {"bot", bot}, {"status", reply.status}});
    }
    co_return reply;
  }

  Office office;
};

Desk::Desk(Premises& premises, DeskOptions options)
    : rooms_(std::make_unique<Rooms>(premises, std::move(options))) {}

Desk::~Desk() = default;

asio::awaitable<http::ServerReply> Desk::answer(http::ServerRequest request) {
  http::ServerReply reply = co_await rooms_->reply_to(std::move(request));
  add_security_headers(reply);
  co_return reply;
}

bool Desk::is_public(std::string_view raw_path) const {
  return raw_path == "/healthz" || raw_path == "/readyz" || rooms_->asset_at(raw_path) != nullptr;
}

asio::awaitable<void> Desk::close() {
  rooms_->office.closing = true;
  rooms_->office.tasks.cancel();
  co_await rooms_->office.tasks.join();
}

}  // namespace tgkeep::admin
