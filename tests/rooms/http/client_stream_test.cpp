// Bodies that come while they are sent, and answers that are read while they come.

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>

#include "http/server.hpp"
#include "rooms/http/client_desk.hpp"
#include "rooms/http/spring.hpp"

namespace tgkeep::http {
namespace {

using namespace std::chrono_literals;

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

  Spring body{io};
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

TEST_F(HttpClientStream, asks_for_no_piece_before_it_is_connected_and_only_when_the_last_is_sent) {
  body.pieces = {""};
  ClientRequest post = streamed("", std::nullopt);
  listener.close();
  const ClientResult result = sent(std::move(post));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ClientError::Kind::not_sent);
  EXPECT_EQ(body.asked, 0);
}

TEST_F(HttpClientStream, waits_for_a_piece_that_takes_its_time) {
  start();
  bool ended = false;
  std::optional<ClientResult> result;
  asio::co_spawn(io, client.send(streamed("one", 6)), [&](const std::exception_ptr&, ClientResult got) {
    result.emplace(std::move(got));
    ended = true;
  });
  while (body.asked == 0) io.run_one();
  turn();
  EXPECT_FALSE(ended);
  body.pieces = {"two", ""};
  body.more.notify();
  while (!ended) io.run_one();
  ASSERT_TRUE(*result) << result->error().text;
  EXPECT_TRUE(arrived[0].ends_with("\r\n\r\nonetwo")) << arrived[0];
}

TEST_F(HttpClientStream, breaks_off_a_body_that_is_not_as_long_as_announced) {
  start();
  body.pieces = {"two", ""};
  const ClientResult shorter = sent(streamed("one", 7));
  ASSERT_FALSE(shorter);
  EXPECT_NE(shorter.error().text.find("shorter than its length"), std::string::npos) << shorter.error().text;
  body.pieces = {"two", "three", ""};
  const ClientResult longer = sent(streamed("one", 8));
  ASSERT_FALSE(longer);
  EXPECT_NE(longer.error().text.find("longer than its length"), std::string::npos) << longer.error().text;
  const ClientResult never = sent(streamed("one", 2));
  ASSERT_FALSE(never);
  EXPECT_EQ(never.error().kind, ClientError::Kind::not_sent);
  EXPECT_TRUE(arrived.empty());
}

TEST_F(HttpClientStream, breaks_off_when_the_source_fails) {
  start();
  body.pieces = {"two", "throw"};
  const ClientResult result = sent(streamed("one", 1000));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ClientError::Kind::maybe_sent);
  EXPECT_NE(result.error().text.find("dry"), std::string::npos) << result.error().text;
}

TEST_F(HttpClientStream, ends_the_source_before_it_ends_itself) {
  start();
  ClientRequest slow = streamed("one", 1000);
  slow.timeout = 50ms;
  const ClientResult result = sent(std::move(slow));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ClientError::Kind::maybe_sent);
  EXPECT_EQ(body.cancelled, 1);
  ClientRequest opened = streamed("one", 1000);
  opened.timeout = 50ms;
  const ClientResult head = test::run(io, client.open(std::move(opened)));
  ASSERT_FALSE(head);
  EXPECT_EQ(body.cancelled, 2);
}

TEST_F(HttpClientStream, can_be_cancelled_while_it_waits_for_a_piece) {
  start();
  for (const bool opens : {false, true}) {
    body.asked = body.cancelled = 0;
    asio::awaitable<ClientResult> work =
        opens ? client.open(streamed("one", 1000)) : client.send(streamed("one", 1000));
    asio::cancellation_signal cancel;
    std::optional<ClientResult> result;
    bool ended = false;
    asio::co_spawn(
        io, std::move(work),
        asio::bind_cancellation_slot(cancel.slot(), [&](const std::exception_ptr&, ClientResult got) {
          result.emplace(std::move(got));
          ended = true;
        }));
    while (body.asked == 0) io.run_one();
    turn();
    cancel.emit(asio::cancellation_type::terminal);
    while (!ended) io.run_one();
    EXPECT_EQ(body.cancelled, 1) << opens;
    if (result && !*result) {
      EXPECT_EQ(result->error().kind, ClientError::Kind::maybe_sent);
    }
  }
}

