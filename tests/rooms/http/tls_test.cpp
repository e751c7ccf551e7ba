// The server with a certificate of its own, asked by our own client.
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <filesystem>
#include <fstream>

#include "http/client.hpp"
#include "rooms/http/certificate.hpp"
#include "rooms/http/server_desk.hpp"

namespace tgkeep::http {
namespace {

using test::run;
using namespace std::chrono_literals;

class HttpTls : public HttpServer {
 protected:
  void SetUp() override { options.tls = certificates.make("one"); }

  std::unique_ptr<Client> client(const std::string& trusted = "one.pem") {
    ClientOptions client_options;
    client_options.ca_file = certificates.path(trusted);
    return std::make_unique<Client>(io.get_executor(), client_options);
  }
  ClientRequest request(const std::string& target, std::size_t size = 0) {
    ClientRequest request("POST", "https://127.0.0.1:" + std::to_string(server->port()) + target);
    request.body.assign(size, 'x');
    return request;
  }
  ClientResult ask_by(Client& client, const std::string& target, std::size_t size = 0) {
    return run(io, client.send(request(target, size)));
  }

  test::Certificates certificates;
};

TEST_F(HttpTls, serves_small_and_large_bodies_on_one_kept_connection) {
  options.max_body = 8U << 20;
  listen_with(desk.handler());
  const auto one = client();
  for (const std::size_t size : {0U, 1U, 2048U, 100'000U, 5'000'000U}) {
    const ClientResult result = ask_by(*one, "/large", size);
    ASSERT_TRUE(result) << result.error().text;
    EXPECT_EQ(result->status, 200);
    EXPECT_EQ(result->body.size(), 8U << 20);
    EXPECT_EQ(desk.last_size, size);
  }
  EXPECT_EQ(server->stats().accepted, 1U);
  EXPECT_EQ(server->stats().failed_handshakes, 0U);
}

TEST_F(HttpTls, is_not_trusted_without_its_certificate) {
  listen_with(desk.handler());
  const std::unique_ptr<Client> stranger = std::make_unique<Client>(io.get_executor());
  const ClientResult result = ask_by(*stranger, "/");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ClientError::Kind::not_sent) << result.error().text;
  EXPECT_EQ(desk.served, 0);
}

TEST_F(HttpTls, refuses_by_the_head_and_answers_a_client_that_is_still_sending) {
  options.check_head = [](const ServerRequest&) { return ServerReply(401); };
  listen_with(desk.handler());
  const auto one = client();
  for (int i = 0; i < 5; ++i) {
    const ClientResult result = ask_by(*one, "/", 1'000'000);
    ASSERT_TRUE(result) << result.error().text;
    EXPECT_EQ(result->status, 401);
  }
}

TEST_F(HttpTls, uses_reloaded_files_for_new_connections_and_lets_old_ones_go_on) {
  listen_with(desk.handler());
  const auto old = client();
  ASSERT_TRUE(ask_by(*old, "/"));
  std::filesystem::copy_file(certificates.path("one.pem"), certificates.path("first.pem"));
  certificates.make("one");
  ASSERT_TRUE(server->reload_tls());
  ASSERT_TRUE(ask_by(*old, "/"));
  EXPECT_EQ(server->stats().accepted, 1U);
  const auto fresh = client();
  EXPECT_TRUE(ask_by(*fresh, "/"));
  const auto behind = client("first.pem");
  EXPECT_FALSE(ask_by(*behind, "/"));
}

TEST_F(HttpTls, names_the_file_it_cant_use_and_goes_on_with_what_it_has) {
  listen_with(desk.handler());
  const std::string key = certificates.path("one.key");
  const std::string certificate = certificates.path("one.pem");
  certificates.make("other");
  std::filesystem::copy_file(certificate, certificates.path("first.pem"));
  class Case {
   public:
    Case(std::string file, std::function<void()> spoil) : file(std::move(file)), spoil(std::move(spoil)) {}
    std::string file;
    std::function<void()> spoil;
  };
  const auto write = [](const std::string& path, const std::string& text) { std::ofstream(path) << text; };
  const std::vector<Case> cases = {
      Case(key, [&] { std::filesystem::remove(key); }),
      Case(key, [&] { write(key, "nonsense"); }),
      Case(key, [&] { write(key, ""); }),
      Case(key,
           [&] {
             std::filesystem::copy_file(certificates.path("other.key"), key,
                                        std::filesystem::copy_options::overwrite_existing);
           }),
      Case(certificate, [&] { write(certificate, "nonsense"); }),
      Case(certificate, [&] { std::filesystem::remove(certificate); }),
  };
  const auto one = client();
  ASSERT_TRUE(ask_by(*one, "/"));
  for (const auto& one_case : cases) {
    one_case.spoil();
    const Result<void> result = server->reload_tls();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code(), Errc::bad_config);
    EXPECT_NE(result.error().text().find(one_case.file), std::string::npos) << result.error().text();
    const auto unready = listen(io.get_executor(), options, desk.handler(), Log());
    ASSERT_FALSE(unready);
    EXPECT_EQ(unready.error().text(), result.error().text());
  }
  // New connections still get the first certificate, of which a copy was kept.
  const auto late = client("first.pem");
  EXPECT_TRUE(ask_by(*late, "/"));
  EXPECT_EQ(server->stats().accepted, 2U);
}

TEST_F(HttpTls, says_that_a_key_has_a_passphrase_and_does_not_ask_for_it) {
  options.tls = certificates.make("locked", "open sesame");
  const auto unready = listen(io.get_executor(), options, desk.handler(), Log());
  ASSERT_FALSE(unready);
  EXPECT_NE(unready.error().text().find("locked.key: it has a passphrase"), std::string::npos)
      << unready.error().text();
}

TEST_F(HttpTls, closes_on_garbage_and_plain_requests_and_serves_others_meanwhile) {
  listen_with(desk.handler());
  const auto one = client();
  const std::vector<std::string> greetings = {
      "GET / HTTP/1.1\r\n" + kLast, std::string(100'000, '\xff'), std::string(70'000, '\0'),
      std::string("\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00", 10), "\x15\x03\x01"};
  std::size_t closed = 0;
  for (const auto& greeting : greetings) {
    asio::co_spawn(io, send_and_end(greeting),
                   [&](const std::exception_ptr&, const std::string&) { ++closed; });
    EXPECT_TRUE(ask_by(*one, "/"));
  }
  while (closed < greetings.size()) io.run_one();
  EXPECT_EQ(server->stats().failed_handshakes, greetings.size());
  EXPECT_EQ(server->stats().accepted, greetings.size() + 1);
}

TEST_F(HttpTls, gives_a_handshake_no_longer_than_a_request) {
  options.request_timeout = 50ms;
  options.idle_timeout = 1h;
  listen_with(desk.handler());
  // Silence, and the beginning of a greeting.
  EXPECT_EQ(asked(""), "");
  EXPECT_EQ(asked(std::string("\x16\x03\x01\x02\x00\x01\x00", 7)), "");
  EXPECT_EQ(server->stats().failed_handshakes, 2U);
}

TEST_F(HttpTls, leaves_a_client_alive_that_it_hangs_up_on_while_it_sends) {
  options.max_body = 64U << 20;
  options.check_head = [](const ServerRequest&) {
    ServerReply reply;
    reply.hang_up = true;
    return reply;
  };
  listen_with(desk.handler());
  const auto one = client();
  for (int i = 0; i < 3; ++i) {
    const ClientResult result = ask_by(*one, "/", 20'000'000);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ClientError::Kind::maybe_sent);
  }
}

