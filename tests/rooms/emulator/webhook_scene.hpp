#pragma once
// An emulated Telegram, a receiver for its webhooks and a virtual clock.

#include <gmock/gmock.h>

#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "emulator/bot_server.hpp"
#include "http/client.hpp"
#include "loop/virtual_clock.hpp"
#include "support/run.hpp"

namespace tgkeep::emulator {

class WebhookScene : public testing::Test {
 protected:
  static constexpr std::string_view token = "4242:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  static constexpr std::chrono::seconds no_drain{0};

  WebhookScene() {
    http::ServerOptions options;
    receiver = http::listen(
                   io.get_executor(), std::move(options),
                   [this](http::ServerRequest request) { return receive(std::move(request)); }, Log())
                   .value();
  }
  void TearDown() override {
    hold = false;
    release.notify();
    test::run(io, server->stop(no_drain));
    test::run(io, receiver->stop(no_drain));
  }

  /// A Bot API call; the JSON of the answer.
  boost::json::value call(std::string_view method_and_query) {
    std::string url = server->root() + "/bot" + std::string(token) + "/";
    http::ClientRequest request("GET", url.append(method_and_query));
    const http::ClientResult result = test::run(io, client.send(std::move(request)));
    return boost::json::parse(result.value().body);
  }
  std::string description(std::string_view method_and_query) {
    const boost::json::value answer = call(method_and_query);
    const auto* text = answer.as_object().if_contains("description");
    return text == nullptr ? "" : std::string(text->as_string());
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(receiver->port()) + "/hook"; }
  /// setWebhook to the receiver; more than once a second needs `more` to differ and the clock to move.
  void set_webhook(const std::string& more = {}) {
    ASSERT_EQ(description("setWebhook?url=" + url() + more), "Webhook was set");
  }
  std::int64_t add(std::int64_t chat, std::string_view kind = "message") {
    return account.add(kind, "{\"chat\":{\"id\":" + std::to_string(chat) + "},\"from\":{\"id\":1}}")->value();
  }
  const WebhookLog& log() const { return account.webhook.log; }

  template <class Condition>
  void until(Condition met) {
    io.restart();
    bool reached = met();
    while (!reached && io.run_one() > 0) reached = met();
    ASSERT_TRUE(reached);
  }
  /// Until `count` requests have ended at the sender.
  void until_ended(std::size_t count) {
    until([&] { return ended() >= count; });
  }
  /// Moves the clock to each alarm until `count` requests have ended.
  void ride_until_ended(std::size_t count) {
    ride_until([&] { return ended() >= count; });
  }
  /// Moves the clock only while no request is under way.
  template <class Condition>
  void ride_until(Condition met) {
    while (!met()) {
      io.restart();
      while (io.poll() > 0) {
      }
      if (met()) return;
      const bool in_flight = ended() < log().size();
      if (in_flight) {
        io.run_one();
      } else {
        ASSERT_TRUE(clock.advance_to_next());
      }
    }
  }
  std::size_t ended() const {
    std::size_t count = 0;
    for (const WebhookRecord& record : log()) count += record.ended;
    return count;
  }
  std::vector<std::int64_t> sent() const {
    std::vector<std::int64_t> ids;
    for (const WebhookRecord& record : log()) ids.push_back(record.update.value());
    return ids;
  }

  boost::asio::io_context io;
  loop::VirtualClock clock;
  std::unique_ptr<BotServer> server = BotServer::listen(io.get_executor(), clock).value();
  BotAccount& account = server->add_bot(token, 1);
  http::Client client{io.get_executor()};

  std::unique_ptr<http::Server> receiver;
  std::function<http::ServerReply()> answer = [] { return http::ServerReply(200); };
  std::vector<http::ServerRequest> received;
  bool hold = false;  ///< requests wait for `release`
  std::size_t holding = 0;
  loop::Event release{io.get_executor()};

  boost::asio::awaitable<http::ServerReply> receive(http::ServerRequest request) {
    received.push_back(std::move(request));
    ++holding;
    while (hold) co_await release.wait();
    --holding;
    http::ServerReply reply = answer();
    co_return reply;
  }
};

}  // namespace tgkeep::emulator
