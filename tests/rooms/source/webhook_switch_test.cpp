// Sources against the emulated Telegram and a real store: changing between polling and a webhook, and all
// that Telegram repeats (P1, P2, P8).

#include <gtest/gtest.h>
#include <stdlib.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <filesystem>
#include <set>
#include <tgkeep/long_poll.hpp>
#include <tgkeep/sqlite_store.hpp>
#include <tgkeep/store_browser.hpp>

#include "emulator/bot_server.hpp"
#include "emulator/traffic.hpp"
#include "http/client.hpp"
#include "loop/real_clock.hpp"
#include "source/webhook.hpp"
#include "support/random.hpp"
#include "support/run.hpp"
#include "telegram/api_client.hpp"

namespace tgkeep::source {
namespace {

using std::chrono::seconds;

const std::string kToken = "4242:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// A source that runs until it is stopped.
class Running {
 public:
  Running(asio::io_context& io, Source& source) : io_(io) {
    asio::co_spawn(
        io, source.run(),
        asio::bind_cancellation_slot(cancel_.slot(), [this](std::exception_ptr failure, Result<void> ended) {
          if (failure) std::rethrow_exception(failure);
          EXPECT_TRUE(ended);
          running_ = false;
        }));
  }
  ~Running() { stop(); }
  void stop() {
    if (running_) cancel_.emit(asio::cancellation_type::terminal);
    while (running_) io_.run_one();
  }

 private:
  asio::io_context& io_;
  asio::cancellation_signal cancel_;
  bool running_ = true;
};

class WebhookSwitch : public testing::Test {
 protected:
  WebhookSwitch() : clock(io.get_executor()), traffic(random.seed(), 30), client(io.get_executor()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "tgkeep-switch-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
    emulator::BotServerOptions telling;
    telling.speed = 10;
    telegram = emulator::BotServer::listen(io.get_executor(), clock, Log(), telling).value();
    account = &telegram->add_bot(kToken, random.seed());
    telegram::ApiClientOptions calling(telegram::Token::parse(kToken).value());
    calling.root = telegram->root();
    api = telegram::make_api_client(client, calling);
    store = store::open_sqlite_store(io.get_executor(), clock, store::SqliteOptions(folder), Log()).value();
    auto handler = [this](http::ServerRequest request) { return webhook->receive(std::move(request)); };
    http::ServerOptions serving;
    serving.check_head = [this](const http::ServerRequest& head) { return webhook->check(head); };
    server = http::listen(io.get_executor(), serving, handler, Log()).value();
    WebhookOptions options(account->id);
    options.path = "/hook";
    options.secrets = {"s3cret"};
    options.retry_after = seconds(1);
    options.registration.emplace("http://127.0.0.1:" + std::to_string(server->port()) + "/hook");
    webhook = make_webhook(clock, *api, *store, options, Log());
    LongPollOptions polling(account->id);
    poll = make_long_poll(clock, *api, *store, polling, Log());
    polling.take_over = true;
    poll_again = make_long_poll(clock, *api, *store, polling, Log());
  }
  ~WebhookSwitch() override {
    test::run(io, telegram->stop(seconds(0)));
    test::run(io, server->stop(seconds(5)));
    store.reset();
    std::filesystem::remove_all(folder);
  }

  void add(int count) {
    while (count > 0) {
      const emulator::TrafficUpdate update = traffic.next();
      if (!account->add(update.kind, update.body)) continue;
      --count;
      ++added;
    }
  }
  std::int64_t stored() const {
    return webhook->stats().stored + poll->stats().stored + poll_again->stats().stored;
  }
  template <class Condition>
  void until(Condition met) {
    while (!met()) io.run_one();
  }
  void until_all_is_stored() {
    until([&] { return stored() == added; });
  }
  void expect_once_each() {
    const Result<void> audited = test::run(io, store->browser()->audit());
    EXPECT_TRUE(audited) << audited.error().text();
    EXPECT_EQ(test::run(io, store->counts()).value().inbox.stored, added);
  }

  asio::io_context io{1};
  loop::RealClock clock;
  test::Random random;
  emulator::Traffic traffic;
  http::Client client;
  std::string folder;
  std::int64_t added = 0;
  std::unique_ptr<emulator::BotServer> telegram;
  emulator::BotAccount* account = nullptr;
  std::unique_ptr<Api> api;
  std::unique_ptr<Store> store;
  std::unique_ptr<http::Server> server;
  std::unique_ptr<Webhook> webhook;
  std::unique_ptr<Source> poll;
  std::unique_ptr<Source> poll_again;
};

TEST_F(WebhookSwitch, P1_P2_changing_from_polling_to_a_webhook_and_back_loses_nothing) {
  TGKEEP_TRACE_SEED(random);
  Running polling(io, *poll);
  add(150);
  until_all_is_stored();
  add(100);
  Running receiving(io, *webhook);
  add(50);
  until([&] { return webhook->stats().stored > 0 || stored() == added; });
  add(100);
  until_all_is_stored();
  until([&] { return webhook->stats().healthy; });
  polling.stop();
  EXPECT_GT(webhook->stats().stored, 0);

  receiving.stop();
  add(100);
  Running polling_again(io, *poll_again);
  add(100);
  until_all_is_stored();
  EXPECT_FALSE(account->webhook.is_active());
  EXPECT_GT(poll_again->stats().stored, 0);
  polling_again.stop();
  expect_once_each();
}

TEST_F(WebhookSwitch, P2_what_telegram_repeats_is_acknowledged_and_stored_once) {
  TGKEEP_TRACE_SEED(random);
  std::set<std::int64_t> repeated;
  telegram->set_webhook_faults([&](const emulator::WebhookRecord& record) {
    const std::int64_t id = record.update.value();
    if (id % 3 == 2 || !repeated.insert(id).second) return emulator::WebhookFault::none;
    return id % 3 == 0 ? emulator::WebhookFault::twice : emulator::WebhookFault::again;
  });
  Running receiving(io, *webhook);
  add(600);
  until_all_is_stored();
  until([&] { return account->queue.size() == 0; });
  receiving.stop();
  expect_once_each();
  EXPECT_GT(webhook->stats().duplicates, 100);
}

TEST_F(WebhookSwitch, P1_P10_updates_refused_while_it_stands_still_come_again_by_themselves) {
  TGKEEP_TRACE_SEED(random);
  Running receiving(io, *webhook);
  until([&] { return webhook->stats().healthy; });
  receiving.stop();
  add(100);
  until([&] { return webhook->stats().failures > 0; });
  Running receiving_again(io, *webhook);
  until_all_is_stored();
  receiving_again.stop();
  expect_once_each();
}

}  // namespace
}  // namespace tgkeep::source
