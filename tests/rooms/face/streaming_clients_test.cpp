// The clients of examples/streaming, as their readers run them, at a face on 127.0.0.1.

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <csignal>
#include <fstream>
#include <future>
#include <iterator>
#include <tgkeep/memory_store.hpp>
#include <tgkeep/runner.hpp>
#include <thread>

#include "face/face.hpp"
#include "loop/event.hpp"
#include "loop/real_clock.hpp"
#include "support/process.hpp"

namespace tgkeep::test {
namespace {

/// A store, its runner and the face on a thread of their own.
class LiveFace {
 public:
  LiveFace() {
    face::FaceServices services;
    services.clock = &clock_;
    services.store = store_.get();
    services.api_client = &client_;
    services.push_client = &client_;
    face::FaceSettings settings;
    settings.pulls = true;
    face_ = face::make_face(io_.get_executor(), services, settings, Log()).value();
    runner_ =
        make_runner(io_.get_executor(), clock_, *store_, Queue::inbox, face_->sink(), RunnerOptions(), Log());
    auto handler = [this](http::ServerRequest request) {
      face::FacePath path = face::read_face_path(request.target).value();
      return face_->answer(std::move(path), std::move(request));
    };
    server_ = http::listen(io_.get_executor(), http::ServerOptions(), handler, Log()).value();
    asio::post(io_, [this] { runner_->start(); });
    thread_ = std::thread([this] { io_.run(); });
  }
  ~LiveFace() {
    on_loop(end());
    work_.reset();
    thread_.join();
  }
  LiveFace(const LiveFace&) = delete;
  LiveFace& operator=(const LiveFace&) = delete;

  std::string bot() const { return "http://127.0.0.1:" + std::to_string(server_->port()) + "/bot42:secret"; }
  /// Updates first … last, of three chats.
  void put(int first, int last) {
    std::vector<Update> updates;
    for (int number = first; number <= last; ++number) {
      Update update;
      update.bot = BotId(42);
      update.id = UpdateId(number);
      update.kind = "message";
      update.keys.emplace_back(update.bot, "chat:" + std::to_string(number % 3));
      update.received = clock_.wall();
      update.raw = R"({"update_id":)" + std::to_string(number) + ",\n" + R"("message":{"text":"no. )" +
                   std::to_string(number) + R"( \u00e4"}})";
      updates.push_back(std::move(update));
    }
    on_loop(store_->put(std::move(updates))).value();
  }
  /// Waits until so many are done.
  bool wait_done(std::int64_t count) { return on_loop(all_done(count)); }

 private:
  template <class T>
  T on_loop(asio::awaitable<T> work) {
    return asio::co_spawn(io_, std::move(work), asio::use_future).get();
  }
  asio::awaitable<bool> all_done(std::int64_t count) {
    for (int look = 0; look < 6000; ++look) {
      const Result<StoreCounts> counts = co_await store_->counts();
      if (counts && counts->inbox.done >= count) co_return true;
      co_await loop::sleep_for(clock_, std::chrono::milliseconds(10));
    }
    co_return false;
  }
  asio::awaitable<bool> end() {
    face_->wind_down();
    co_await server_->stop(Duration::zero());
    co_await runner_->stop(Duration::zero());
    co_return true;
  }

  asio::io_context io_{1};
  loop::RealClock clock_{io_.get_executor()};
  http::Client client_{io_.get_executor()};
  std::unique_ptr<Store> store_ = store::make_memory_store(io_.get_executor(), clock_);
  std::unique_ptr<face::Face> face_;
  std::unique_ptr<Runner> runner_;
  std::unique_ptr<http::Server> server_;
  asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
  std::thread thread_;
};

std::string text_of(const std::string& path) {
  std::ifstream stream(std::string(TGKEEP_SOURCE_DIR) + "/" + path);
  return std::string(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
}

class StreamingClientsTest : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  std::vector<std::string> command() const {
    return {"/usr/bin/env", GetParam().first,
            std::string(TGKEEP_SOURCE_DIR) + "/examples/streaming/" + GetParam().second};
  }
};

TEST_P(StreamingClientsTest, P4_gets_every_update_settles_it_and_comes_back_after_a_kill) {
  LiveFace live;
  live.put(1, 30);
  {
    Process client(command(), {{"TGKEEP_BOT", live.bot()}});
    EXPECT_TRUE(client.wait_for_line("no. 1 ")) << client.output();
    EXPECT_TRUE(live.wait_done(30)) << client.output();
    EXPECT_NE(client.output().find("\"update_id\":"), std::string::npos);
    client.signal(SIGKILL);
  }
  live.put(31, 40);
  Process next(command(), {{"TGKEEP_BOT", live.bot()}});
  EXPECT_TRUE(live.wait_done(40)) << next.output();
}

TEST_P(StreamingClientsTest, ends_when_another_one_takes_over) {
  LiveFace live;
  live.put(1, 3);
  Process first(command(), {{"TGKEEP_BOT", live.bot()}});
  EXPECT_TRUE(live.wait_done(3)) << first.output();
  Process second(command(), {{"TGKEEP_BOT", live.bot()}});
  EXPECT_NE(first.wait(), 0) << first.output();
  live.put(4, 6);
  EXPECT_TRUE(live.wait_done(6)) << second.output();
}

TEST_P(StreamingClientsTest, is_printed_as_it_is_in_the_guide_and_short) {
  const std::string text = text_of(std::string("examples/streaming/") + GetParam().second);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 20);
  EXPECT_NE(text_of("docs/face_updates.md").find("\n" + text + "```"), std::string::npos)
      << "docs/face_updates.md prints another text";
}

INSTANTIATE_TEST_SUITE_P(Clients, StreamingClientsTest,
                         testing::Values(std::pair("sh", "stream.sh"), std::pair("python3", "stream.py"),
                                         std::pair("node", "stream.mjs")),
                         [](const auto& info) {
                           const std::string file = info.param.second;
                           return file.substr(file.find('.') + 1);
                         });

}  // namespace
}  // namespace tgkeep::test
