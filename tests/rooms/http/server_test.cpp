#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include "rooms/http/server_desk.hpp"

namespace tgkeep::http {
namespace {

using test::RawTcp;
using test::run;
using test::status_of;
using namespace std::chrono_literals;

TEST_F(HttpServer, answers_a_request_with_its_length_and_type) {
  listen_with(echo);
  const std::string answer = asked("POST /a?b=c HTTP/1.1\r\nContent-Length: 3\r\n" + kLast + "xyz");
  EXPECT_EQ(answer,
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 15\r\n\r\n"
            "POST /a?b=c xyz");
}

TEST_F(HttpServer, answers_pipelined_requests_in_order_on_one_connection) {
  listen_with(echo);
  const std::string answer = asked("GET /1 HTTP/1.1\r\n" + kHost + "\r\nPOST /2 HTTP/1.1\r\n" + kHost +
                                   "Content-Length: 2\r\n\r\nhi\r\nGET /3 HTTP/1.1\r\n" + kLast);
  const std::size_t first = answer.find("GET /1 ");
  const std::size_t second = answer.find("POST /2 hi");
  const std::size_t third = answer.find("GET /3 ");
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  EXPECT_NE(third, std::string::npos);
}

TEST_F(HttpServer, reads_chunked_bodies) {
  listen_with(echo);
  const std::string answer =
      asked("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + kLast + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
  EXPECT_TRUE(answer.ends_with("POST / abcde")) << answer;
}

TEST_F(HttpServer, refuses_what_is_too_long_or_wrong_with_its_own_status) {
  options.max_body = 100;
  options.max_header = 1000;
  listen_with(desk.handler());
  const std::vector<std::pair<std::string, int>> cases = {
      {"POST / HTTP/1.1\r\nContent-Length: 101\r\n" + kLast, 413},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + kLast + "65\r\n" + std::string(101, 'x') +
           "\r\n",
       413},
      {"GET / HTTP/1.1\r\nX: " + std::string(1000, 'x') + "\r\n" + kLast, 431},
      {"GET /" + std::string(2000, 'x'), 431},
      {"nonsense\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/3.0\r\n" + kLast, 505},
      {"POST / HTTP/1.1\r\nContent-Length: -1\r\n" + kLast, 400},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n" + kLast, 501},
      {std::string("\x16\x03\x01\x02\x00\x01", 6) + "\r\n\r\n", 400},
  };
  for (const auto& [request, status] : cases) {
    EXPECT_EQ(status_of(asked(request)), status) << request.substr(0, 60);
  }
  EXPECT_EQ(desk.served, 0);
}

TEST_F(HttpServer, says_continue_only_to_a_body_it_will_take) {
  options.max_body = 100;
  listen_with(echo);
  const std::string big = asked("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 101\r\n" + kLast);
  EXPECT_EQ(status_of(big), 413);
  auto polite = [](asio::io_context& io, std::uint16_t port) -> asio::awaitable<std::string> {
    RawTcp client(io);
    co_await client.connect(port);
    std::string head = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n" + kLast;
    co_await client.send(std::move(head));
    std::string invitation = co_await client.read_message();
    co_await client.send("ok");
    std::string answer = co_await client.read_message();
    co_return invitation + answer;
  };
  const std::string both = run(io, polite(io, server->port()));
  EXPECT_TRUE(both.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"));
  EXPECT_TRUE(both.ends_with("POST / ok"));
}

std::optional<ServerReply> check_secret(const ServerRequest& head) {
  const std::string* secret = find_header(head.headers, "x-secret");
  if (head.body.empty() && secret != nullptr && *secret == "right") return std::nullopt;
  ServerReply refusal(401, "no\n", "text/plain");
  refusal.headers.emplace_back("X-Peer", head.peer);
  return refusal;
}

TEST_F(HttpServer, refuses_by_the_head_alone_and_answers_before_a_body_it_never_reads) {
  options.check_head = check_secret;
  listen_with(desk.handler());
  const std::string length = "POST / HTTP/1.1\r\nContent-Length: 1000000\r\nX-Secret: ";
  // Without a body, with the start of one, and with one larger than every buffer.
  for (const std::size_t sent : {0U, 1000U, 1'000'000U}) {
    const std::string answer = asked(length + "wrong\r\n" + kLast + std::string(sent, 'x'));
    EXPECT_EQ(answer,
              "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Type: text/plain\r\n"
              "X-Peer: 127.0.0.1\r\nContent-Length: 3\r\n\r\nno\n");
  }
  EXPECT_EQ(desk.served, 0);
  EXPECT_EQ(status_of(asked(length + "right\r\n" + kLast + std::string(1'000'000, 'x'))), 200);
  EXPECT_EQ(desk.served, 1);
}

TEST_F(HttpServer, invites_no_body_and_serves_nothing_behind_a_refused_head) {
  options.check_head = check_secret;
  listen_with(desk.handler());
  const std::string answer = asked("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n" +
                                   kHost + "\r\nGET / HTTP/1.1\r\nX-Secret: right\r\n" + kLast);
  EXPECT_EQ(status_of(answer), 401);
  EXPECT_EQ(answer.find("100 Continue"), std::string::npos);
  EXPECT_EQ(desk.served, 0);
}

TEST_F(HttpServer, tells_of_each_refusal_with_its_status_path_and_peer) {
  std::string told;
  options.check_head = check_secret;
  options.max_body = 100;
  options.on_refused = [&told](const ServerRequest& head, int status) {
    told += std::to_string(status) + " " + head.target + " " + head.peer + "; ";
    throw std::runtime_error("and what it throws changes nothing");
  };
  listen_with(desk.handler());
  const std::string start = "POST /hook HTTP/1.1\r\nX-Secret: right\r\nContent-Length: ";
  EXPECT_EQ(status_of(asked("POST /hook HTTP/1.1\r\nX-Secret: wrong\r\n" + kLast)), 401);
  EXPECT_EQ(status_of(asked(start + "101\r\n" + kLast)), 413);
  EXPECT_EQ(status_of(asked(start + "1\r\n" + kLast + "x")), 200);
  EXPECT_EQ(told, "401 /hook 127.0.0.1; 413 /hook 127.0.0.1; ");
}

TEST_F(HttpServer, answers_500_when_the_check_throws) {
  options.check_head = [](const ServerRequest&) -> std::optional<ServerReply> {
    throw std::runtime_error("broken");
  };
  listen_with(desk.handler());
  EXPECT_EQ(status_of(asked("GET / HTTP/1.1\r\n" + kLast)), 500);
  EXPECT_EQ(desk.served, 0);
}

TEST_F(HttpServer, tells_the_handler_its_peer) {
  listen_with([](ServerRequest request) -> asio::awaitable<ServerReply> {
    ServerReply reply(200, request.peer, "text/plain");
    co_return reply;
  });
  EXPECT_TRUE(asked("GET / HTTP/1.1\r\n" + kLast).ends_with("\r\n\r\n127.0.0.1"));
}

TEST_F(HttpServer, answers_500_when_the_handler_throws_and_when_its_headers_are_broken) {
  listen_with(desk.handler());
  EXPECT_EQ(status_of(asked("GET /throw HTTP/1.1\r\n" + kLast)), 500);
  const std::string split = asked("GET /split HTTP/1.1\r\n" + kLast);
  EXPECT_EQ(status_of(split), 500);
  EXPECT_EQ(split.find("Set-Cookie"), std::string::npos);
}

TEST_F(HttpServer, closes_without_an_answer_on_hang_up) {
  listen_with(desk.handler());
  EXPECT_EQ(asked("GET /hang-up HTTP/1.1\r\n" + kHost + "\r\n"), "");
  EXPECT_EQ(desk.served, 1);
}

TEST_F(HttpServer, writes_answers_larger_than_the_sockets_buffer) {
  listen_with(desk.handler());
  EXPECT_GT(asked("GET /large HTTP/1.1\r\n" + kLast).size(), 8U << 20);
}

TEST_F(HttpServer, sends_no_body_for_head_and_204) {
  listen_with(desk.handler());
  EXPECT_TRUE(asked("HEAD /x HTTP/1.1\r\n" + kLast).ends_with("Content-Length: 2\r\n\r\n"));
  EXPECT_EQ(asked("GET /nothing HTTP/1.1\r\n" + kLast).find("Content-Length"), std::string::npos);
}

TEST_F(HttpServer, closes_an_idle_connection_and_answers_408_to_half_a_request) {
  options.idle_timeout = 20ms;
  options.request_timeout = 20ms;
  listen_with(desk.handler());
  EXPECT_EQ(asked(""), "");
  EXPECT_EQ(status_of(asked("GET / HT")), 408);
  EXPECT_EQ(status_of(asked("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab")), 408);
}

asio::awaitable<void> leave_while_waiting(asio::io_context& io, std::uint16_t port, Desk& desk,
                                          std::string after) {
  RawTcp client(io);
  co_await client.connect(port);
  std::string request = "GET /wait HTTP/1.1\r\n" + kHost + "\r\n" + after;
  co_await client.send(std::move(request));
  co_await desk.arrived.wait();
  client.close();
  co_await desk.ended.wait();
}

TEST_F(HttpServer, cancels_the_handler_when_the_client_hangs_up) {
  listen_with(desk.handler());
  run(io, leave_while_waiting(io, server->port(), desk, ""));
  EXPECT_EQ(desk.cancelled, 1);
}

TEST_F(HttpServer, notices_the_hang_up_also_behind_pipelined_bytes_and_does_not_serve_those) {
  listen_with(desk.handler());
  run(io, leave_while_waiting(io, server->port(), desk, "GET /next HTTP/1.1\r\n" + kHost + "\r\n"));
  EXPECT_EQ(desk.cancelled, 1);
  EXPECT_EQ(desk.served, 1);
}

asio::awaitable<void> leave_after_another(asio::io_context& io, std::uint16_t port, Desk& desk) {
  RawTcp client(io);
  co_await client.connect(port);
  std::string first = "GET /uncancellable HTTP/1.1\r\n" + kHost + "\r\n";
  co_await client.send(std::move(first));
  co_await client.read_message();
  std::string second = "GET /wait HTTP/1.1\r\n" + kHost + "\r\n";
  co_await client.send(std::move(second));
  co_await desk.arrived.wait();
  client.close();
  co_await desk.ended.wait();
}

TEST_F(HttpServer, cancels_the_handler_also_when_the_one_before_it_ended_uncancellable) {
  listen_with(desk.handler());
  run(io, leave_after_another(io, server->port(), desk));
  EXPECT_EQ(desk.cancelled, 1);
}

asio::awaitable<std::string> wait_for_answer(asio::io_context& io, std::uint16_t port) {
  RawTcp client(io);
  co_await client.connect(port);
  std::string request = "GET /wait HTTP/1.1\r\n" + kHost + "\r\n";
  co_await client.send(std::move(request));
  std::string answer = co_await client.read_to_end();
  co_return answer;
}

TEST_F(HttpServer, lets_a_running_request_finish_when_it_stops) {
  listen_with(desk.handler());
  std::string answer;
  asio::co_spawn(io, wait_for_answer(io, server->port()),
                 [&](const std::exception_ptr&, std::string text) { answer = std::move(text); });
  run(io, desk.arrived.wait());
  asio::co_spawn(io, server->stop(1h), [](const std::exception_ptr&) {});
  asio::post(io, [&] { desk.go.notify(); });
  while (answer.empty()) io.run_one();
  EXPECT_EQ(status_of(answer), 200);
  EXPECT_NE(answer.find("Connection: close"), std::string::npos);
  EXPECT_EQ(desk.cancelled, 0);
}

TEST_F(HttpServer, cancels_a_request_that_outlasts_the_drain_and_closes_idle_connections) {
  listen_with(desk.handler());
  std::string idle = "not closed";
  asio::co_spawn(io, ask(""), [&](const std::exception_ptr&, std::string text) { idle = std::move(text); });
  std::string answer = "not closed";
  asio::co_spawn(io, wait_for_answer(io, server->port()),
                 [&](const std::exception_ptr&, std::string text) { answer = std::move(text); });
  run(io, desk.arrived.wait());
  run(io, server->stop(10ms));
  EXPECT_EQ(desk.cancelled, 1);
  while (!idle.empty() || !answer.empty()) io.run_one();
}

TEST_F(HttpServer, lets_new_connections_wait_while_all_it_may_have_are_at_work) {
  options.max_connections = 1;
  listen_with(desk.handler());
  std::string first;
  asio::co_spawn(io, ask("GET /wait HTTP/1.1\r\n" + kLast),
                 [&](const std::exception_ptr&, std::string text) { first = std::move(text); });
  run(io, desk.arrived.wait());
  std::string second;
  asio::co_spawn(io, ask("GET / HTTP/1.1\r\n" + kLast),
                 [&](const std::exception_ptr&, std::string text) { second = std::move(text); });
  io.restart();
  while (io.poll() > 0) io.restart();
  EXPECT_EQ(server->stats().accepted, 1U);
  desk.go.notify();
  while (second.empty()) io.run_one();
  EXPECT_EQ(status_of(first), 200);
  EXPECT_EQ(status_of(second), 200);
  EXPECT_EQ(server->stats().displaced, 0U);
}

TEST_F(HttpServer, closes_the_longest_idle_connection_for_a_new_one_when_it_may_have_no_more) {
  options.max_connections = 3;
  listen_with(desk.handler());
  std::vector<RawTcp> old;
  for (int i = 0; i < 3; ++i) {
    old.emplace_back(io);
    run(io, old.back().connect(server->port()));
    run(io, old.back().send("GET / HTTP/1.1\r\n" + kHost + "\r\n"));
    EXPECT_EQ(status_of(run(io, old.back().read_message())), 200);
  }
  // The first two ask again: the third has waited longest.
  for (int i = 0; i < 2; ++i) {
    run(io, old[i].send("GET / HTTP/1.1\r\n" + kHost + "\r\n"));
    EXPECT_EQ(status_of(run(io, old[i].read_message())), 200);
  }
  EXPECT_EQ(status_of(asked("GET / HTTP/1.1\r\n" + kLast)), 200);
  EXPECT_EQ(run(io, old[2].read_to_end()), "");
  EXPECT_EQ(server->stats().displaced, 1U);
  run(io, old[0].send("GET / HTTP/1.1\r\n" + kHost + "\r\n"));
  EXPECT_EQ(status_of(run(io, old[0].read_message())), 200);
}

TEST_F(HttpServer, names_address_and_port_when_it_cant_listen) {
  listen_with(echo);
  ServerOptions same;
  same.port = server->port();
  const auto second = listen(io.get_executor(), same, echo, Log());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), Errc::network);
  EXPECT_NE(second.error().text().find("127.0.0.1 port " + std::to_string(same.port)), std::string::npos);
  same.address = "localhost";
  EXPECT_EQ(listen(io.get_executor(), same, echo, Log()).error().code(), Errc::bad_config);
}

TEST_F(HttpServer, may_be_destroyed_without_a_stop) {
  listen_with(desk.handler());
  RawTcp idle(io);
  run(io, idle.connect(server->port()));
  asio::co_spawn(io, wait_for_answer(io, server->port()),
                 [](const std::exception_ptr&, const std::string&) {});
  run(io, desk.arrived.wait());
  server.reset();
}

}  // namespace
}  // namespace tgkeep::http
