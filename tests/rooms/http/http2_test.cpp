// HTTP/2, against the server of Node.js.

#include <gtest/gtest.h>

#include "http/client.hpp"
#include "loop/task_group.hpp"
#include "rooms/http/certificate.hpp"
#include "support/process.hpp"
#include "support/run.hpp"

namespace tgkeep::http {
namespace {

class Http2 : public ::testing::Test {
 protected:
  Http2() {
    const TlsFiles files = certificates.make("one");
    node.emplace(std::vector<std::string>{"/usr/bin/env", "node",
                                          TGKEEP_SOURCE_DIR "/tests/rooms/http/http2_server.js",
                                          files.certificate, files.key},
                 std::map<std::string, std::string>());
    EXPECT_TRUE(node->wait_for_line("port "));
    const std::string& said = node->output();
    port = std::stoi(said.substr(said.find("port ") + 5));
    options.ca_file = files.certificate;
  }
  void make_client(bool http2) {
    options.http2 = http2;
    client.emplace(io.get_executor(), options);
  }
  ClientRequest request(std::string body) const {
    ClientRequest request("POST", "https://127.0.0.1:" + std::to_string(port) + "/bot1:secret/x");
    request.body = std::move(body);
    return request;
  }
  /// "<version> <number of the connection> <bytes of the body>"
  std::string sent(ClientRequest request) {
    const ClientResult result = test::run(io, client->send(std::move(request)));
    return result ? result->body : result.error().text;
  }
  asio::awaitable<void> send_one(int number) {
    ClientRequest one = request(std::to_string(number));
    const ClientResult result = co_await client->send(std::move(one));
    answers.push_back(result ? result->body : result.error().text);
  }

  asio::io_context io{1};
  test::Certificates certificates;
  std::optional<test::Process> node;
  int port = 0;
  ClientOptions options;
  std::optional<Client> client;
  std::vector<std::string> answers;
};

TEST_F(Http2, is_spoken_when_it_is_asked_for_and_offered) {
  make_client(true);
  EXPECT_EQ(sent(request("hello")), "2.0 1 5");
  EXPECT_EQ(sent(request(std::string(3'000'000, 'x'))), "2.0 1 3000000");
}

TEST_F(Http2, is_not_spoken_when_it_is_not_asked_for) {
  make_client(false);
  EXPECT_EQ(sent(request("hello")), "1.1 1 5");
}

TEST_F(Http2, carries_many_calls_over_one_connection) {
  make_client(true);
  ASSERT_EQ(sent(request("first")), "2.0 1 5");
  loop::TaskGroup tasks(io.get_executor(), Log());
  for (int i = 0; i < 50; ++i) tasks.spawn("call", send_one(i % 10));
  test::run(io, tasks.join());
  EXPECT_EQ(answers, std::vector<std::string>(50, "2.0 1 1"));
}

TEST_F(Http2, gives_way_to_one_connection_for_each_body_that_is_streamed) {
  make_client(true);
  ASSERT_EQ(sent(request("first")), "2.0 1 5");
  ClientRequest streamed = request("one");
  int pieces = 3;
  streamed.rest = [&]() -> asio::awaitable<std::string> {
    co_return std::string(--pieces > 0 ? 100'000 : 0, 'x');
  };
  EXPECT_EQ(sent(std::move(streamed)), "1.1 2 200003");
  ASSERT_EQ(sent(request("last")), "2.0 1 4");
}

}  // namespace
}  // namespace tgkeep::http
