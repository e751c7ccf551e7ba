#include "telegram/api_client.hpp"

#include <gtest/gtest.h>

#include "http/server.hpp"
#include "support/run.hpp"
#include "support/tcp_proxy.hpp"

namespace tgkeep::telegram {
namespace {

using test::run;
using test::TcpFaults;
using test::TcpProxy;
using namespace std::chrono_literals;

const std::string kToken = "123456789:AAF-abcdefghijklmnop_qrstu";

/// An API client, a proxy that can break the connection, and a server that notes what arrives.
class ApiClientRoom : public ::testing::Test {
 protected:
  ApiClientRoom() {
    auto handler = [this](http::ServerRequest request) { return serve(std::move(request)); };
    server = http::listen(io.get_executor(), http::ServerOptions(), handler, Log()).value();
    proxy = std::make_unique<TcpProxy>(io, server->port());
    ApiClientOptions options(Token::parse(kToken).value());
    options.root = "http://127.0.0.1:" + std::to_string(proxy->port());
    api = make_api_client(client, options);
  }
  void TearDown() override { run(io, server->stop(0s)); }

  asio::awaitable<http::ServerReply> serve(http::ServerRequest request) {
    arrived.push_back(std::move(request));
    co_return reply;
  }

  ApiResult called(ApiRequest request) {
    ApiResult result = run(io, api->call(std::move(request)));
    if (!result) {
      EXPECT_EQ(result.error().description.find(kToken), std::string::npos) << result.error().description;
      EXPECT_EQ(result.error().description.find("AAF-"), std::string::npos) << result.error().description;
    }
    return result;
  }
  ApiRequest send_message() const { return ApiRequest("sendMessage", R"({"chat_id":1,"text":"a"})", 5s); }
  ApiError::Kind failed_kind(ApiRequest request) {
    const ApiResult result = called(std::move(request));
    EXPECT_FALSE(result);
    return result.error().kind;
  }

