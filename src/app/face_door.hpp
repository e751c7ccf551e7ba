#pragma once
// The HTTP server where bots reach the Bot API: hands each request to the bot whose token it has.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/gateway.hpp>
#include <tgkeep/id.hpp>
#include <tgkeep/log.hpp>

#include "app/visits.hpp"
#include "face/face.hpp"
#include "http/server.hpp"
#include "rules/line_limit.hpp"

namespace tgkeep::app {

/// Everything on the loop's thread. `stop` it before destroying it or what was added to it.
class FaceDoor {
 public:
  /// What is cut off at the end of a stop has so long to be told so.
  static constexpr Duration kLastAnswers = std::chrono::milliseconds(300);

  FaceDoor(FaceOptions options, Clock& clock, Log log)
      : options_(std::move(options)), clock_(clock), log_(std::move(log)) {}
  FaceDoor(const FaceDoor&) = delete;
  FaceDoor& operator=(const FaceDoor&) = delete;

  /// Requests with this token are the bot's from now on. Each is a visit, as long as its answer takes.
  void add(BotId bot, std::string token, face::Face& face, Visits& visits);
  /// The bot's requests get 429 from now on, until it is added again or removed.
  void put_off(BotId bot);
  /// What is put off is not there any more: 401.
  void remove_put_off(BotId bot);

  /// bad_config when the address may not be opened like this; else what is in the way.
  Result<void> open(const boost::asio::any_io_executor& loop);
  bool is_open() const { return server_ != nullptr; }
  /// What a bot's API root must be; "" while it is not open.
  std::string root() const;
  const FaceOptions& options() const { return options_; }
  /// Reads certificate and key again; whether there are any. An error changes nothing.
  Result<bool> reload();
  /// Lets requests being answered finish for at most `drain`. Those that don't are told what became of them,
  /// which takes `kLastAnswers` at most.
  boost::asio::awaitable<void> stop(Duration drain);

 private:
  class Route {
   public:
    Route(std::string token, face::Face* face, Visits* visits)
        : token(std::move(token)), face(face), visits(visits) {}
    std::string token;
    face::Face* face;  // put off when there is none
    Visits* visits;
    bool is_put_off() const { return face == nullptr || !visits->open(); }
  };
  /// Where a request goes, or what refuses it.
  class Addressee {
   public:
    Addressee(face::FacePath path, const Route& route) : path(std::move(path)), route(&route) {}
    explicit Addressee(http::ServerReply refusal) : refusal(std::move(refusal)) {}
    face::FacePath path;
    const Route* route = nullptr;
    std::optional<http::ServerReply> refusal;
  };

  Addressee addressee_of(const http::ServerRequest& head) const;
  const Route* route_of(const face::FacePath& path) const;
  boost::asio::awaitable<http::ServerReply> answer(http::ServerRequest request);
  void refused(const http::ServerRequest& head, int status);

  FaceOptions options_;
  Clock& clock_;
  Log log_;
  std::map<BotId, Route> routes_;
  std::map<std::string, rules::LineLimit> refusals_;  // by peer
  rules::LineLimit other_refusals_;                   // of peers beyond those
  std::unique_ptr<http::Server> server_;
};

}  // namespace tgkeep::app
