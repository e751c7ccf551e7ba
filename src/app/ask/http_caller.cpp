#include "app/ask/http_caller.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <cstring>

#include "app/ask/turn_loop.hpp"
#include "http/client.hpp"

namespace tgkeep::app {

namespace {

namespace asio = boost::asio;

class HttpCaller final : public Caller {
 public:
  HttpCaller(std::string root, std::string where) : root_(std::move(root)), where_(std::move(where)) {}
  std::string token;
  std::string unix_socket;

  Result<AdminReply> ask(AdminRequest request) override {
    http::ClientRequest sent(request.method, root_ + request.target);
    sent.body = request.body;
    sent.timeout = request.timeout;
    sent.repeatable = request.method == "GET";
    if (request.method == "POST") sent.headers.emplace_back("Content-Type", "application/json");
    sent.unix_socket = unix_socket;
    if (!token.empty()) sent.headers.emplace_back("Authorization", "Bearer " + token);
    http::ClientResult answer = turn_until(io_, client_.send(std::move(sent)), request.meanwhile);
    if (answer.has_value()) return AdminReply(answer->status, std::move(answer->body));
    std::string text = where_ + " gave no answer: " + answer.error().text;
    if (answer.error().kind == http::ClientError::Kind::maybe_sent) {
      text += "; ask for the status to see what became of it";
    }
    return Error(Errc::network, std::move(text));
  }

  void pass(Duration time) override { turn_for(io_, time); }

 private:
  asio::io_context io_{1};
  std::string root_;
  std::string where_;
  http::Client client_{io_.get_executor()};
};

}  // namespace

SocketState look_at_socket(const std::string& path) {
  sockaddr_un place{};
  place.sun_family = AF_UNIX;
  if (path.size() >= sizeof place.sun_path) return SocketState::nobody;
  std::memcpy(place.sun_path, path.data(), path.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return SocketState::nobody;
  const int connected = ::connect(socket, reinterpret_cast<const sockaddr*>(&place), sizeof place);
  const int error = connected == 0 ? 0 : errno;
  ::close(socket);
  // EAGAIN: so many are waiting that its queue is full; it is there.
  if (error == 0 || error == EAGAIN) return SocketState::answers;
  return error == EACCES || error == EPERM ? SocketState::forbidden : SocketState::nobody;
}

std::unique_ptr<Caller> socket_caller(std::string path) {
  auto caller = std::make_unique<HttpCaller>("http://localhost", "the process at " + path);
  caller->unix_socket = std::move(path);
  return caller;
}

std::unique_ptr<Caller> tcp_caller(std::string url, std::string token) {
  const std::string where = url;
  auto caller = std::make_unique<HttpCaller>(std::move(url), where);
  caller->token = std::move(token);
  return caller;
}

}  // namespace tgkeep::app
