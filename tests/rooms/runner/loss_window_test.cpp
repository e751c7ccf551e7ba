// The loss window: grammY's runner, killed with its defaults and 1000 updates pending, loses 499. Here: none.

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <set>
#include <tgkeep/long_poll.hpp>
#include <tgkeep/sqlite_store.hpp>

#include "e2e/temporary_folder.hpp"
#include "rooms/runner/runner_bench.hpp"
#include "rooms/source/fake_api.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

/// What has been put and is durable.
class DurableIds {
 public:
  std::set<std::int64_t> ids;
};

/// Only `put` is watched.
class WatchedStore final : public Store {
 public:
  WatchedStore(Store& real, DurableIds& durable) : real_(real), durable_(durable) {}
  asio::awaitable<Result<std::vector<PutResult>>> put(std::vector<Update> updates) override {
    std::vector<std::int64_t> ids;
    for (const Update& update : updates) ids.push_back(update.id.value());
    auto results = co_await real_.put(std::move(updates));
    if (results) durable_.ids.insert(ids.begin(), ids.end());
    co_return results;
  }
  asio::awaitable<Result<std::vector<Head>>> lease(LeaseRequest request) override {
    return real_.lease(request);
  }
  asio::awaitable<Result<std::vector<Item>>> begin(Queue queue, std::vector<Seq> seqs, Mark mark) override {
    return real_.begin(queue, std::move(seqs), mark);
  }
  asio::awaitable<Result<void>> renew(Queue queue, std::vector<Seq> seqs) override {
    return real_.renew(queue, std::move(seqs));
  }
  asio::awaitable<Result<std::vector<bool>>> settle(std::vector<Settlement> settlements) override {
    return real_.settle(std::move(settlements));
  }
  asio::awaitable<Result<StoreCounts>> counts() override { return real_.counts(); }
  Epoch epoch() const noexcept override { return real_.epoch(); }

 private:
  Store& real_;
  DurableIds& durable_;
};

/// Telegram with ids 1 … 1000 pending: forgets what an offset confirms, and looks whether it was durable.
class Telegram final : public Api {
 public:
  Telegram(Clock& clock, const DurableIds& durable) : clock_(clock), durable_(durable) {}
  std::int64_t confirmed = 0;
  bool always_durable = true;

  asio::awaitable<ApiResult> call(ApiRequest request) override {
    if (request.method != "getUpdates") co_return ApiResult(std::string("true"));
    const boost::json::value params = boost::json::parse(request.params);
    if (const auto* const offset = params.as_object().if_contains("offset")) {
      confirmed = offset->as_int64() - 1;
      for (std::int64_t id = 1; id <= confirmed; ++id) {
        always_durable = always_durable && durable_.ids.contains(id);
      }
    }
    if (confirmed == 1000) co_await loop::sleep_for(clock_, 1h);
    std::string answer;
    for (std::int64_t id = confirmed + 1; id <= std::min<std::int64_t>(confirmed + 100, 1000); ++id) {
      const std::string number = std::to_string(id);
      answer += (answer.empty() ? "[" : ",") + (R"({"update_id":)" + number) +
                R"(,"message":{"chat":{"id":)" + number + "}}}";
    }
    co_return ApiResult(answer + "]");
  }

 private:
  Clock& clock_;
  const DurableIds& durable_;
};

class Life {
 public:
  Life(const std::string& folder, DurableIds& durable)
      : store_(
            store::open_sqlite_store(io.get_executor(), clock, store::SqliteOptions(folder), Log()).value()),
        watched_(*store_, durable),
        sink(clock),
        runner(make_runner(io.get_executor(), clock, watched_, Queue::inbox, sink, RunnerOptions(), Log())) {}

  Store& store() { return watched_; }
  /// Runs the loop until `there` holds; the store's thread is a real one.
  template <class Condition>
  void run_until(Condition there) {
    while (!there()) {
      clock.advance(0s);
      io.restart();
      ASSERT_GT(io.run_one_for(20s), 0U) << "nothing happens any more";
    }
  }

  asio::io_context io;
  loop::VirtualClock clock;

 private:
  std::unique_ptr<Store> store_;
  WatchedStore watched_;

 public:
  ScriptedSink sink;
  std::unique_ptr<Runner> runner;
};

/// What a kill would leave of the files now.
void copy_files(const TemporaryFolder& from, const TemporaryFolder& to) {
  for (const char* const name : {"inbox.db-wal", "inbox.db", "inbox.commits"}) {
    if (std::filesystem::exists(from.file(name))) std::filesystem::copy_file(from.file(name), to.file(name));
  }
}

TEST(Runner, P1_P3_killed_with_500_in_flight_and_1000_confirmed_none_of_grammY_s_499_are_lost) {
  const TemporaryFolder first_folder;
  const TemporaryFolder second_folder;
  DurableIds durable;
  {
    Life life(first_folder.file(""), durable);
    Telegram telegram(life.clock, durable);
    life.sink.script = [](const Item& item) {
      return Script(item.update_id == UpdateId(1) ? 1s : 100h, Outcome::done());
    };
    const auto source =
        source::make_long_poll(life.clock, telegram, life.store(), source::LongPollOptions(BotId(42)), Log());
    asio::cancellation_signal stop_polling;
    bool polls = true;
    auto on_end = [&](std::exception_ptr, Result<void>) { polls = false; };
    asio::co_spawn(life.io, source->run(), asio::bind_cancellation_slot(stop_polling.slot(), on_end));
    life.runner->start();
    life.run_until([&] { return telegram.confirmed == 1000 && life.runner->size() == 500; });
    life.clock.advance(1s);
    life.run_until([&] { return life.runner->stats().done == 1 && life.runner->size() == 500; });
    EXPECT_TRUE(telegram.always_durable) << "an offset confirms only what has been put";
    copy_files(first_folder, second_folder);
    stop_polling.emit(asio::cancellation_type::terminal);
    run(life.io, life.runner->stop(Duration::zero()));
    life.run_until([&] { return !polls; });
  }
  Life again(second_folder.file(""), durable);
  std::set<std::int64_t> handed_over;
  again.sink.script = [&](const Item& item) {
    EXPECT_TRUE(handed_over.insert(item.update_id.value()).second);
    return Script();
  };
  again.runner->start();
  again.run_until([&] { return again.runner->stats().done == 999; });
  EXPECT_EQ(handed_over.size(), 999U);
  EXPECT_FALSE(handed_over.contains(1)) << "it was done";
  run(again.io, again.runner->stop(Duration::zero()));
}

}  // namespace
}  // namespace tgkeep::test
