#include "app/face_door.hpp"

#include <boost/system/system_error.hpp>
#include <utility>

#include "admin/same_secret.hpp"
#include "app/face_options.hpp"
#include "face/reply.hpp"
#include "telegram/api_client.hpp"
#include "telegram/token_refusal.hpp"

namespace tgkeep::app {

namespace {

// As the Bot API server has them.
constexpr std::size_t kMaxHeader = 256U << 10;
// With that of its header the memory a stranger can take.
constexpr std::size_t kMaxConnections = 1000;
constexpr Duration kLongTime = std::chrono::seconds(500);

// A bot with a wrong token asks again and again.
constexpr Duration kQuietPerPeer = std::chrono::minutes(1);
constexpr std::size_t kMaxPeers = 256;

bool has_body(const http::ServerRequest& head) {
  if (http::find_header(head.headers, "Transfer-Encoding") != nullptr) return true;
  const std::string* const length = http::find_header(head.headers, "Content-Length");
  return length != nullptr && *length != "0";
}

/// A reply that is still streamed when its request has been answered is inside as long.
class StreamOfVisit {
 public:
  StreamOfVisit(std::shared_ptr<Visit> visit, http::ReplyStream stream)
      : visit_(std::move(visit)), stream_(std::move(stream)) {}
  boost::asio::awaitable<std::string> operator()() const { return stream_(); }

 private:
  std::shared_ptr<Visit> visit_;  // ends after the stream
  http::ReplyStream stream_;
};

}  // namespace

void FaceDoor::add(BotId bot, std::string token, face::Face& face, Visits& visits) {
  routes_.insert_or_assign(bot, Route(std::move(token), &face, &visits));
}

void FaceDoor::put_off(BotId bot) {
  const auto found = routes_.find(bot);
  if (found != routes_.end()) found->second = Route(found->second.token, nullptr, nullptr);
}

void FaceDoor::remove_put_off(BotId bot) {
  const auto found = routes_.find(bot);
  if (found != routes_.end() && found->second.face == nullptr) routes_.erase(found);
}

Result<void> FaceDoor::open(const boost::asio::any_io_executor& loop) {
  const std::string problem = face_problem(options_);
  if (!problem.empty()) return Error(Errc::bad_config, problem);
  http::ServerOptions server;
  server.address = options_.address;
  server.port = options_.port;
  server.max_header = kMaxHeader;
  server.max_connections = kMaxConnections;
  server.idle_timeout = kLongTime;
  server.stream_timeout = kLongTime;
  server.last_answers = kLastAnswers;
  server.streams = has_body;
  server.decodes = true;
  if (!options_.certificate.empty()) server.tls = http::TlsFiles(options_.certificate, options_.key);
  server.check_head = [this](const http::ServerRequest& head) { return addressee_of(head).refusal; };
  server.on_refused = [this](const http::ServerRequest& head, int status) { refused(head, status); };
  http::ServerHandler handler = [this](http::ServerRequest request) { return answer(std::move(request)); };
  Result<std::unique_ptr<http::Server>> opened =
      http::listen(loop, std::move(server), std::move(handler), log_);
  if (opened.has_error()) return Error(opened.error().code(), "[face]: " + opened.error().text());
  server_ = std::move(*opened);
  log_.info(
      "face_opened",
      {{"api_root", root()}, {"tls", options_.certificate.empty() ? "no" : "yes"}, {"bots", routes_.size()}});
  return Result<void>();
}

std::string FaceDoor::root() const {
  return server_ == nullptr ? "" : face_root(options_, server_->port());
}

Result<bool> FaceDoor::reload() {
  if (server_ == nullptr || options_.certificate.empty()) return false;
  const Result<void> reloaded = server_->reload_tls();
  if (reloaded.has_error()) return reloaded.error();
  return true;
}

boost::asio::awaitable<void> FaceDoor::stop(Duration drain) {
  if (server_ == nullptr) co_return;
  co_await server_->stop(drain);
  server_.reset();
}

FaceDoor::Addressee FaceDoor::addressee_of(const http::ServerRequest& head) const {
  if (head.method != "GET" && head.method != "POST") return Addressee(http::ServerReply(501));
  if (head.absolute) {
    return Addressee(face::refusal(404, "Not Found: absolute URI is specified in the Request-Line"));
  }
  std::optional<face::FacePath> path = face::read_face_path(head.target);
  if (!path) return Addressee(face::refusal(404, "Not Found"));
  const std::optional<telegram::TokenRefusal> wrong = telegram::refuse_token(path->token);
  if (wrong) return Addressee(face::refusal(wrong->code, wrong->description));
  const Route* const route = route_of(*path);
  if (route == nullptr) return Addressee(face::refusal(401, "Unauthorized"));
  if (route->is_put_off()) return Addressee(face::put_off());
  return Addressee(std::move(*path), *route);
}

// The id is no secret: only what stands behind it must not be found out piece by piece.
const FaceDoor::Route* FaceDoor::route_of(const face::FacePath& path) const {
  const Result<telegram::Token> token = telegram::Token::parse(path.token);
  if (token.has_error()) return nullptr;
  const auto found = routes_.find(token->bot(path.test));
  if (found == routes_.end() || !admin::same_secret(found->second.token, path.token)) return nullptr;
  return &found->second;
}

boost::asio::awaitable<http::ServerReply> FaceDoor::answer(http::ServerRequest request) {
  // Looked up again: since its head was read the bot may have been changed.
  Addressee to = addressee_of(request);
  if (to.refusal) co_return std::move(*to.refusal);
  auto break_off = [open = request.open] {
    if (const auto still_open = open.lock()) still_open->break_off();
  };
  const auto visit = std::make_shared<Visit>(*to.route->visits, std::move(break_off));
  face::Face& face = *to.route->face;
  const std::weak_ptr<http::OpenRequest> open = request.open;
  http::ServerReply reply;
  try {
    http::ServerReply given = co_await face.answer(std::move(to.path), std::move(request));
    reply = std::move(given);
  } catch (const boost::system::system_error&) {
    if (!http::is_broken_off(open)) throw;
    // What was under way says itself what became of it; this one had not come so far.
    reply = face::put_off();
  }
  if (reply.stream) reply.stream = StreamOfVisit(visit, std::move(reply.stream));
  co_return reply;
}

// Never the target: it holds the token.
void FaceDoor::refused(const http::ServerRequest& head, int status) {
  const bool known = refusals_.contains(head.peer) || refusals_.size() < kMaxPeers;
  rules::LineLimit& limit =
      known ? refusals_.try_emplace(head.peer, kQuietPerPeer).first->second : other_refusals_;
  const std::optional<std::int64_t> suppressed = limit.ask(clock_.mono());
  if (!suppressed) return;
  log_.warning("face_request_refused",
               {{"status", status}, {"peer", head.peer}, {"suppressed", *suppressed}});
}

}  // namespace tgkeep::app
