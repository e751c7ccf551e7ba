#include "e2e/receiver_thread.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <cstdint>
#include <stdexcept>

#include "http/client.hpp"
#include "support/run.hpp"

namespace tgkeep::test {

namespace {

constexpr auto kPatience = std::chrono::minutes(1);

http::ClientResponse send(http::ClientRequest request) {
  boost::asio::io_context io(1);
  http::Client client(io.get_executor());
  const http::ClientResult result = run(io, client.send(std::move(request)));
  if (!result) throw std::runtime_error(result.error().text);
  return *result;
}

}  // namespace

ReceiverThread::ReceiverThread(Script script, int port) : script_(std::move(script)) {
  http::ServerHandler handler = [this](http::ServerRequest request) { return answer(std::move(request)); };
  http::ServerOptions options;
  options.port = static_cast<std::uint16_t>(port);
  server_ = http::listen(io_.get_executor(), std::move(options), std::move(handler), Log()).value();
  thread_ = std::thread([this] { io_.run(); });
}

ReceiverThread::~ReceiverThread() {
  boost::asio::co_spawn(io_, server_->stop(Duration(0)), boost::asio::use_future).get();
  work_.reset();
  thread_.join();
}

boost::asio::awaitable<http::ServerReply> ReceiverThread::answer(http::ServerRequest request) {
  http::ServerReply reply = script_(request);
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
  }
  changed_.notify_all();
  co_return reply;
}

http::ServerRequest ReceiverThread::request(std::size_t index) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, kPatience, [&] { return requests_.size() > index; })) {
    throw std::runtime_error("only " + std::to_string(requests_.size()) + " pushes came");
  }
  return requests_[index];
}

std::size_t ReceiverThread::count() const {
  const std::lock_guard lock(mutex_);
  return requests_.size();
}

http::ClientResponse post(const std::string& url, const http::Headers& headers, std::string body) {
  http::ClientRequest request("POST", url);
  request.headers = headers;
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = std::move(body);
  return send(std::move(request));
}

http::ClientResponse get(const std::string& url) {
  return send(http::ClientRequest("GET", url));
}

int free_port() {
  const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ::bind(probe, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(probe);
  return ntohs(address.sin_port);
}

}  // namespace tgkeep::test
