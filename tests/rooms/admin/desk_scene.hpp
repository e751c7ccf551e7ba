#pragma once
// A desk over premises made of memory stores, in virtual time.

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <memory>
#include <string>
#include <tgkeep/memory_store.hpp>
#include <tgkeep/store_browser.hpp>
#include <vector>

#include "admin/desk.hpp"
#include "loop/virtual_clock.hpp"
#include "rooms/admin/fake_browser.hpp"
#include "support/run.hpp"

namespace tgkeep::admin {

class FakeBot final : public OperatedBot {
 public:
  FakeBot(const asio::any_io_executor& loop, Clock& clock, std::int64_t id, std::string name)
      : store(store::make_memory_store(loop, clock)) {
    known.id = BotId(id);
    known.name = std::move(name);
    known.source = "poll";
    known.target = "push 127.0.0.1:3000";
    known.limit = 500;
  }
  const BotFacts& facts() const override { return known; }
  asio::awaitable<Result<StoreCounts>> counts() override {
    if (broken) return refused();
    return store->counts();
  }
  StoreStats store_stats() const override { return stats; }
  StoreBrowser* browser() override { return searchable ? (searched ? searched : store->browser()) : nullptr; }
  Epoch epoch() const override { return store->epoch(); }
  std::optional<SourceStats> source() const override { return receiving; }
  std::optional<RunnerStats> runner(Queue queue) const override {
    return queue == Queue::inbox ? inbox : outbox;
  }
  std::vector<InFlight> in_flight(Queue) const override { return flights; }
  std::vector<BusyLane> busy_lanes(std::size_t limit) const override {
    return std::vector<BusyLane>(lanes.begin(), lanes.begin() + std::min(limit, lanes.size()));
  }
  asio::awaitable<Result<void>> set_paused(Queue queue, bool paused) override {
    pauses[queue] = paused;
    co_return Result<void>();
  }
  bool paused(Queue queue) const override { return pauses.contains(queue) && pauses.at(queue); }

  BotFacts known;
  std::unique_ptr<Store> store;
  StoreStats stats;
  StoreBrowser* searched = nullptr;  ///< instead of the store's own
  bool searchable = true;
  bool broken = false;
  std::optional<SourceStats> receiving;
  std::optional<RunnerStats> inbox;
  std::optional<RunnerStats> outbox;
  std::vector<InFlight> flights;
  std::vector<BusyLane> lanes;
  std::map<Queue, bool> pauses;

 private:
  static asio::awaitable<Result<StoreCounts>> refused() {
    co_return Error(Errc::store_broken, "the disk failed; look at it and start again");
  }
};

class FakePremises final : public Premises {
 public:
  explicit FakePremises(asio::io_context& io) : io(io) {}
  bool live() const override { return running; }
  asio::any_io_executor loop() const override { return io.get_executor(); }
  Clock& clock() override { return time; }
  std::vector<OperatedBot*> bots() override {
    std::vector<OperatedBot*> all;
    for (const auto& bot : owned) all.push_back(bot.get());
    return all;
  }
  WallTime started() const override { return from_millis(1'764'450'000'000); }
  bool stopping() const override { return stops > 0; }
  bool receiving() const override { return receives; }
  asio::awaitable<Result<void>> drain() override {
    if (!running) co_return Error(Errc::misuse, "no process is running that receives; start it with serve");
    receives = false;
    co_return Result<void>();
  }
  asio::awaitable<Result<void>> resume_receiving() override {
    receives = true;
    co_return Result<void>();
  }
  Result<void> stop() override {
    ++stops;
    return Result<void>();
  }
  asio::awaitable<Result<std::vector<std::string>>> reload() override {
    if (!bad_config.empty()) co_return Error(Errc::bad_config, bad_config);
    co_return std::vector<std::string>{"bot shop: limit 500 → 100"};
  }

  FakeBot& add(std::int64_t id, std::string name = "") {
    owned.push_back(std::make_unique<FakeBot>(io.get_executor(), time, id, std::move(name)));
    return *owned.back();
  }

  asio::io_context& io;
  loop::VirtualClock time;
  std::vector<std::unique_ptr<FakeBot>> owned;
  bool running = true;
  bool receives = true;
  int stops = 0;
  std::string bad_config;
};

class AdminDesk : public testing::Test {
 protected:
  void open() { desk = std::make_unique<Desk>(premises, options); }
  void TearDown() override {
    if (desk) test::run(io, desk->close());
  }

  http::ServerReply asked(http::ServerRequest request) {
    if (!desk) open();
    return test::run(io, desk->answer(std::move(request)));
  }
  /// A bot "shop" with a list for a store.
  FakeBot& add_shop() {
    FakeBot& bot = premises.add(1, "shop");
    bot.searched = &browser;
    return bot;
  }
  http::ServerReply get(std::string target) {
    http::ServerRequest request;
    request.method = "GET";
    request.target = std::move(target);
    return asked(std::move(request));
  }
  http::ServerReply post(std::string target, std::string body = "{}") {
    http::ServerRequest request;
    request.method = "POST";
    request.target = std::move(target);
    request.body = std::move(body);
    request.headers.emplace_back("Content-Type", "application/json");
    return asked(std::move(request));
  }
  static boost::json::value json_of(const http::ServerReply& reply) {
    boost::system::error_code error;
    boost::json::value value = boost::json::parse(reply.body, error);
    EXPECT_FALSE(error) << reply.body;
    return value;
  }
  static std::string text_of(const http::ServerReply& reply) {
    const boost::json::value value = json_of(reply);
    return std::string(value.at("error").at("text").as_string());
  }
  static std::string code_of(const http::ServerReply& reply) {
    const boost::json::value value = json_of(reply);
    return std::string(value.at("error").at("code").as_string());
  }

  asio::io_context io{1};
  FakePremises premises{io};
  FakeBrowser browser;
  DeskOptions options;
  std::unique_ptr<Desk> desk;
};

}  // namespace tgkeep::admin
