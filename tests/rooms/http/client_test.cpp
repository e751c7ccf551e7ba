#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include "http/server.hpp"
#include "rooms/http/client_desk.hpp"

namespace tgkeep::http {
namespace {

using test::RawListener;
using test::run;
using namespace std::chrono_literals;

TEST_F(HttpClient, sends_a_post_as_given_and_reads_status_headers_and_body) {
  script = [](std::size_t) {
    return std::string(
        "HTTP/1.1 404 Not Found\r\nX-A:  b \r\nRetry-After: 7\r\nContent-Length: 3\r\n\r\nno!");
  };
  start();
  const ClientResult result = sent(request("{\"a\":1}"));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 404);
  EXPECT_EQ(result->body, "no!");
  ASSERT_NE(find_header(result->headers, "retry-after"), nullptr);
  EXPECT_EQ(*find_header(result->headers, "retry-after"), "7");
  ASSERT_EQ(arrived.size(), 1U);
  EXPECT_TRUE(arrived[0].starts_with("POST /bot" + kSecret + "/sendMessage?q=" + kSecret + " HTTP/1.1\r\n"));
  EXPECT_TRUE(arrived[0].ends_with("\r\n\r\n{\"a\":1}"));
  EXPECT_NE(arrived[0].find("Content-Type: application/json\r\n"), std::string::npos);
  EXPECT_EQ(arrived[0].find("Expect"), std::string::npos);
}

TEST_F(HttpClient, sends_large_bodies_at_once_and_reuses_the_connection) {
  start();
  const std::string large(3U << 20, 'x');
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(sent(request(large)));
  EXPECT_EQ(connections, 1);
  EXPECT_TRUE(arrived[2].ends_with(large));
  EXPECT_EQ(arrived[2].find("Expect"), std::string::npos);
}

TEST_F(HttpClient, does_not_follow_redirects) {
  script = [](std::size_t) {
    return std::string("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n");
  };
  start();
  EXPECT_EQ(sent(request())->status, 302);
  EXPECT_EQ(arrived.size(), 1U);
}

class Resend : public HttpClient,
               public ::testing::WithParamInterface<std::pair<std::string, std::size_t>> {};

// The trap: libcurl sends a request again by itself when a kept connection closes before the answer.
TEST_P(Resend, never_puts_a_request_with_effect_on_the_wire_twice) {
  script = [](std::size_t number) { return number == 2 ? std::string() : kAnswer; };
  start();
  ASSERT_TRUE(sent(request()));
  const auto& [method, size] = GetParam();
  const ClientResult second = sent(request(std::string(size, 'b'), method));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ClientError::Kind::maybe_sent) << second.error().text;
  ASSERT_TRUE(sent(request("third")));
  ASSERT_EQ(arrived.size(), 3U);
  EXPECT_TRUE(arrived[1].starts_with(method));
  EXPECT_TRUE(arrived[2].ends_with("third"));
}

TEST_P(Resend, repeats_one_without_effect) {
  script = [](std::size_t number) { return number == 2 ? std::string() : kAnswer; };
  start();
  ASSERT_TRUE(sent(request()));
  const auto& [method, size] = GetParam();
  ClientRequest repeatable = request(std::string(size, 'b'), method);
  repeatable.repeatable = true;
  const ClientResult second = sent(std::move(repeatable));
  ASSERT_TRUE(second) << second.error().text;
  ASSERT_EQ(arrived.size(), 3U);
  EXPECT_EQ(arrived[1], arrived[2]);
  EXPECT_EQ(connections, 2);
}

INSTANTIATE_TEST_SUITE_P(Bodies, Resend,
                         ::testing::Values(std::pair<std::string, std::size_t>("POST", 0),
                                           std::pair("POST", 10), std::pair("POST", 2'000'000),
                                           std::pair("GET", 0)));

TEST_F(HttpClient, takes_a_new_connection_when_the_kept_one_was_closed_meanwhile) {
  close_after_answer = true;
  start();
  for (int i = 0; i < 20; ++i) {
    const ClientResult result = sent(request(std::to_string(i)));
    ASSERT_TRUE(result) << result.error().text;
    while (tasks.size() > 1) io.run_one();
  }
  ASSERT_EQ(arrived.size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_TRUE(arrived[i].ends_with("\r\n\r\n" + std::to_string(i)));
}

TEST_F(HttpClient, reports_not_sent_when_nothing_listens) {
  listener.close();
  RawListener other(io);
  ClientRequest refused("POST", "http://127.0.0.1:" + std::to_string(other.port()) + "/bot" + kSecret + "/x");
  const std::string port = std::to_string(other.port());
  other.close();
  const ClientResult result = sent(std::move(refused));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ClientError::Kind::not_sent);
  EXPECT_NE(result.error().text.find("127.0.0.1 port " + port), std::string::npos) << result.error().text;
}

