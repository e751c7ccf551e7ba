#pragma once
// An emulated Telegram with one bot, and a client that calls it.

#include <gmock/gmock.h>

#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "emulator/bot_server.hpp"
#include "http/client.hpp"
#include "loop/virtual_clock.hpp"
#include "support/run.hpp"

namespace tgkeep::emulator {

class ApiScene : public testing::Test {
 protected:
  static constexpr std::string_view token = "4242:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  static constexpr std::int64_t bot_id = 4242;

  explicit ApiScene(BotServerOptions options = BotServerOptions())
      : server(BotServer::listen(io.get_executor(), clock, Log(), options).value()),
        account(server->add_bot(token, 1)) {}
  void TearDown() override { test::run(io, server->stop(std::chrono::seconds(0))); }

  /// A POST with a JSON body; the JSON of the answer.
  boost::json::value call(std::string_view method, std::string_view params = "{}") {
    http::ClientRequest request("POST",
                                server->root() + "/bot" + std::string(token) + "/" + std::string(method));
    request.headers.emplace_back("Content-Type", "application/json");
    request.body = params;
    return boost::json::parse(exchange(std::move(request)).body);
  }
  boost::json::value call(std::string_view method, const boost::json::object& params) {
    return call(method, boost::json::serialize(params));
  }
  /// The result of a call that must succeed.
  boost::json::value result(std::string_view method, std::string_view params = "{}") {
    boost::json::value answer = call(method, params);
    EXPECT_TRUE(answer.at("ok").as_bool()) << method << ": " << answer;
    const auto* found = answer.as_object().if_contains("result");
    return found == nullptr ? boost::json::value() : *found;
  }
  /// The description of a call that must fail.
  std::string refusal(std::string_view method, std::string_view params = "{}") {
    const boost::json::value answer = call(method, params);
    EXPECT_FALSE(answer.at("ok").as_bool()) << method << ": " << answer;
    const auto* found = answer.as_object().if_contains("description");
    return found == nullptr ? "" : std::string(found->as_string());
  }
  /// A multipart POST with one file and some plain parameters.
  boost::json::value upload(std::string_view method, std::string_view part, std::string_view bytes,
                            const std::vector<std::pair<std::string, std::string>>& params) {
    http::ClientRequest request("POST",
                                server->root() + "/bot" + std::string(token) + "/" + std::string(method));
    request.headers.emplace_back("Content-Type", "multipart/form-data; boundary=b0undary");
    for (const auto& [name, value] : params) {
      request.body +=
          "--b0undary\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
    }
    request.body += "--b0undary\r\nContent-Disposition: form-data; name=\"" + std::string(part) +
                    "\"; filename=\"note.txt\"\r\nContent-Type: text/plain\r\n\r\n" + std::string(bytes) +
                    "\r\n--b0undary--\r\n";
    return boost::json::parse(exchange(std::move(request)).body);
  }
  http::ClientResponse get(std::string_view path) {
    return exchange(http::ClientRequest("GET", server->root() + std::string(path)));
  }
  http::ClientResponse exchange(http::ClientRequest request) {
    return test::run(io, client.send(std::move(request))).value();
  }
  std::int64_t send_text(std::int64_t chat, std::string_view text) {
    boost::json::object params;
    params["chat_id"] = chat;
    params["text"] = boost::json::string_view(text.data(), text.size());
    return result("sendMessage", boost::json::serialize(params)).at("message_id").as_int64();
  }

  boost::asio::io_context io;
  loop::VirtualClock clock;
  std::unique_ptr<BotServer> server;
  BotAccount& account;
  http::Client client{io.get_executor()};
};

/// With strict rules: what nobody made is not there.
class StrictApiScene : public ApiScene {
 protected:
  StrictApiScene() : ApiScene(options()) {}
  static BotServerOptions options() {
    BotServerOptions strict;
    strict.strict = true;
    return strict;
  }
};

}  // namespace tgkeep::emulator
