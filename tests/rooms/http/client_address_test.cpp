// Where the client connects to, and where it must not.
#include <cstdlib>

#include "rooms/http/client_desk.hpp"

namespace tgkeep::http {
namespace {

using test::run;

TEST_F(HttpClient, never_connects_to_an_address_that_is_not_allowed) {
  start();
  ClientOptions options;
  std::vector<std::string> asked;
  options.allowed = [&](std::string_view address) {
    asked.emplace_back(address);
    return false;
  };
  Client careful(io.get_executor(), options);
  const std::string port = ":" + std::to_string(listener.port()) + "/";
  // As a number, by name, and as IPv4 in two disguises.
  for (const std::string host : {"127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]"}) {
    asked.clear();
    const ClientResult result = run(io, careful.send(ClientRequest("POST", "http://" + host + port)));
    ASSERT_FALSE(result) << host;
    EXPECT_EQ(result.error().kind, ClientError::Kind::not_sent) << host;
    EXPECT_NE(result.error().text.find("is not allowed"), std::string::npos) << result.error().text;
    ASSERT_FALSE(asked.empty()) << host;
    EXPECT_NE(result.error().text.find(asked.back()), std::string::npos) << result.error().text;
    if (host != "localhost") {
      EXPECT_EQ(asked.back(), "127.0.0.1") << host;
    }
  }
  io.poll();
  EXPECT_EQ(connections, 0);
}

TEST_F(HttpClient, connects_to_an_address_that_is_allowed) {
  start();
  ClientOptions options;
  options.allowed = [](std::string_view address) { return address == "127.0.0.1"; };
  Client careful(io.get_executor(), options);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(run(io, careful.send(request())));
  // A name with several addresses goes to the one that is.
  const std::string named = "http://localhost:" + std::to_string(listener.port()) + "/";
  EXPECT_TRUE(run(io, careful.send(ClientRequest("POST", named))));
}

TEST_F(HttpClient, counts_a_filter_that_throws_as_a_refusal) {
  start();
  ClientOptions options;
  options.allowed = [](std::string_view) -> bool { throw std::runtime_error("broken"); };
  Client careful(io.get_executor(), options);
  const ClientResult result = run(io, careful.send(request()));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ClientError::Kind::not_sent);
}

TEST_F(HttpClient, sends_through_the_proxy_it_is_given) {
  start();
  ClientOptions options;
  options.proxy = "http://127.0.0.1:" + std::to_string(listener.port());
  options.allowed = [](std::string_view) { return false; };
  Client behind(io.get_executor(), options);
  EXPECT_TRUE(run(io, behind.send(ClientRequest("POST", "http://example.invalid/a"))));
  ASSERT_EQ(arrived.size(), 1U);
  EXPECT_TRUE(arrived[0].starts_with("POST http://example.invalid/a HTTP/1.1\r\n")) << arrived[0];
}

TEST_F(HttpClient, reads_no_proxy_from_the_environment) {
  start();
  ::setenv("http_proxy", "http://127.0.0.1:1", 1);
  const ClientResult result = sent(request());
  ::unsetenv("http_proxy");
  EXPECT_TRUE(result);
}

}  // namespace
}  // namespace tgkeep::http