TEST_F(HttpClient, reports_not_sent_for_urls_methods_and_headers_it_cant_use) {
  const std::vector<std::string> urls = {"",
                                         "ftp://127.0.0.1/bot" + kSecret,
                                         "http://127.0.0.1:99999/bot" + kSecret,
                                         "http:///bot" + kSecret,
                                         "file:///bot" + kSecret,
                                         "http://127.0.0.1:x" + kSecret + "/"};
  for (const auto& url : urls) {
    const ClientResult result = sent(ClientRequest("POST", url));
    ASSERT_FALSE(result) << url;
    EXPECT_EQ(result.error().kind, ClientError::Kind::not_sent) << url;
  }
  EXPECT_EQ(sent(request("", "PUT")).error().kind, ClientError::Kind::not_sent);
  ClientRequest split = request();
  split.headers.emplace_back("X", "a\r\nY: b");
  EXPECT_EQ(sent(std::move(split)).error().kind, ClientError::Kind::not_sent);
}

TEST_F(HttpClient, reports_not_sent_when_tls_fails_or_hangs) {
  start();
  ClientRequest plain = request();
  plain.url.replace(0, 4, "https");
  plain.connect_timeout = 200ms;
  // The other end waits for the end of an HTTP head that a TLS greeting does not have.
  const ClientResult hangs = sent(plain);
  ASSERT_FALSE(hangs);
  EXPECT_EQ(hangs.error().kind, ClientError::Kind::not_sent) << hangs.error().text;
  EXPECT_TRUE(arrived.empty());
}

TEST_F(HttpClient, reports_maybe_sent_when_the_answer_does_not_come_in_time) {
  script = [](std::size_t) { return std::string("wait"); };
  start();
  ClientRequest slow = request();
  slow.timeout = 50ms;
  const ClientResult result = sent(std::move(slow));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ClientError::Kind::maybe_sent);
  EXPECT_NE(result.error().text.find("127.0.0.1 port "), std::string::npos) << result.error().text;
}

TEST_F(HttpClient, reports_maybe_sent_for_every_answer_that_is_not_whole) {
  const std::vector<std::string> answers = {"",
                                            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok",
                                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
                                            "HTTP/1.1 200 OK\r\nContent-Le",
                                            "HTTP/1.1 100 Continue\r\n\r\n",
                                            "nonsense " + kSecret + "\r\n\r\n",
                                            "HTTP/1.1 abc " + kSecret + "\r\n\r\n"};
  close_after_answer = true;
  start();
  for (const auto& answer : answers) {
    script = [&](std::size_t) { return answer; };
    const ClientResult result = sent(request());
    ASSERT_FALSE(result) << answer;
    EXPECT_EQ(result.error().kind, ClientError::Kind::maybe_sent) << answer;
  }
  EXPECT_EQ(arrived.size(), answers.size());
}

TEST_F(HttpClient, refuses_an_answer_longer_than_allowed) {
  start();
  ClientRequest small = request();
  small.max_answer = 1;
  const ClientResult result = sent(std::move(small));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ClientError::Kind::maybe_sent);
  EXPECT_NE(result.error().text.find("longer than the allowed 1 bytes"), std::string::npos);
}

TEST_F(HttpClient, ends_a_cancelled_request_at_once_and_says_whether_it_may_have_left) {
  script = [](std::size_t) { return std::string("wait"); };
  start();
  for (const bool after_arrival : {true, false}) {
    arrived.clear();
    asio::cancellation_signal cancel;
    ClientResult result = ClientError();
    bool ended = false;
    auto done = [&](const std::exception_ptr&, ClientResult value) {
      result = std::move(value);
      ended = true;
    };
    asio::co_spawn(io, client.send(request()), asio::bind_cancellation_slot(cancel.slot(), done));
    while (after_arrival && arrived.empty()) io.run_one();
    if (!after_arrival) io.run_one();
    asio::post(io, [&] { cancel.emit(asio::cancellation_type::terminal); });
    while (!ended) io.run_one();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind,
              after_arrival ? ClientError::Kind::maybe_sent : ClientError::Kind::not_sent);
    EXPECT_NE(result.error().text.find("cancelled"), std::string::npos) << result.error().text;
  }
}

TEST_F(HttpClient, counts_the_wait_for_a_free_connection_as_not_sent) {
  script = [](std::size_t) { return std::string("wait"); };
  start();
  ClientOptions narrow;
  narrow.max_connections_per_host = 1;
  Client one(io.get_executor(), narrow);
  auto first = [&]() -> asio::awaitable<void> { co_await one.send(request()); };
  tasks.spawn("first", first());
  while (arrived.empty()) io.run_one();
  ClientRequest second = request();
  second.timeout = 20ms;
  const ClientResult result = run(io, one.send(std::move(second)));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ClientError::Kind::not_sent) << result.error().text;
  run(io, end_tasks());
}

TEST_F(HttpClient, carries_many_requests_at_once) {
  ServerHandler echo = [](ServerRequest request) -> asio::awaitable<ServerReply> {
    ServerReply reply(200, std::move(request.body));
    co_return reply;
  };
  const auto server = listen(io.get_executor(), ServerOptions(), echo, Log()).value();
  int right = 0;
  auto one = [&](int number) -> asio::awaitable<void> {
    ClientRequest request("POST", "http://127.0.0.1:" + std::to_string(server->port()) + "/");
    request.body = std::to_string(number);
    ClientResult result = co_await client.send(std::move(request));
    if (result && result->body == std::to_string(number)) ++right;
  };
  for (int i = 0; i < 300; ++i) tasks.spawn("one", one(i));
  run(io, tasks.join());
  EXPECT_EQ(right, 300);
  run(io, server->stop(0s));
}

}  // namespace
}  // namespace tgkeep::http
