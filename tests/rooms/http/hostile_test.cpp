// Clients that want to hold the server, and others that it serves meanwhile.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>

#include "rooms/http/server_desk.hpp"

namespace tgkeep::http {
namespace {

using test::RawTcp;
using test::run;
using test::status_of;
using namespace std::chrono_literals;

/// A limit of the process, put back at the end.
class DescriptorLimit {
 public:
  DescriptorLimit() { ::getrlimit(RLIMIT_NOFILE, &before_); }
  ~DescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  DescriptorLimit(const DescriptorLimit&) = delete;
  DescriptorLimit& operator=(const DescriptorLimit&) = delete;
  void set(rlim_t number) {
    rlimit limit = before_;
    limit.rlim_cur = std::min(number, before_.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  rlim_t before() const { return before_.rlim_cur; }

 private:
  rlimit before_{};
};

class HttpHostile : public HttpServer {
 protected:
  /// Does what can be done without waiting.
  void settle() {
    io.restart();
    while (io.poll() > 0) io.restart();
  }

  /// A connection that has sent `bytes` and stays.
  RawTcp& hold(const std::string& bytes) {
    RawTcp& one = held.emplace_back(io);
    run(io, one.connect(server->port()));
    if (!bytes.empty()) run(io, one.send(bytes));
    return one;
  }

  /// One request on a connection that stays open.
  void expect_good(RawTcp& good) {
    run(io, good.send("POST /good HTTP/1.1\r\n" + kHost + "Content-Length: 1000\r\n\r\n" +
                      std::string(1000, 'x')));
    EXPECT_EQ(status_of(run(io, good.read_message())), 200);
  }

  asio::awaitable<std::string> drip_for_ever(std::string start) {
    RawTcp client(io);
    co_await client.connect(server->port());
    co_await client.send(std::move(start));
    const char byte = 'x';
    for (;;) {
      boost::system::error_code gone;
      client.socket().non_blocking(true);
      client.socket().write_some(asio::buffer(&byte, 1), gone);
      if (gone || client.socket().available(gone) > 0) break;
      co_await asio::post(io, asio::use_awaitable);
    }
    std::string answer = co_await client.read_to_end();
    co_return answer;
  }

  std::deque<RawTcp> held;
};

const std::vector<std::string> kSlowStarts = {
    "",
    "G",
    "GET / HTTP/1.1\r\nHost: x\r\nX-",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n{",
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n{",
};

TEST_F(HttpHostile, serves_others_while_a_thousand_slow_connections_hold_little_memory) {
  DescriptorLimit descriptors;
  descriptors.set(4096);
  listen_with(desk.handler());
  RawTcp good(io);
  run(io, good.connect(server->port()));
  for (std::size_t i = 0; i < 1000; ++i) {
    hold(kSlowStarts[i % kSlowStarts.size()]);
    if (i % 50 == 0) expect_good(good);
  }
  settle();
  EXPECT_EQ(server->stats().connections, 1001U);
  EXPECT_LT(server->stats().held, 1001U * 8 * 1024);
  EXPECT_EQ(server->stats().displaced, 0U);
  expect_good(good);
  EXPECT_EQ(desk.served, 21);
}

TEST_F(HttpHostile, lets_slow_connections_displace_each_other_and_never_a_good_one) {
  options.max_connections = 50;
  listen_with(desk.handler());
  RawTcp good(io);
  run(io, good.connect(server->port()));
  expect_good(good);
  for (std::size_t i = 0; i < 500; ++i) {
    hold(kSlowStarts[i % kSlowStarts.size()]);
    if (held.size() > 100) held.pop_front();
    if (i % 50 == 0) {
      expect_good(good);
      EXPECT_EQ(status_of(asked("GET /newcomer HTTP/1.1\r\n" + kLast)), 200);
    }
  }
  settle();
  EXPECT_LE(server->stats().connections, 50U);
  EXPECT_GE(server->stats().displaced, 400U);
  expect_good(good);
}

TEST_F(HttpHostile, gives_a_request_its_time_in_all_however_steadily_it_drips) {
  options.request_timeout = 50ms;
  options.max_header = 1U << 30;
  options.max_body = 1U << 30;
  listen_with(desk.handler());
  const std::string head = "POST / HTTP/1.1\r\n" + kHost;
  EXPECT_EQ(status_of(run(io, drip_for_ever("GET /"))), 408);
  EXPECT_EQ(status_of(run(io, drip_for_ever(head + "X: "))), 408);
  EXPECT_EQ(status_of(run(io, drip_for_ever(head + "Content-Length: 1000000000\r\n\r\n"))), 408);
  EXPECT_EQ(status_of(run(io, drip_for_ever(head + "Transfer-Encoding: chunked\r\n\r\n10000000\r\n"))), 408);
  EXPECT_EQ(desk.served, 0);
}

TEST_F(HttpHostile, holds_no_more_of_a_bomb_than_its_limits) {
  options.max_body = 1U << 20;
  listen_with(desk.handler());
  const std::string head = "POST / HTTP/1.1\r\n" + kHost;
  std::size_t most = 0;
  const std::vector<std::string> bombs = {
      head + "X: " + std::string(20U << 20, 'x'),
      head + "Transfer-Encoding: chunked\r\n\r\n1;" + std::string(20U << 20, 'x'),
      head + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: " + std::string(20U << 20, 'x'),
      head + "Content-Length: 20000000\r\n\r\n" + std::string(20'000'000, 'x'),
  };
  for (const auto& bomb : bombs) {
    std::string answer;
    bool ended = false;
    asio::co_spawn(io, send_and_end(bomb), [&](const std::exception_ptr&, std::string text) {
      answer = std::move(text);
      ended = true;
    });
    while (!ended) {
      io.run_one();
      most = std::max(most, server->stats().held);
    }
    EXPECT_TRUE(status_of(answer) == 431 || status_of(answer) == 413) << answer.substr(0, 100);
  }
  EXPECT_LT(most, 512U << 10);
}

TEST_F(HttpHostile, answers_pipelined_requests_in_order_and_holds_few_of_them) {
  listen_with(desk.handler());
  constexpr int kRequests = 5000;
  std::string all = "GET /wait HTTP/1.1\r\n" + kHost + "\r\n";
  for (int i = 0; i < kRequests; ++i) all += "GET /" + std::to_string(i) + " HTTP/1.1\r\n" + kHost + "\r\n";
  RawTcp client(io);
  run(io, client.connect(server->port()));
  asio::co_spawn(io, client.send(all), asio::detached);
  run(io, desk.arrived.wait());
  settle();
  EXPECT_GT(server->stats().held, 60'000U);
  EXPECT_LT(server->stats().held, 300'000U);
  desk.go.notify();
  EXPECT_TRUE(run(io, client.read_message()).ends_with("\r\n\r\n/wait"));
  for (int i = 0; i < kRequests; ++i) {
    const std::string answer = run(io, client.read_message());
    ASSERT_TRUE(answer.ends_with("\r\n\r\n/" + std::to_string(i))) << answer;
  }
  EXPECT_LT(server->stats().held, 300'000U);
}

TEST_F(HttpHostile, holds_nothing_of_clients_with_a_wrong_secret) {
  options.check_head = [](const ServerRequest& head) -> std::optional<ServerReply> {
    if (find_header(head.headers, "X-Secret") != nullptr) return std::nullopt;
    return ServerReply(401);
  };
  listen_with(desk.handler());
  RawTcp good(io);
  run(io, good.connect(server->port()));
  const std::string wrong =
      "POST / HTTP/1.1\r\n" + kHost + "Content-Length: 100000\r\n\r\n" + std::string(1000, 'x');
  std::size_t most = 0;
  std::size_t most_held = 0;
  constexpr int kRounds = 200;
  for (int round = 0; round < kRounds; ++round) {
    int ended = 0;
    for (int i = 0; i < 10; ++i) {
      asio::co_spawn(io, send_and_end(wrong), [&](const std::exception_ptr&, const std::string& answer) {
        EXPECT_EQ(status_of(answer), 401);
        ++ended;
      });
    }
    while (ended < 10) io.run_one();
    settle();
    most = std::max(most, server->stats().connections);
    most_held = std::max(most_held, server->stats().held);
  }
  EXPECT_EQ(server->stats().refused, 10U * kRounds);
  EXPECT_EQ(most, 1U);
  EXPECT_LT(most_held, 1024U);
  run(io, good.send("GET / HTTP/1.1\r\nX-Secret: y\r\n" + kHost + "\r\n"));
  EXPECT_EQ(status_of(run(io, good.read_message())), 200);
}

TEST_F(HttpHostile, gives_memory_back_after_a_large_request) {
  listen_with(desk.handler());
  RawTcp good(io);
  run(io, good.connect(server->port()));
  run(io, good.send("POST / HTTP/1.1\r\n" + kHost + "Content-Length: 1000000\r\n\r\n" +
                    std::string(1'000'000, 'x')));
  EXPECT_EQ(status_of(run(io, good.read_message())), 200);
  settle();
  EXPECT_LT(server->stats().held, 16'384U);
}

TEST_F(HttpHostile, waits_when_descriptors_run_out_and_takes_who_waited) {
  int said = 0;
  const Log counting([&](LogLevel, std::string_view event, std::span<const LogField>) {
    if (event == "http_accept_failed") ++said;
  });
  server = listen(io.get_executor(), options, desk.handler(), counting).value();
  RawTcp waiting(io);
  run(io, waiting.connect(server->port()));
  settle();
  RawTcp late(io);
  late.socket().open(asio::ip::tcp::v4());
  DescriptorLimit descriptors;
  descriptors.set(static_cast<rlim_t>(late.socket().native_handle()) + 1);
  run(io, late.connect(server->port()));
  run(io, late.send("GET / HTTP/1.1\r\n" + kHost + "\r\n"));
  while (server->stats().failed_accepts == 0) io.run_one();
  const auto before = server->stats().failed_accepts;
  for (int i = 0; i < 1000; ++i) io.poll();
  // A loop would have failed a thousand times.
  EXPECT_LT(server->stats().failed_accepts - before, 100U);
  while (server->stats().failed_accepts < 3) io.run_one();
  EXPECT_EQ(said, 1);
  run(io, waiting.send("GET / HTTP/1.1\r\n" + kHost + "\r\n"));
  EXPECT_EQ(status_of(run(io, waiting.read_message())), 200);
  descriptors.set(descriptors.before());
  EXPECT_EQ(status_of(run(io, late.read_message())), 200);
}

}  // namespace
}  // namespace tgkeep::http