TEST_F(HttpTls, cancels_the_handler_when_the_client_hangs_up) {
  listen_with(desk.handler());
  const auto one = client();
  asio::cancellation_signal cancel;
  auto done = [](const std::exception_ptr&, const ClientResult&) {};
  asio::co_spawn(io, one->send(request("/wait")), asio::bind_cancellation_slot(cancel.slot(), done));
  run(io, desk.arrived.wait());
  asio::post(io, [&] { cancel.emit(asio::cancellation_type::terminal); });
  run(io, desk.ended.wait());
  EXPECT_EQ(desk.cancelled, 1);
}

TEST_F(HttpTls, lets_a_running_request_finish_when_it_stops) {
  listen_with(desk.handler());
  const auto one = client();
  int status = 0;
  asio::co_spawn(io, one->send(request("/wait")),
                 [&](const std::exception_ptr&, const ClientResult& result) { status = result->status; });
  run(io, desk.arrived.wait());
  desk.go.notify();
  run(io, server->stop(1h));
  while (status == 0) io.run_one();
  EXPECT_EQ(status, 200);
}

TEST_F(HttpServer, has_nothing_to_reload_without_tls) {
  listen_with(echo);
  EXPECT_TRUE(server->reload_tls());
}

}  // namespace
}  // namespace tgkeep::http