  asio::io_context io{1};
  http::Client client{io.get_executor()};
  http::ServerReply reply{200, R"({"ok":true,"result":{"message_id":5}})"};
  std::vector<http::ServerRequest> arrived;
  std::unique_ptr<http::Server> server;
  std::unique_ptr<TcpProxy> proxy;
  std::unique_ptr<Api> api;
};

TEST_F(ApiClientRoom, posts_json_to_the_method_and_gives_the_raw_result) {
  EXPECT_EQ(*called(send_message()), R"({"message_id":5})");
  EXPECT_EQ(*called(ApiRequest("getMe", "", 5s)), R"({"message_id":5})");
  ASSERT_EQ(arrived.size(), 2U);
  EXPECT_EQ(arrived[0].method, "POST");
  EXPECT_EQ(arrived[0].target, "/bot" + kToken + "/sendMessage");
  EXPECT_EQ(arrived[0].body, R"({"chat_id":1,"text":"a"})");
  EXPECT_EQ(*http::find_header(arrived[0].headers, "content-type"), "application/json");
  EXPECT_EQ(arrived[1].body, "{}");
  EXPECT_EQ(proxy->accepted(), 1U);
}

TEST_F(ApiClientRoom, reaches_the_test_environment_by_its_path) {
  ApiClientOptions options(Token::parse(kToken).value());
  options.root = "http://127.0.0.1:" + std::to_string(proxy->port()) + "/";
  options.test_environment = true;
  api = make_api_client(client, options);
  ASSERT_TRUE(called(ApiRequest("getMe", "{}", 5s)));
  EXPECT_EQ(arrived[0].target, "/bot" + kToken + "/test/getMe");
}

TEST_F(ApiClientRoom, uploads_files_as_multipart) {
  ApiRequest request("setWebhook", R"({"url":"https://a/","max_connections":40})", 5s);
  request.files.emplace_back("certificate", "c.pem", "bytes\r\n\0of it");
  ASSERT_TRUE(called(request));
  ASSERT_EQ(arrived.size(), 1U);
  const std::string type = *http::find_header(arrived[0].headers, "content-type");
  const std::string start = "multipart/form-data; boundary=";
  ASSERT_TRUE(type.starts_with(start)) << type;
  const std::string boundary = type.substr(start.size());
  EXPECT_EQ(arrived[0].body.substr(0, boundary.size() + 2), "--" + boundary);
  EXPECT_TRUE(arrived[0].body.ends_with("--" + boundary + "--\r\n"));
  request.params = "[]";
  EXPECT_EQ(failed_kind(request), ApiError::Kind::refused);
}

TEST_F(ApiClientRoom, sends_no_method_that_could_leave_its_place_in_the_path) {
  for (const auto* method : {"", "get Me", "../x", "getMe?a=b", "a/b", "get%4de"}) {
    EXPECT_EQ(failed_kind(ApiRequest(method, "{}", 5s)), ApiError::Kind::refused) << method;
  }
  EXPECT_TRUE(arrived.empty());
}

TEST_F(ApiClientRoom, tells_refusals_with_telegrams_words_and_without_the_token) {
  reply = http::ServerReply(
      403, R"({"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"})");
  const ApiResult blocked = called(send_message());
  EXPECT_EQ(blocked.error().kind, ApiError::Kind::refused);
  EXPECT_EQ(blocked.error().code, 403);
  EXPECT_EQ(blocked.error().description, "Forbidden: bot was blocked by the user");
  reply = http::ServerReply(429, "busy", "text/plain");
  reply.headers.emplace_back("retry-after", "3");
  EXPECT_EQ(called(send_message()).error().retry_after, 3s);
  reply = http::ServerReply(
      404, R"({"ok":false,"error_code":404,"description":"no /bot)" + kToken + R"(/x here"})");
  EXPECT_EQ(called(send_message()).error().description, "no /bot<token>/x here");
}

// The three classes of an error decide whether a call may be repeated; each is provoked by cutting the
// socket.
TEST_F(ApiClientRoom, P12_a_call_cut_before_it_was_written_is_not_sent) {
  proxy->refuse(true);
  EXPECT_EQ(failed_kind(send_message()), ApiError::Kind::not_sent);
  proxy->refuse(false);
  EXPECT_TRUE(called(send_message()));
  EXPECT_EQ(arrived.size(), 1U);
}

TEST_F(ApiClientRoom, P12_a_call_cut_while_or_after_it_was_written_may_have_been_sent) {
  TcpFaults faults;
  for (const std::size_t passed : {0U, 20U}) {
    faults.cut_up = passed;
    proxy->set(faults);
    EXPECT_EQ(failed_kind(send_message()), ApiError::Kind::maybe_sent) << passed;
    EXPECT_TRUE(arrived.empty());
  }
  for (const bool reset : {true, false}) {
    arrived.clear();
    faults = TcpFaults();
    faults.cut_down = 0;
    faults.reset = reset;
    proxy->set(faults);
    EXPECT_EQ(failed_kind(send_message()), ApiError::Kind::maybe_sent);
    EXPECT_EQ(arrived.size(), 1U);
  }
}

TEST_F(ApiClientRoom, P12_a_call_cut_inside_its_answer_may_have_been_sent_at_every_byte) {
  ASSERT_TRUE(called(send_message()));
  const std::size_t whole = proxy->bytes_down();
  proxy->cut_all();
  for (std::size_t passed = 0; passed < whole; ++passed) {
    TcpFaults faults;
    faults.cut_down = passed;
    faults.reset = passed % 2 == 0;
    proxy->set(faults);
    EXPECT_EQ(failed_kind(send_message()), ApiError::Kind::maybe_sent) << passed;
  }
  EXPECT_EQ(arrived.size(), 1 + whole);
}

TEST_F(ApiClientRoom, P12_a_call_cut_after_its_answer_is_done_and_the_next_one_arrives_once) {
  ASSERT_TRUE(called(send_message()));
  const std::size_t whole = proxy->bytes_down();
  proxy->cut_all();
  TcpFaults faults;
  faults.cut_down = whole;
  for (int i = 0; i < 10; ++i) {
    faults.reset = i % 2 == 0;
    proxy->set(faults);
    ASSERT_TRUE(called(send_message()));
    while (proxy->open() > 0) io.run_one();
  }
  EXPECT_EQ(arrived.size(), 11U);
}

// libcurl would send it again by itself on a new connection; it gets as far as opening one.
TEST_F(ApiClientRoom, P12_a_call_on_a_kept_connection_that_breaks_arrives_once) {
  ASSERT_TRUE(called(send_message()));
  TcpFaults faults;
  faults.cut_down = 0;
  proxy->set(faults);
  EXPECT_EQ(failed_kind(send_message()), ApiError::Kind::maybe_sent);
  EXPECT_EQ(arrived.size(), 2U);
}

TEST_F(ApiClientRoom, waits_through_slow_lines_and_gives_up_on_silent_ones) {
  TcpFaults faults;
  faults.piece = 64;
  faults.pause = 1ms;
  proxy->set(faults);
  EXPECT_TRUE(called(send_message()));
  faults = TcpFaults();
  faults.swallow_down = true;
  proxy->set(faults);
  ApiRequest request = send_message();
  request.timeout = 50ms;
  EXPECT_EQ(failed_kind(std::move(request)), ApiError::Kind::maybe_sent);
  EXPECT_EQ(arrived.size(), 2U);
}

}  // namespace
}  // namespace tgkeep::telegram
