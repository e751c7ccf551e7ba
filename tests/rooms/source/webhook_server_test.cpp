// The webhook behind a real HTTP server and a real store: many connections at once (P1, P2, P8).

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <boost/asio/detached.hpp>
#include <filesystem>
#include <tgkeep/sqlite_store.hpp>
#include <tgkeep/store_browser.hpp>

#include "http/client.hpp"
#include "loop/real_clock.hpp"
#include "loop/task_group.hpp"
#include "rooms/http/raw_tcp.hpp"
#include "rooms/source/webhook_room.hpp"
#include "source/webhook.hpp"
#include "support/run.hpp"

namespace tgkeep::source {
namespace {

using std::chrono::seconds;

class WebhookServer : public testing::Test {
 protected:
  WebhookServer()
      : clock(io.get_executor()),
        telegram(clock),
        client(io.get_executor()),
        tasks(io.get_executor(), Log()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "tgkeep-webhook-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
    store = store::open_sqlite_store(io.get_executor(), clock, store::SqliteOptions(folder), Log()).value();
    WebhookOptions options(BotId(42));
    options.path = "/hook";
    options.secrets = {"s3cret"};
    webhook = make_webhook(clock, telegram, *store, options, Log());
    http::ServerOptions serving;
    serving.check_head = [this](const http::ServerRequest& head) { return webhook->check(head); };
    auto handler = [this](http::ServerRequest request) { return webhook->receive(std::move(request)); };
    server = http::listen(io.get_executor(), serving, handler, Log()).value();
    url = "http://127.0.0.1:" + std::to_string(server->port()) + "/hook";
    tasks.spawn("webhook", run_webhook());
  }
  ~WebhookServer() override {
    test::run(io, server->stop(seconds(5)));
    tasks.cancel();
    test::run(io, tasks.join());
    webhook.reset();
    store.reset();
    std::filesystem::remove_all(folder);
  }

  asio::awaitable<void> run_webhook() { co_await webhook->run(); }

  http::ClientRequest post(std::int64_t id) const {
    http::ClientRequest request("POST", url);
    request.headers.emplace_back("X-Telegram-Bot-Api-Secret-Token", "s3cret");
    request.headers.emplace_back("Content-Type", "application/json");
    request.body = test::webhook_update(id);
    return request;
  }
  asio::awaitable<void> send(http::ClientRequest request) {
    const http::ClientResult answer = co_await client.send(std::move(request));
    statuses.push_back(answer ? answer->status : 0);
  }
  /// Posts all at once and waits for the answers.
  void send_all(std::vector<http::ClientRequest> requests) {
    loop::TaskGroup posts(io.get_executor(), Log());
    for (auto& request : requests) posts.spawn("post", send(std::move(request)));
    test::run(io, posts.join());
  }
  QueueCounts inbox() {
    const Result<void> audited = test::run(io, store->browser()->audit());
    EXPECT_TRUE(audited) << audited.error().text();
    return test::run(io, store->counts()).value().inbox;
  }

  asio::io_context io{1};
  loop::RealClock clock;
  test::WebhookTelegram telegram;
  http::Client client;
  std::string folder;
  std::unique_ptr<Store> store;
  std::unique_ptr<Webhook> webhook;
  std::unique_ptr<http::Server> server;
  std::string url;
  std::vector<int> statuses;
  loop::TaskGroup tasks;
};

TEST_F(WebhookServer, P1_64_connections_at_once_are_all_stored_and_answered) {
  std::vector<http::ClientRequest> requests;
  for (int id = 1; id <= 640; ++id) requests.push_back(post(id));
  send_all(std::move(requests));
  EXPECT_EQ(std::ranges::count(statuses, 200), 640);
  EXPECT_EQ(inbox().stored, 640);
  EXPECT_EQ(webhook->stats().stored, 640);
}

TEST_F(WebhookServer, P2_the_same_update_from_several_connections_at_once_is_stored_once) {
  std::vector<http::ClientRequest> requests;
  for (int i = 0; i < 200; ++i) requests.push_back(post(1 + i / 4));
  send_all(std::move(requests));
  EXPECT_EQ(std::ranges::count(statuses, 200), 200);
  EXPECT_EQ(inbox().stored, 50);
  EXPECT_EQ(inbox().duplicates, 150);
  EXPECT_EQ(webhook->stats().duplicates, 150);
}

TEST_F(WebhookServer, strangers_are_refused_and_store_nothing_while_good_traffic_goes_on) {
  std::vector<http::ClientRequest> requests;
  for (int id = 1; id <= 50; ++id) {
    requests.push_back(post(id));
    requests.push_back(post(1000 + id));
    requests.back().headers[0].second = "wrong";
    requests.push_back(post(2000 + id));
    requests.back().url += "/else";
    requests.push_back(post(3000 + id));
    requests.back().method = "GET";
    requests.back().body.clear();
  }
  send_all(std::move(requests));
  for (const int status : {200, 401, 404, 405}) EXPECT_EQ(std::ranges::count(statuses, status), 50) << status;
  EXPECT_EQ(inbox().stored, 50);
}

asio::awaitable<std::string> ask(asio::io_context& io, std::uint16_t port, std::string bytes) {
  test::RawTcp tcp(io);
  co_await tcp.connect(port);
  co_await tcp.send(std::move(bytes));
  std::string answer = co_await tcp.read_message();
  co_return answer;
}

TEST_F(WebhookServer, a_wrong_secret_is_refused_before_the_body_arrives) {
  const std::string head =
      "POST /hook HTTP/1.1\r\nHost: a\r\nX-Telegram-Bot-Api-Secret-Token: wrong\r\nContent-Type: "
      "application/json\r\n"
      "Content-Length: 500000\r\n\r\n";
  const std::string answer = test::run(io, ask(io, server->port(), head));
  EXPECT_EQ(test::status_of(answer), 401) << answer;
  EXPECT_EQ(webhook->stats().received, 0);
}

}  // namespace
}  // namespace tgkeep::source
