#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/server.hpp"
#include "support/run.hpp"
#include "telegram/api_client.hpp"

namespace tgkeep {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

const std::string kToken = "123456789:AAF-abcdefghijklmnop_qrstu";
const std::string kParams = R"({"chat_id":7,"text":"private words"})";

class Row {
 public:
  std::string name;
  int status;
  std::string body;
  ApiError::Kind kind;
  int code;
  std::string description;
  std::string text;
};

std::string refusal(int code, const std::string& description, const std::string& parameters = "{}") {
  return R"({"ok":false,"error_code":)" + std::to_string(code) + R"(,"description":")" + description +
         R"(","parameters":)" + parameters + "}";
}

std::vector<Row> table() {
  using Kind = ApiError::Kind;
  return {
      {"refused", 400, refusal(400, "Bad Request: chat not found"), Kind::refused, 400,
       "Bad Request: chat not found", "sendMessage was refused (400): Bad Request: chat not found"},
      {"flood", 429, refusal(429, "Too Many Requests: retry after 5", R"({"retry_after":5})"), Kind::refused,
       429, "Too Many Requests: retry after 5",
       "sendMessage was refused (429): Too Many Requests: retry after 5; repeat it after 5 s"},
      {"migrated", 400,
       refusal(400, "Bad Request: group chat was upgraded", R"({"migrate_to_chat_id":-1009})"), Kind::refused,
       400, "Bad Request: group chat was upgraded",
       "sendMessage was refused (400): Bad Request: group chat was upgraded; the chat is now -1009"},
      {"a proxy's own answer", 502, "<html>", Kind::maybe_sent, 502,
       "HTTP 502 and no Bot API answer (6 bytes of HTML)",
       "sendMessage got no valid answer: HTTP 502 and no Bot API answer (6 bytes of HTML); it may have taken "
       "effect, "
       "so a repeat may do it twice"},
      {"not JSON", 200, R"({"ok":tr)", Kind::maybe_sent, 200,
       "HTTP 200 and no Bot API answer (8 bytes, cut or broken JSON)",
       "sendMessage got no valid answer: HTTP 200 and no Bot API answer (8 bytes, cut or broken JSON); it "
       "may have "
       "taken effect, so a repeat may do it twice"},
      {"a token in its words", 401, refusal(401, "no " + kToken + " here"), Kind::refused, 401,
       "no <token> here", "sendMessage was refused (401): no <token> here"},
  };
}

/// A client in front of a server that gives one answer.
class ErrorRoom : public ::testing::Test {
 protected:
  ErrorRoom() {
    auto handler = [this](http::ServerRequest request) { return serve(std::move(request)); };
    server = http::listen(io.get_executor(), http::ServerOptions(), handler, Log()).value();
    api = client_of(server->port());
  }
  void TearDown() override {
    if (server) test::run(io, server->stop(0s));
  }
  asio::awaitable<http::ServerReply> serve(http::ServerRequest) { co_return reply; }
  std::unique_ptr<Api> client_of(std::uint16_t port) {
    telegram::ApiClientOptions options(telegram::Token::parse(kToken).value());
    options.root = "http://127.0.0.1:" + std::to_string(port);
    return telegram::make_api_client(client, options);
  }
  ApiError failed(ApiRequest request) {
    const ApiResult result = test::run(io, api->call(std::move(request)));
    EXPECT_FALSE(result);
    return result.error();
  }

  asio::io_context io{1};
  http::Client client{io.get_executor()};
  http::ServerReply reply{200, ""};
  std::unique_ptr<http::Server> server;
  std::unique_ptr<Api> api;
};

TEST_F(ErrorRoom, M17_every_error_has_code_description_parameters_method_and_payload) {
  for (const Row& row : table()) {
    SCOPED_TRACE(row.name);
    reply = http::ServerReply(row.status, row.body);
    const ApiError error = failed(ApiRequest("sendMessage", kParams, 5s));
    EXPECT_EQ(error.kind, row.kind);
    EXPECT_EQ(error.code, row.code);
    EXPECT_EQ(error.description, row.description);
    EXPECT_EQ(error.method, "sendMessage");
    EXPECT_EQ(error.params, kParams);
    EXPECT_EQ(error.text(), row.text);
  }
  reply = http::ServerReply(
      429, refusal(429, "Too Many Requests", R"({"retry_after":5,"migrate_to_chat_id":-9})"));
  const ApiError error = failed(ApiRequest("sendMessage", kParams, 5s));
  EXPECT_EQ(error.retry_after, 5s);
  EXPECT_EQ(error.migrate_to_chat_id, -9);
}

TEST_F(ErrorRoom, M17_what_was_never_sent_says_so) {
  const ApiError name = failed(ApiRequest("send Message", kParams, 5s));
  EXPECT_EQ(name.kind, ApiError::Kind::refused);
  EXPECT_EQ(name.code, 400);
  EXPECT_EQ(name.method, "send Message");
  EXPECT_EQ(name.params, kParams);
  EXPECT_EQ(name.text(), "send Message was refused (400): a method's name has only letters, digits and _");

  ApiRequest with_file("sendDocument", "[]", 5s);
  with_file.files.emplace_back("document", "a.txt", "content");
  const ApiError params = failed(with_file);
  EXPECT_EQ(params.kind, ApiError::Kind::refused);
  EXPECT_EQ(params.method, "sendDocument");
  EXPECT_EQ(params.params, "[]");

  const std::uint16_t port = server->port();
  test::run(io, server->stop(0s));
  server.reset();
  api = client_of(port);
  const ApiError closed = failed(ApiRequest("sendMessage", kParams, 5s));
  EXPECT_EQ(closed.kind, ApiError::Kind::not_sent);
  EXPECT_EQ(closed.method, "sendMessage");
  EXPECT_EQ(closed.params, kParams);
  EXPECT_THAT(closed.text(), testing::StartsWith("sendMessage was not sent: "));
  EXPECT_THAT(closed.text(), testing::EndsWith("; it may be repeated"));
  EXPECT_THAT(closed.text(), Not(HasSubstr(kToken)));
}

TEST_F(ErrorRoom, M17_value_throws_it_with_its_text_and_without_what_users_wrote) {
  reply = http::ServerReply(403, refusal(403, "Forbidden: bot was blocked by the user"));
  const ApiResult result = test::run(io, api->call(ApiRequest("sendMessage", kParams, 5s)));
  try {
    const std::string unused = result.value();
    FAIL() << "it did not throw";
  } catch (const ApiFailure& failure) {
    EXPECT_EQ(failure.error().code, 403);
    EXPECT_STREQ(failure.what(), "sendMessage was refused (403): Forbidden: bot was blocked by the user");
  }
}

}  // namespace
}  // namespace tgkeep
