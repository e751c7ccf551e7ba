// The face over a store, its runner and the real pull sink, in virtual time.

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/json.hpp>
#include <optional>
#include <tgkeep/memory_store.hpp>
#include <tgkeep/runner.hpp>
#include <tgkeep/store_browser.hpp>

#include "face/bot_face.hpp"
#include "fake_pull.hpp"
#include "loop/virtual_clock.hpp"
#include "support/run.hpp"

namespace tgkeep::test {
namespace {

using std::chrono::seconds;

/// Takes every push.
class Hook final : public Sink {
 public:
  explicit Hook(std::vector<std::int64_t>& pushed) : pushed_(pushed) {}
  asio::awaitable<Outcome> deliver(std::shared_ptr<const Delivery> delivery) override {
    pushed_.push_back(delivery->item.update_id.value());
    co_return Outcome::done();
  }

 private:
  std::vector<std::int64_t>& pushed_;
};

class PipelineTest : public testing::Test {
 protected:
  void SetUp() override { start(); }
  void TearDown() override { stop(); }

  void start() {
    face::FaceServices services;
    services.clock = &clock;
    services.store = store.get();
    services.push_client = &client;
    face::FaceSettings settings;
    settings.pulls = true;
    made = std::make_unique<face::BotFace>(
        io.get_executor(), services, settings, face::OwnSettings(),
        sink::make_pull_sink(io.get_executor(), clock, store->handouts(), sink::PullOptions(), Log()),
        std::make_unique<FakeOutgoing>(), Log());
    RunnerOptions options;
    options.timeout = std::chrono::hours(1000);
    options.seed = 1;
    runner = make_runner(io.get_executor(), clock, *store, Queue::inbox, made->sink(), options, Log());
    runner->start();
    pass();
  }
  void stop() {
    made->wind_down();
    bool stopped = false;
    asio::co_spawn(io, runner->stop(Duration::zero()),
                   [&stopped](const std::exception_ptr&, StopReport) { stopped = true; });
    while (!stopped) pass(seconds(1));
    runner.reset();
    made.reset();
    pass();
  }
  void pass(Duration duration = Duration::zero()) {
    io.restart();
    loop::run_for(io, clock, duration);
  }
  void put(std::int64_t id, const std::string& chat) {
    Update update;
    update.bot = BotId(42);
    update.id = UpdateId(id);
    update.kind = "message";
    update.keys.emplace_back(update.bot, "chat:" + chat);
    update.received = clock.wall();
    update.raw =
        R"({"update_id":)" + std::to_string(id) + R"(,"message":{"text":"u)" + std::to_string(id) + R"("}})";
    std::vector<Update> one;
    one.push_back(std::move(update));
    run(io, store->put(std::move(one))).value();
    pass();
  }
  boost::json::array poll(const std::string& query) {
    std::optional<http::ServerReply> reply;
    http::ServerRequest request;
    request.method = "GET";
    const std::string target = "/bot42:secret/getUpdates?" + query;
    request.target = target;
    asio::co_spawn(
        io, made->answer(face::read_face_path(target).value(), std::move(request)),
        [&reply](const std::exception_ptr&, http::ServerReply given) { reply = std::move(given); });
    for (int second = 0; second < 60 && !reply; ++second) pass(seconds(1));
    const boost::json::value value = boost::json::parse(reply.value().body);
    return value.at("result").as_array();
  }
  static std::vector<std::string> texts(const boost::json::array& updates) {
    std::vector<std::string> all;
    for (const boost::json::value& update : updates)
      all.emplace_back(update.at("message").at("text").as_string());
    return all;
  }
  static std::int64_t last_id(const boost::json::array& updates) {
    return updates.back().at("update_id").as_int64();
  }
  QueueCounts counts() {
    const StoreCounts all = run(io, store->counts()).value();
    io.restart();
    return all.inbox;
  }

  asio::io_context io{1};
  loop::VirtualClock clock;
  std::unique_ptr<Store> store = store::make_memory_store(io.get_executor(), clock);
  http::Client client{io.get_executor()};
  std::unique_ptr<face::BotFace> made;
  std::unique_ptr<Runner> runner;
};

TEST_F(PipelineTest, P5_a_confirmed_update_is_done_and_the_next_of_its_chat_comes) {
  put(500, "a");
  put(501, "a");
  put(400, "b");
  const boost::json::array first = poll("");
  EXPECT_EQ(texts(first), (std::vector<std::string>{"u500", "u400"}));
  const boost::json::array second = poll("timeout=1&offset=" + std::to_string(last_id(first) + 1));
  EXPECT_EQ(texts(second), std::vector<std::string>{"u501"});
  EXPECT_GT(last_id(second), last_id(first)) << "numbers grow";
  EXPECT_EQ(counts().done, 2);
  poll("offset=" + std::to_string(last_id(second) + 1));
  EXPECT_EQ(counts().done, 3);
}

TEST_F(PipelineTest, P4_what_is_not_confirmed_comes_again_after_a_restart_of_the_bot) {
  put(500, "a");
  put(501, "b");
  const boost::json::array first = poll("");
  EXPECT_EQ(first, poll("")) << "the same updates under the same numbers";
}

TEST_F(PipelineTest, dropping_ends_them_as_dead_letters_that_can_be_brought_back) {
  put(500, "a");
  put(501, "a");
  put(502, "b");
  const boost::json::array left = poll("offset=-1");
  EXPECT_EQ(texts(left), std::vector<std::string>{"u502"});
  EXPECT_EQ(counts().dead.at("drop_pending"), 2);
  EXPECT_EQ(counts().in_flight, 1);
}

TEST_F(PipelineTest, a_stop_hands_back_what_was_not_confirmed) {
  put(500, "a");
  poll("");
  stop();
  EXPECT_EQ(counts().pending + counts().retrying, 1);
  start();
  EXPECT_EQ(texts(poll("")), std::vector<std::string>{"u500"});
}

}  // namespace
}  // namespace tgkeep::test
