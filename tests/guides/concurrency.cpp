// The pieces of code in docs/concurrency.md, whole: house_snippets compares the two.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <iostream>
#include <optional>
#include <string>
#include <tgkeep/bot.hpp>
#include <tgkeep/gateway.hpp>
#include <tgkeep/run.hpp>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace guide {

// A bot with everything on.

asio::awaitable<tgkeep::Outcome> handle(tgkeep::Context update) {
  std::cout << update.raw() << std::endl;
  co_return tgkeep::Outcome::done();
}

int with_a_store() {
  return tgkeep::Gateway(tgkeep::GatewayOptions::from_environment(), handle).run();
}

int with_a_handle() {
  tgkeep::RunnerHandle bot = tgkeep::run(tgkeep::GatewayOptions::from_environment(), handle);
  // The program goes on with other things here.
  const tgkeep::StopReport report = bot.stop(10s);
  if (report.cut_off > 0) std::cerr << report.cut_off << " will come again\n";
  if (bot.failure()) std::cerr << bot.failure()->text() << "\n";
  return static_cast<int>(bot.wait());
}

// A supplier and a consumer of its own.

class Queue {
 public:
  asio::awaitable<std::optional<std::vector<tgkeep::Update>>> take(std::size_t limit) {
    std::vector<tgkeep::Update> updates;
    while (!waiting_.empty() && updates.size() < limit) {
      updates.push_back(std::move(waiting_.back()));
      waiting_.pop_back();
    }
    if (updates.empty()) co_return std::optional<std::vector<tgkeep::Update>>();
    co_return std::optional<std::vector<tgkeep::Update>>(std::move(updates));
  }

 private:
  std::vector<tgkeep::Update> waiting_;
};

asio::awaitable<void> consume(tgkeep::Context update) {
  std::cout << update.raw() << std::endl;
  co_return;
}

void without_a_store(Queue& queue) {
  auto supply = [&queue](std::size_t limit) { return queue.take(limit); };
  tgkeep::RunnerHandle pipeline = tgkeep::run(supply, consume);
  pipeline.wait();
}

void modes(tgkeep::UpdateSupplier supply) {
  tgkeep::RunOptions one_by_one(tgkeep::DirectOptions::sequential());
  tgkeep::RunOptions in_batches(tgkeep::DirectOptions::batch(100));
  tgkeep::RunOptions concurrent(tgkeep::DirectOptions::concurrent(500));  // the default
  concurrent.timeout = 30s;
  concurrent.on_timeout = [](const tgkeep::InFlight& late) {
    std::cerr << late.kind << " of " << late.key << " takes long\n";
  };
  concurrent.on_error = [](const tgkeep::DeliveryFailure& failure) {
    std::cerr << failure.error << (failure.late ? " (after its timeout)\n" : "\n");
  };
  tgkeep::RunnerHandle pipeline = tgkeep::run(std::move(supply), consume, concurrent);
  pipeline.wait();
}

void modes_with_a_store(tgkeep::GatewayOptions& options) {
  options.inbox.limit = 1;          // one by one
  options.inbox.limit = 100;        // or in batches
  options.inbox.in_batches = true;  // of 100
}

// Order.

void order(tgkeep::GatewayOptions& options) {
  options.sequentialize = tgkeep::chat_and_user;
}

std::vector<std::string> by_topic(const tgkeep::Update& update) {
  if (update.kind == "inline_query") return {};  // ordered with nothing
  std::vector<std::string> keys;
  for (const tgkeep::OrderingKey& key : update.keys) keys.push_back(key.text());
  if (update.raw.find("/stock") != std::string::npos) keys.emplace_back("stock");
  return keys;
}

// Timeouts.

asio::awaitable<tgkeep::Outcome> fetch(tgkeep::Context) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  asio::steady_timer pause(executor, 5s);
  co_await pause.async_wait(asio::use_awaitable);
  co_return tgkeep::Outcome::done();
}

void timeouts(tgkeep::GatewayOptions& options) {
  options.inbox.timeout = 30s;
}

// Stop.

int stop_well() {
  tgkeep::RunnerHandle bot = tgkeep::run(tgkeep::GatewayOptions::from_environment(), fetch);
  bot.stop_on_signals(10s);
  return static_cast<int>(bot.wait());
}

// Pace.

void pace(tgkeep::RunOptions& options) {
  options.speed_traffic_balance = 0.5;
  options.max_pace = 500ms;
}

// Cores.

void cores(tgkeep::GatewayOptions& options) {
  options.handler_threads = 16;
}

}  // namespace guide
