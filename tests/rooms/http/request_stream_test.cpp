// Bodies that the handler reads while they come.

#include <algorithm>
#include <boost/asio/co_spawn.hpp>

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
}

TEST_F(HttpRequestStream, takes_large_bodies_only_where_they_are_streamed) {
  options.max_body = 4;
  options.max_stream = 1000;
  start();
  EXPECT_TRUE(
      asked(post("/read", 1000, "Connection: close\r\n") + std::string(1000, 'x')).ends_with("POST 1000 "));
  EXPECT_EQ(test::status_of(asked(post("/gathered", 5) + "hello")), 413);
  EXPECT_EQ(test::status_of(asked(post("/read", 1001))), 413);
  EXPECT_EQ(served, 1);
  EXPECT_EQ(refused, (std::vector<int>{413, 413}));
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

TEST_F(HttpRequestStream, hands_a_request_over_before_its_body_and_reads_no_faster_than_the_handler) {
  start();
  test::RawTcp client(io);
  test::run(io, client.connect(server->port()));
  const std::size_t whole = 20U << 20;
  test::run(io, client.send(post("/step", whole)));
  turn();
  EXPECT_EQ(served, 1);
  EXPECT_EQ(size, 0U);
  std::string bytes(whole, 'x');
  bool sent = false;
  asio::co_spawn(io, client.send(std::move(bytes)), [&](const std::exception_ptr&) { sent = true; });
  turn();
  EXPECT_FALSE(sent);
  EXPECT_LT(server->stats().held, 200U << 10);
  for (int i = 0; i < 10; ++i) {
    step.notify();
    turn();
  }
  EXPECT_FALSE(sent);
  EXPECT_LT(size, 1U << 20);
  EXPECT_GT(size, 100U << 10);
  while (size < whole) {
    step.notify();
    io.poll();
  }
  step.notify();
  const std::string answer = test::run(io, client.read_message());
  EXPECT_NE(answer.find("POST " + std::to_string(whole)), std::string::npos) << answer;
  EXPECT_LT(most_held, 1U << 20);
  EXPECT_LE(largest, 90U << 10);
}

TEST_F(HttpRequestStream, invites_the_body_when_the_handler_asks_for_it_and_not_before) {
  start();
  test::RawTcp client(io);
  test::run(io, client.connect(server->port()));
  test::run(io, client.send(post("/step", 5, "Expect: 100-continue\r\n")));
  turn();
  boost::system::error_code ignored;
  EXPECT_EQ(client.socket().available(ignored), 0U);
  step.notify();
  EXPECT_EQ(test::run(io, some(client)), "HTTP/1.1 100 Continue\r\n\r\n");
  test::run(io, client.send("hello"));
  turn();
  step.notify();
  EXPECT_EQ(test::status_of(test::run(io, client.read_message())), 200);
}

TEST_F(HttpRequestStream, does_not_invite_a_body_that_is_not_wanted) {
  start();
  const std::string answer = asked(post("/none", 5, "Expect: 100-continue\r\n"));
  EXPECT_EQ(test::status_of(answer), 200);
  EXPECT_EQ(answer.find("100 Continue"), std::string::npos) << answer;
  EXPECT_NE(answer.find("Connection: close"), std::string::npos) << answer;
}

TEST_F(HttpRequestStream, reads_a_small_rest_for_the_sake_of_the_connection) {
  start();
  test::RawTcp client(io);
  test::run(io, client.connect(server->port()));
  test::run(io, client.send(post("/none", 60'000) + "x"));
  const std::string first = test::run(io, client.read_message());
  EXPECT_NE(first.find("Connection: keep-alive"), std::string::npos) << first;
  test::run(io, client.send(std::string(59'999, 'x') + "GET /gathered HTTP/1.1\r\n" + kLast));
  EXPECT_TRUE(test::run(io, client.read_to_end()).ends_with("GET 0 "));
  EXPECT_EQ(server->stats().requests, 2U);
}

TEST_F(HttpRequestStream, closes_behind_an_answer_that_came_before_a_large_rest) {
  start();
  const std::string answer = asked(post("/one", 30U << 20) + std::string(1U << 20, 'x'));
  EXPECT_EQ(test::status_of(answer), 200) << answer;
  EXPECT_NE(answer.find("Connection: close"), std::string::npos) << answer;
  const std::string chunked =
      asked("POST /none HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
  EXPECT_EQ(test::status_of(chunked), 200) << chunked;
  EXPECT_NE(chunked.find("Connection: close"), std::string::npos) << chunked;
}

TEST_F(HttpRequestStream, lets_the_next_request_follow_behind_an_unread_body_that_is_there) {
  start();
  const std::string body =
      "POST /none HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
  const std::string answer = asked(body + body + "GET /gathered HTTP/1.1\r\n" + kLast);
  EXPECT_EQ(served, 3);
  EXPECT_TRUE(answer.ends_with("GET 0 ")) << answer;
}

TEST_F(HttpRequestStream, refuses_a_chunked_body_when_it_has_become_too_large) {
  options.max_stream = 100;
  start();
  const std::string answer = asked(kChunked + "\r\n50\r\n" + std::string(80, 'x') + "\r\n50\r\n" +
                                   std::string(80, 'x') + "\r\n0\r\n\r\n");
  EXPECT_EQ(test::status_of(answer), 413) << answer;
  EXPECT_LE(size, 100U);
  EXPECT_EQ(server->stats().refused, 1U);
  EXPECT_TRUE(failure);
}

TEST_F(HttpRequestStream, refuses_what_is_no_body) {
  start();
  for (const std::string rest : {"zz\r\nhello\r\n", "5\r\nhelloXXX\r\n", "-1\r\n", "fffffffffffffffff\r\n"}) {
    failure.clear();
    EXPECT_EQ(test::status_of(asked(kChunked + "\r\n5\r\nhello\r\n" + rest)), 400) << rest;
    EXPECT_TRUE(failure) << rest;
  }
  EXPECT_EQ(test::status_of(asked(kChunked + "\r\n5\r\nhello\r\n5;x=" + std::string(100'000, 'x'))), 431);
}

TEST_F(HttpRequestStream, refuses_heads_that_leave_the_end_of_the_body_in_doubt) {
  start();
  const std::string both = "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n";
  EXPECT_EQ(test::status_of(asked("POST /read HTTP/1.1\r\n" + kHost + both + "\r\n0\r\n\r\n")), 400);
  EXPECT_EQ(test::status_of(asked(post("/read", 5, "Content-Length: 6\r\n") + "hello")), 400);
  EXPECT_EQ(test::status_of(asked(post("/read", 5, "Transfer-Encoding: gzip\r\n"))), 400);
  EXPECT_EQ(
      test::status_of(asked("POST /read HTTP/1.1\r\n" + kHost + "Transfer-Encoding: gzip, chunked\r\n\r\n")),
      501);
  EXPECT_EQ(served, 0);
}

TEST_F(HttpRequestStream, refuses_a_body_that_comes_too_slowly) {
  options.stream_timeout = 30ms;
  start();
  const std::string answer = asked(post("/read", 10) + "hello");
  EXPECT_EQ(test::status_of(answer), 408) << answer;
  EXPECT_EQ(size, 5U);
  EXPECT_EQ(failure, asio::error::timed_out);
  EXPECT_EQ(server->stats().refused, 1U);
}

TEST_F(HttpRequestStream, cancels_the_handler_when_the_client_hangs_up) {
  start();
  for (const bool reset : {false, true}) {
    test::RawTcp client(io);
    test::run(io, client.connect(server->port()));
    test::run(io, client.send(post("/read", 10) + "hello"));
    turn();
    if (reset) {
      client.reset();
    } else {
      client.close();
    }
    test::run(io, failed.wait());
    EXPECT_EQ(failure, asio::error::operation_aborted);
    while (server->stats().connections > 0) io.run_one();
  }
  EXPECT_EQ(server->stats().refused, 0U);
}

TEST_F(HttpRequestStream, cancels_a_handler_that_does_something_else_meanwhile) {
  start();
  test::RawTcp client(io);
  test::run(io, client.connect(server->port()));
  test::run(io, client.send(post("/step", 10) + "hello"));
  turn();
  client.close();
  test::run(io, failed.wait());
  EXPECT_EQ(size, 0U);
}

TEST_F(HttpRequestStream, lets_a_body_come_to_its_end_while_the_server_stops) {
  start();
  test::RawTcp client(io);
  test::run(io, client.connect(server->port()));
  test::run(io, client.send(post("/read", 10) + "hello"));
  turn();
  bool stopped = false;
  asio::co_spawn(io, server->stop(1h), [&](const std::exception_ptr&) { stopped = true; });
  turn();
  EXPECT_FALSE(stopped);
  test::run(io, client.send("world"));
  const std::string answer = test::run(io, client.read_to_end());
  EXPECT_NE(answer.find("POST 10"), std::string::npos) << answer;
  while (!stopped) io.run_one();
}

TEST_F(HttpRequestStream, cancels_the_handler_when_the_server_has_stopped) {
  start();
  test::RawTcp client(io);
  test::run(io, client.connect(server->port()));
  test::run(io, client.send(post("/read", 10) + "hello"));
  turn();
  test::run(io, server->stop(0s));
  EXPECT_EQ(failure, asio::error::operation_aborted);
  EXPECT_EQ(server->stats().connections, 0U);
}

TEST_F(HttpRequestStream, gives_nothing_any_more_when_the_handler_has_ended) {
  start();
  asked(post("/none", 5, "Connection: close\r\n") + "hello");
  ASSERT_TRUE(kept);
  EXPECT_THROW(test::run(io, kept->read()), boost::system::system_error);
}

}  // namespace
}  // namespace tgkeep::http
