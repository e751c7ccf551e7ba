// Bodies that come while they are sent, and answers that are read while they come.

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "http/server.hpp"
#include "loop/event.hpp"
#include "rooms/http/client_desk.hpp"

namespace tgkeep::http {
namespace {

using namespace std::chrono_literals;

/// Gives `pieces`, then waits for `more` each time it has none. "throw" throws.
class Pieces {
 public:
  explicit Pieces(asio::io_context& io) : more(io.get_executor()), ended(io.get_executor()) {}
  asio::awaitable<std::string> next() {
    ++asked;
    while (pieces.empty()) {
      try {
        co_await more.wait();
      } catch (...) {
        ++cancelled;
        ended.notify();
        throw;
      }
    }
    std::string piece = std::move(pieces.front());
    pieces.erase(pieces.begin());
    if (piece == "throw") throw std::runtime_error("dry");
    co_return piece;
  }
  BodySource source() {
    return [this] { return next(); };
  }

  std::vector<std::string> pieces;
  loop::Event more;
  loop::Event ended;
  int asked = 0;
  int cancelled = 0;
};

class HttpClientStream : public HttpClient {
 protected:
  ClientRequest streamed(std::string first, std::optional<std::uint64_t> length) {
    ClientRequest post = request(std::move(first));
    post.rest = body.source();
    post.length = length;
    return post;
  }
  void turn() {
    for (int i = 0; i < 100; ++i) io.poll();
  }
  asio::awaitable<std::string> read_all(std::shared_ptr<AnswerStream> stream) {
    std::string all;
    for (;;) {
      PieceResult piece = co_await stream->read();
      if (!piece) {
        failure = piece.error();
        break;
      }
      if (piece->empty()) break;
      all += *piece;
    }
    co_return all;
  }

  Pieces body{io};
  std::optional<ClientError> failure;
};

TEST_F(HttpClientStream, sends_a_body_of_known_length_while_it_comes) {
  start();
  body.pieces = {"two", "three", ""};
  const ClientResult result = sent(streamed("one", 11));
  ASSERT_TRUE(result) << result.error().text;
  EXPECT_EQ(result->body, "ok");
  ASSERT_EQ(arrived.size(), 1U);
  EXPECT_NE(arrived[0].find("Content-Length: 11\r\n"), std::string::npos) << arrived[0];
  EXPECT_EQ(arrived[0].find("Transfer-Encoding"), std::string::npos) << arrived[0];
  EXPECT_TRUE(arrived[0].ends_with("\r\n\r\nonetwothree")) << arrived[0];
}

TEST_F(HttpClientStream, reads_an_answer_while_it_comes) {
  start();
  const ClientResult result = test::run(io, client.open(request()));
  ASSERT_TRUE(result) << result.error().text;
  EXPECT_EQ(result->status, 200);
  EXPECT_EQ(*find_header(result->headers, "Content-Length"), "2");
  EXPECT_EQ(result->body, "");
  EXPECT_EQ(test::run(io, read_all(result->stream)), "ok");
  EXPECT_FALSE(failure);
}

/// Between our own client and server: a large body up, and as much down again.
class HttpEcho : public HttpClientStream {
 protected:
  static constexpr std::size_t kSize = 50U << 20;
  static constexpr std::size_t kPiece = 100'000;

  void SetUp() override {
    ServerOptions options;
    options.streams = [](const ServerRequest&) { return true; };
    server = listen(
                 io.get_executor(), options,
                 [this](ServerRequest request) { return serve(std::move(request)); }, Log())
                 .value();
  }
  void TearDown() override {
    test::run(io, server->stop(0s));
    HttpClientStream::TearDown();
  }
  asio::awaitable<ServerReply> serve(ServerRequest request) {
    for (;;) {
      std::string piece = co_await request.stream->read();
      if (piece.empty()) break;
      arrived_size += piece.size();
      most_held = std::max(most_held, server->stats().held + piece.size());
      most_ahead = std::max(most_ahead, given_size - arrived_size);
    }
    ServerReply reply(200);
    reply.stream = [this] { return down(); };
    co_return reply;
  }
  asio::awaitable<std::string> down() {
    const std::size_t size = std::min(kPiece, kSize - down_size);
    down_size += size;
    co_return std::string(size, 'd');
  }
  asio::awaitable<std::string> up() {
    const std::size_t size = std::min(kPiece, kSize - given_size);
    given_size += size;
    co_return std::string(size, 'u');
  }
  ClientRequest post() {
    ClientRequest post("POST", "http://127.0.0.1:" + std::to_string(server->port()) + "/");
    post.rest = [this] { return up(); };
    return post;
  }
  asio::awaitable<std::size_t> count(std::shared_ptr<AnswerStream> stream) {
    std::size_t size = 0;
    for (;;) {
      const PieceResult piece = co_await stream->read();
      if (!piece || piece->empty()) break;
      size += piece->size();
      largest = std::max(largest, piece->size());
    }
    co_return size;
  }

  std::unique_ptr<Server> server;
  std::size_t given_size = 0;
  std::size_t arrived_size = 0;
  std::size_t down_size = 0;
  std::size_t most_held = 0;
  std::size_t most_ahead = 0;
  std::size_t largest = 0;
};

TEST_F(HttpEcho, carries_50_MB_up_and_down_and_holds_little_of_it) {
  ClientRequest request = post();
  request.length = kSize;
  const ClientResult result = test::run(io, client.open(std::move(request)));
  ASSERT_TRUE(result) << result.error().text;
  EXPECT_EQ(arrived_size, kSize);
  EXPECT_EQ(test::run(io, count(result->stream)), kSize);
  EXPECT_LT(most_held, 1U << 20);
  EXPECT_LE(largest, 80U << 10);
  // Besides what we hold, the buffers of both sockets.
  EXPECT_LT(most_ahead, 16U << 20);
}

TEST_F(HttpEcho, carries_a_body_of_unknown_length) {
  const ClientResult result = test::run(io, client.send(post()));
  ASSERT_TRUE(result) << result.error().text;
  EXPECT_EQ(arrived_size, kSize);
  EXPECT_EQ(result->body.size(), kSize);
}

}  // namespace
}  // namespace tgkeep::http
