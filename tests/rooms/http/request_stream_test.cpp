// Bodies that the handler reads while they come.

#include <algorithm>

#include "rooms/http/server_desk.hpp"

namespace tgkeep::http {
namespace {

using namespace std::chrono_literals;

const std::string kChunked = "POST /read HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n";

std::string post(const std::string& target, std::size_t length, const std::string& more = "") {
  return "POST " + target + " HTTP/1.1\r\n" + kHost + "Content-Length: " + std::to_string(length) + "\r\n" +
         more + "\r\n";
}

/// /read reads all; /one reads a piece; /none reads nothing; /step reads a piece each time it is told;
/// anything else comes gathered.
class HttpRequestStream : public HttpServer {
 protected:
  void SetUp() override {
    options.streams = [](const ServerRequest& head) { return head.target != "/gathered"; };
    options.on_refused = [this](const ServerRequest&, int status) { refused.push_back(status); };
  }
  void start() {
    listen_with([this](ServerRequest request) { return serve(std::move(request)); });
  }
  asio::awaitable<ServerReply> serve(ServerRequest request) {
    ++served;
    streamed = request.stream != nullptr;
    length = streamed ? request.stream->length() : std::nullopt;
    headers = request.headers;
    if (streamed && request.target != "/none") {
      try {
        co_await read(request);
      } catch (const boost::system::system_error& error) {
        failure = error.code();
        failed.notify();
        throw;
      }
    }
    kept = request.stream;
    ServerReply reply(200, request.method + " " + std::to_string(size) + " " + request.body, "text/plain");
    co_return reply;
  }
  asio::awaitable<void> read(const ServerRequest& request) {
    const bool steps = request.target == "/step";
    for (;;) {
      if (steps) co_await step.wait();
      std::string piece = co_await request.stream->read();
      size += piece.size();
      largest = std::max(largest, piece.size());
      most_held = std::max(most_held, server->stats().held);
      text += piece.substr(0, 1000 - std::min<std::size_t>(1000, text.size()));
      if (piece.empty() || request.target == "/one") break;
    }
  }
  asio::awaitable<std::string> some(test::RawTcp& client) {
    std::array<char, 4096> piece;
    const std::size_t size =
        co_await client.socket().async_read_some(asio::buffer(piece), asio::use_awaitable);
    co_return std::string(piece.data(), size);
  }
  void turn() {
    for (int i = 0; i < 100; ++i) io.poll();
  }

  loop::Event step{io.get_executor()};
  loop::Event failed{io.get_executor()};
  std::vector<int> refused;
  Headers headers;
  std::shared_ptr<RequestStream> kept;
  std::optional<std::uint64_t> length;
  boost::system::error_code failure;
  std::string text;
  int served = 0;
  bool streamed = false;
  std::size_t size = 0;
  std::size_t largest = 0;
  std::size_t most_held = 0;
};

TEST_F(HttpRequestStream, gives_a_body_of_known_length_piece_by_piece) {
  start();
  const std::string answer = asked(post("/read", 11, "Connection: close\r\n") + "hello world");
  EXPECT_TRUE(answer.ends_with("POST 11 ")) << answer;
  EXPECT_TRUE(streamed);
  EXPECT_EQ(length, 11U);
  EXPECT_EQ(text, "hello world");
  EXPECT_EQ(server->stats().requests, 1U);
  EXPECT_EQ(server->stats().refused, 0U);
}

TEST_F(HttpRequestStream, gives_a_chunked_body_without_a_length) {
  start();
  const std::string answer =
      asked(kChunked + "Connection: close\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n");
  EXPECT_TRUE(answer.ends_with("POST 11 ")) << answer;
  EXPECT_EQ(length, std::nullopt);
  EXPECT_EQ(text, "hello world");
}

TEST_F(HttpRequestStream, gives_an_empty_piece_at_once_when_there_is_no_body) {
  start();
  EXPECT_TRUE(asked("GET /read HTTP/1.1\r\n" + kLast).ends_with("GET 0 "));
  EXPECT_TRUE(streamed);
  EXPECT_TRUE(asked(post("/read", 0, "Connection: close\r\n")).ends_with("POST 0 "));
  EXPECT_TRUE(asked(kChunked + "Connection: close\r\n\r\n0\r\n\r\n").ends_with("POST 0 "));
}

TEST_F(HttpRequestStream, gathers_the_bodies_that_are_not_to_be_streamed) {
  start();
  const std::string answer = asked(post("/gathered", 5, "Connection: close\r\n") + "hello");
  EXPECT_TRUE(answer.ends_with("POST 0 hello")) << answer;
  EXPECT_FALSE(streamed);
  options.max_body = 4;
}

TEST_F(HttpRequestStream, lets_the_next_request_follow_behind_the_body) {
  start();
  std::string all;
  for (int i = 0; i < 3; ++i) all += post("/read", 3) + "abc" + kChunked + "\r\n3\r\nabc\r\n0\r\n\r\n";
  all += "GET /gathered HTTP/1.1\r\n" + kLast;
  const std::string answer = asked(all);
  EXPECT_EQ(served, 7);
  EXPECT_EQ(size, 18U);
  EXPECT_EQ(server->stats().accepted, 1U);
  EXPECT_TRUE(answer.ends_with("GET 18 ")) << answer;
}

}  // namespace
}  // namespace tgkeep::http