// The trap of libcurl, which resends by itself: what has been given away of such a body is gone.
TEST_F(HttpClientStream, never_puts_a_streamed_body_on_the_wire_twice) {
  script = [](std::size_t number) { return number == 2 ? std::string() : kAnswer; };
  start();
  ASSERT_TRUE(sent(request()));
  body.pieces = {std::string(100'000, 'b'), ""};
  const ClientResult second = sent(streamed("one", 100'003));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ClientError::Kind::maybe_sent) << second.error().text;
  ASSERT_TRUE(sent(request("third")));
  ASSERT_EQ(arrived.size(), 3U);
  EXPECT_TRUE(arrived[2].ends_with("third"));
}

TEST_F(HttpClientStream, tells_of_a_connection_that_breaks_inside_the_answer) {
  script = [](std::size_t) { return std::string("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart"); };
  close_after_answer = true;
  start();
  const ClientResult result = test::run(io, client.open(request()));
  ASSERT_TRUE(result) << result.error().text;
  EXPECT_EQ(test::run(io, read_all(result->stream)), "part");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->kind, ClientError::Kind::maybe_sent);
  EXPECT_EQ(failure->text.find("secret"), std::string::npos) << failure->text;
}

TEST_F(HttpClientStream, gives_up_an_answer_that_falls_silent) {
  script = [](std::size_t) { return std::string("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart"); };
  start();
  ClientRequest slow = request();
  slow.timeout = 50ms;
  const ClientResult result = test::run(io, client.open(std::move(slow)));
  ASSERT_TRUE(result) << result.error().text;
  EXPECT_EQ(test::run(io, read_all(result->stream)), "part");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->kind, ClientError::Kind::maybe_sent);
}

TEST_F(HttpClientStream, breaks_the_exchange_off_when_nobody_wants_the_answer_any_more) {
  script = [](std::size_t number) {
    return number == 1 ? std::string("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart") : kAnswer;
  };
  start();
  ClientResult result = test::run(io, client.open(request()));
  ASSERT_TRUE(result);
  result->stream.reset();
  while (tasks.size() > 1) io.run_one();
  ASSERT_TRUE(sent(request("next")));
  EXPECT_EQ(connections, 2);
}

TEST_F(HttpClientStream, takes_a_refusal_that_comes_before_the_body_is_whole) {
  script = [](std::size_t) {
    return std::string("HTTP/1.1 413 Payload Too Large\r\nContent-Length: 3\r\n\r\nno!");
  };
  start();
  const ClientResult result = sent(streamed("one", std::nullopt));
  ASSERT_TRUE(result) << result.error().text;
  EXPECT_EQ(result->status, 413);
  EXPECT_EQ(result->body, "no!");
  EXPECT_EQ(body.cancelled, 1);
}

TEST_F(HttpClientStream, passes_over_heads_that_only_announce_the_answer) {
  script = [](std::size_t) { return "HTTP/1.1 103 Early Hints\r\nX: early\r\n\r\n" + kAnswer; };
  start();
  const ClientResult result = test::run(io, client.open(request()));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 200);
  EXPECT_EQ(find_header(result->headers, "X"), nullptr);
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
    post.timeout = 10min;
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

TEST_F(HttpEcho, takes_no_more_of_an_answer_than_is_read) {
  ClientRequest get("GET", post().url);
  const ClientResult result = test::run(io, client.open(std::move(get)));
  ASSERT_TRUE(result) << result.error().text;
  for (int i = 0; i < 1000; ++i) io.poll();
  EXPECT_LT(down_size, 16U << 20);
  EXPECT_EQ(test::run(io, count(result->stream)), kSize);
}

}  // namespace
}  // namespace tgkeep::http
