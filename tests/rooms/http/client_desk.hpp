#pragma once
// A client under test and a server that answers by script.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "http/client.hpp"
#include "loop/task_group.hpp"
#include "rooms/http/raw_tcp.hpp"
#include "support/run.hpp"

namespace tgkeep::http {

inline const std::string kSecret = "123456789:AAF-secretsecretsecretsecretsecret";
inline const std::string kAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

class HttpClient : public ::testing::Test {
 protected:
  void TearDown() override { test::run(io, end_tasks()); }

  // From inside the loop: co_spawn posts a cancellation from outside, and then it may come after the end.
  asio::awaitable<void> end_tasks() {
    tasks.cancel();
    co_await tasks.join();
  }

  ClientRequest request(std::string body = "{}", std::string method = "POST") {
    ClientRequest request(std::move(method), "http://127.0.0.1:" + std::to_string(listener.port()) + "/bot" +
                                                 kSecret + "/sendMessage?q=" + kSecret);
    request.headers.emplace_back("Content-Type", "application/json");
    request.body = std::move(body);
    return request;
  }
  ClientResult sent(ClientRequest request) {
    ClientResult result = test::run(io, client.send(std::move(request)));
    if (!result) {
      EXPECT_EQ(result.error().text.find(kSecret.substr(0, 9)), std::string::npos) << result.error().text;
      EXPECT_EQ(result.error().text.find("secret"), std::string::npos) << result.error().text;
      EXPECT_EQ(result.error().text.find("sendMessage"), std::string::npos) << result.error().text;
    }
    return result;
  }

  /// Takes connections for ever; notes what arrives and answers by `script`: an answer, or "" to close.
  asio::awaitable<void> serve() {
    for (;;) {
      test::RawTcp end = co_await listener.accept();
      ++connections;
      tasks.spawn("connection", serve_one(std::move(end)));
    }
  }
  asio::awaitable<void> serve_one(test::RawTcp end) {
    for (;;) {
      std::string message = co_await end.read_message();
      arrived.push_back(std::move(message));
      std::string answer = script(arrived.size());
      if (answer.empty()) break;
      if (answer == "wait") {
        co_await end.read_to_end();
        break;
      }
      co_await end.send(std::move(answer));
      if (close_after_answer) break;
    }
    end.close();
  }
  void start() { tasks.spawn("serve", serve()); }

  asio::io_context io{1};
  test::RawListener listener{io};
  Client client{io.get_executor()};
  std::vector<std::string> arrived;
  int connections = 0;
  bool close_after_answer = false;
  std::function<std::string(std::size_t)> script = [](std::size_t) { return kAnswer; };
  loop::TaskGroup tasks{io.get_executor(), Log()};
};

}  // namespace tgkeep::http
