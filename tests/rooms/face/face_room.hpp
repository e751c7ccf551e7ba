#pragma once
// A bot's face over a store in memory, in virtual time, with a pull sink that does what the test says.

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/memory_store.hpp>
#include <tgkeep/store_browser.hpp>
#include <tgkeep/update.hpp>

#include "face/bot_face.hpp"
#include "fake_pull.hpp"
#include "loop/virtual_clock.hpp"
#include "support/run.hpp"

namespace tgkeep::test {

/// A request under way.
class Asked {
 public:
  asio::cancellation_signal cancel;
  std::optional<http::ServerReply> reply;
  std::exception_ptr failure;
  bool ended() const { return reply || failure; }
};

class FaceRoom : public testing::Test {
 protected:
  void SetUp() override { start(); }
  void TearDown() override {
    stop();
    if (!folder.empty()) std::filesystem::remove_all(folder);
  }

  /// The face as after a start of tgkeep: what is remembered in `folder` holds.
  void start() {
    auto pull_sink = std::make_unique<FakePull>(io.get_executor(), clock);
    pull = pull_sink.get();
    auto way_out = std::make_unique<FakeOutgoing>();
    outgoing = way_out.get();
    face::FaceServices services;
    services.clock = &clock;
    services.store = store.get();
    services.push_client = &client;
    services.allow = [this](std::vector<std::string> kinds) { allowed.push_back(std::move(kinds)); };
    services.push_allowed = [](std::string_view address) { return !address.starts_with("10."); };
    services.is_own_place = [](std::string_view address, std::uint16_t port) {
      return address == "127.0.0.1" && port == 8481;
    };
    services.drop_upstream = [this] { return drop_upstream(); };
    settings.folder = folder;
    Result<face::OwnSettings> remembered = face::OwnSettings::load(folder);
    made =
        std::make_unique<face::BotFace>(io.get_executor(), services, settings, std::move(remembered).value(),
                                        std::move(pull_sink), std::move(way_out), Log());
  }
  void stop() {
    for (Asked& one : asked) one.cancel.emit(asio::cancellation_type::terminal);
    pump();
    made.reset();
    asked.clear();
    pump();
  }
  void restart() {
    stop();
    start();
  }
  /// A folder of this test's own.
  void keep_in_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tgkeep-face-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    restart();
  }

  asio::awaitable<Result<void>> drop_upstream() {
    ++upstream_drops;
    if (upstream_takes > Duration::zero()) co_await loop::sleep_for(clock, upstream_takes);
    co_return upstream;
  }

  Asked& ask(const std::string& target, std::string body = {}, std::string http_method = "GET") {
    Asked& one = line_up(target, std::move(body), std::move(http_method));
    pump();
    return one;
  }
  /// It runs at the next `pump`, behind those that lined up before.
  Asked& line_up(const std::string& target, std::string body = {}, std::string http_method = "GET") {
    http::ServerRequest request;
    request.method = body.empty() ? std::move(http_method) : "POST";
    request.target = target;
    if (!body.empty()) request.headers.emplace_back("Content-Type", "application/json");
    request.body = std::move(body);
    Asked& one = asked.emplace_back();
    auto on_end = [&one](std::exception_ptr failure, http::ServerReply reply) {
      if (failure)
        one.failure = failure;
      else
        one.reply = std::move(reply);
    };
    asio::co_spawn(io, made->answer(face::read_face_path(target).value(), std::move(request)),
                   asio::bind_cancellation_slot(one.cancel.slot(), std::move(on_end)));
    return one;
  }
  /// A method of the bot's, with its query; waits in virtual time for as long as it takes.
  http::ServerReply call(const std::string& method, std::string body = {}) {
    Asked& one = ask("/bot42:secret/" + method, std::move(body));
    for (int second = 0; second < 120 && !one.ended(); ++second) advance(std::chrono::seconds(1));
    if (one.failure) std::rethrow_exception(one.failure);
    return one.reply.value();
  }
  void pump() {
    io.restart();
    io.poll();
  }
  void advance(Duration duration) {
    io.restart();
    loop::run_for(io, clock, duration);
  }

  /// Stores updates 1001 … 1000 + count.
  void store_updates(int count) {
    std::vector<Update> updates;
    for (int i = 1; i <= count; ++i) {
      Update update;
      update.bot = BotId(42);
      update.id = UpdateId(1000 + i);
      update.kind = "message";
      update.raw = R"({"update_id":)" + std::to_string(1000 + i) + R"(,"message":{}})";
      update.received = clock.wall();
      updates.push_back(std::move(update));
    }
    run(io, store->put(std::move(updates))).value();
    io.restart();
  }

  asio::io_context io{1};
  loop::VirtualClock clock;
  std::unique_ptr<Store> store = store::make_memory_store(io.get_executor(), clock);
  http::Client client{io.get_executor()};
  face::FaceSettings settings = pulling();
  std::string folder;
  FakePull* pull = nullptr;
  FakeOutgoing* outgoing = nullptr;
  std::unique_ptr<face::BotFace> made;
  std::list<Asked> asked;
  std::vector<std::vector<std::string>> allowed;
  int upstream_drops = 0;
  Result<void> upstream = Result<void>();
  Duration upstream_takes{};

 private:
  static face::FaceSettings pulling() {
    face::FaceSettings settings;
    settings.pulls = true;
    return settings;
  }
};

}  // namespace tgkeep::test
