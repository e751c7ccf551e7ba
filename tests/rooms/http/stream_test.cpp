// Replies that come piece by piece.

#include "loop/task_group.hpp"
#include "rooms/http/server_desk.hpp"
#include "rooms/http/spring.hpp"

namespace tgkeep::http {
namespace {

using namespace std::chrono_literals;

class HttpStream : public HttpServer {
 protected:
  void SetUp() override {
    listen_with([this](ServerRequest) { return serve(); });
  }
  asio::awaitable<ServerReply> serve() {
    ServerReply reply(200, "", "text/event-stream");
    if (length) reply.headers.emplace_back("Content-Length", std::to_string(*length));
    reply.stream = [this] { return spring.next(); };
    co_return reply;
  }
  asio::awaitable<std::string> read_some(test::RawTcp& client, std::string until) {
    std::string heard;
    while (heard.find(until) == std::string::npos) {
      std::array<char, 4096> piece;
      const std::size_t size =
          co_await client.socket().async_read_some(asio::buffer(piece), asio::use_awaitable);
      heard.append(piece.data(), size);
    }
    co_return heard;
  }
  void turn() {
    for (int i = 0; i < 100; ++i) io.poll();
  }

  Spring spring{io};
  std::optional<int> length;
};

TEST_F(HttpStream, sends_each_piece_when_it_is_there) {
  spring.pieces = {"one"};
  test::RawTcp client(io);
  test::run(io, client.connect(server->port()));
  test::run(io, client.send("GET / HTTP/1.1\r\n" + kHost + "\r\n"));
  const std::string first = test::run(io, read_some(client, "one\r\n"));
  EXPECT_NE(first.find("Transfer-Encoding: chunked\r\n"), std::string::npos) << first;
  EXPECT_NE(first.find("Content-Type: text/event-stream\r\n"), std::string::npos) << first;
  EXPECT_EQ(first.find("Content-Length"), std::string::npos) << first;
  EXPECT_NE(first.find("\r\n\r\n3\r\none\r\n"), std::string::npos) << first;
  spring.pieces = {"two two two two two", ""};
  spring.more.notify();
  EXPECT_EQ(test::run(io, read_some(client, "0\r\n\r\n")), "13\r\ntwo two two two two\r\n0\r\n\r\n");
}

TEST_F(HttpStream, with_an_announced_length_it_comes_as_it_is_and_no_byte_more) {
  length = 6;
  spring.pieces = {"one", "two and more", ""};
  const std::string kept = asked("GET / HTTP/1.1\r\n" + kLast);
  EXPECT_NE(kept.find("Content-Length: 6\r\n"), std::string::npos) << kept;
  EXPECT_EQ(kept.find("chunked"), std::string::npos) << kept;
  EXPECT_TRUE(kept.ends_with("\r\n\r\nonetwo")) << kept;
  test::RawTcp client(io);
  test::run(io, client.connect(server->port()));
  for (int i = 0; i < 2; ++i) {
    spring.pieces.insert(spring.pieces.end(), {"onetwo", ""});
    test::run(io, client.send("GET / HTTP/1.1\r\n" + kHost + "\r\n"));
    EXPECT_TRUE(test::run(io, client.read_message()).ends_with("onetwo")) << "the connection is kept";
  }
}

TEST_F(HttpStream, less_than_was_announced_closes_the_connection) {
  length = 6;
  spring.pieces = {"one", ""};
  EXPECT_TRUE(asked("GET / HTTP/1.1\r\n" + kHost + "\r\n").ends_with("\r\n\r\none"));
}

TEST_F(HttpStream, keeps_the_connection_for_the_next_request) {
  spring.pieces = {"", ""};
  test::RawTcp client(io);
  test::run(io, client.connect(server->port()));
  for (int i = 0; i < 2; ++i) {
    test::run(io, client.send("GET / HTTP/1.1\r\n" + kHost + "\r\n"));
    test::run(io, read_some(client, "\r\n\r\n0\r\n\r\n"));
  }
  EXPECT_EQ(server->stats().accepted, 1U);
}

TEST_F(HttpStream, sends_an_old_client_the_bytes_until_it_closes) {
  spring.pieces = {"one", "two", ""};
  const std::string answer = asked("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\nonetwo")) << answer;
}

TEST_F(HttpStream, sends_only_the_head_of_it_for_HEAD) {
  const std::string answer = asked("HEAD / HTTP/1.1\r\n" + kLast);
  EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
  EXPECT_EQ(spring.asked, 0);
}

TEST_F(HttpStream, ends_what_gives_the_pieces_when_the_client_hangs_up) {
  test::RawTcp client(io);
  test::run(io, client.connect(server->port()));
  test::run(io, client.send("GET / HTTP/1.1\r\n" + kHost + "\r\n"));
  test::run(io, read_some(client, "\r\n\r\n"));
  client.close();
  test::run(io, spring.ended.wait());
  turn();
  EXPECT_EQ(server->stats().connections, 0U);
}

TEST_F(HttpStream, ends_at_once_when_the_server_stops_however_long_the_drain) {
  test::RawTcp client(io);
  test::run(io, client.connect(server->port()));
  test::run(io, client.send("GET / HTTP/1.1\r\n" + kHost + "\r\n"));
  test::run(io, read_some(client, "\r\n\r\n"));
  test::run(io, server->stop(1h));
  EXPECT_EQ(server->stats().connections, 0U);
  // No last chunk: the reply is seen to be cut.
  EXPECT_EQ(test::run(io, client.read_to_end()).find("0\r\n"), std::string::npos);
}

TEST_F(HttpStream, asks_for_no_more_than_the_client_takes) {
  spring.pieces.assign(64, std::string(1U << 20, 'x'));
  test::RawTcp client(io);
  test::run(io, client.connect(server->port()));
  test::run(io, client.send("GET / HTTP/1.1\r\n" + kHost + "\r\n"));
  turn();
  EXPECT_GT(spring.asked, 0);
  // What fits into the buffers of both sockets.
  EXPECT_LT(spring.asked, 30);
}

TEST_F(HttpStream, ends_when_a_client_that_takes_nothing_resets) {
  spring.pieces.assign(64, std::string(1U << 20, 'x'));
  test::RawTcp client(io);
  test::run(io, client.connect(server->port()));
  test::run(io, client.send("GET / HTTP/1.1\r\n" + kHost + "\r\n"));
  while (server->stats().requests == 0) io.run_one();
  client.reset();
  while (server->stats().connections > 0) io.run_one();
  EXPECT_LT(spring.asked, 30);
}

TEST_F(HttpStream, breaks_the_reply_off_when_the_source_of_it_fails) {
  spring.pieces = {"one", "throw"};
  const std::string answer = asked("GET / HTTP/1.1\r\n" + kHost + "\r\n");
  EXPECT_TRUE(answer.ends_with("3\r\none\r\n")) << answer;
}

}  // namespace
}  // namespace tgkeep::http
