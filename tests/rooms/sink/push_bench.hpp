#pragma once
// A bot's HTTP server in this process, and a push sink that sends to it.

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <deque>
#include <functional>
#include <optional>

#include "http/server.hpp"
#include "loop/event.hpp"
#include "loop/virtual_clock.hpp"
#include "sink/push_sink.hpp"
#include "support/run.hpp"

namespace tgkeep::test {

/// One `deliver` under way.
class Push {
 public:
  asio::cancellation_signal cancel;
  std::optional<Outcome> outcome;
  std::exception_ptr failure;
  bool ended() const { return outcome || failure; }
  std::string thrown() const {
    try {
      if (failure) std::rethrow_exception(failure);
    } catch (const boost::system::system_error& error) {
      return error.code() == asio::error::operation_aborted ? error.what() : "another error";
    }
    return "nothing";
  }
};

class PushBench : public testing::Test {
 protected:
  void SetUp() override {
    auto handler = [this](http::ServerRequest request) { return serve(std::move(request)); };
    server = http::listen(io.get_executor(), http::ServerOptions(), handler, Log()).value();
    options.url = url("/hook");
  }
  void TearDown() override {
    gate_open = true;
    gate.notify();
    pump([this] { return running == 0; });
    sink.reset();
    run(io, server->stop(Duration::zero()));
  }

  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(server->port()) + path;
  }

  asio::awaitable<http::ServerReply> serve(http::ServerRequest request) {
    if (request.target.starts_with("/settle/")) {
      http::ServerReply settled = co_await sink->settle(std::move(request));
      co_return settled;
    }
    requests.push_back(request);
    ++open;
    most_open = std::max(most_open, open);
    const Counted counted(open);
    http::ServerReply reply = answer;
    while (hold && !gate_open) co_await gate.wait();
    co_return reply;
  }

  static Item item(std::int64_t id) {
    Item item;
    item.bot = BotId(42);
    item.update_id = UpdateId(id);
    item.kind = "message";
    item.body = R"({"update_id":)" + std::to_string(id) + "}";
    return item;
  }

  Push& start(Item item, bool late = false) {
    if (!sink) sink = sink::make_push_sink(clock, client, options, Log(note));
    Push& push = pushes.emplace_back();
    auto on_end = [this, &push](const std::exception_ptr& failure, Outcome outcome) {
      push.failure = failure;
      if (!failure) push.outcome = std::move(outcome);
      // As a runner whose store writes at once.
      if (push.outcome && push.outcome->receipt) push.outcome->receipt->settled(true);
      --running;
    };
    ++running;
    auto delivery = std::make_shared<const Delivery>(std::move(item), late);
    asio::co_spawn(io, sink->deliver(std::move(delivery)),
                   asio::bind_cancellation_slot(push.cancel.slot(), std::move(on_end)));
    return push;
  }

  /// Runs the loop until `reached`.
  void pump(const std::function<bool()>& reached) {
    io.restart();
    while (!reached() && io.run_one() > 0) {
    }
    ASSERT_TRUE(reached()) << "the loop ran out of work";
  }
  /// Runs what is ready.
  void settle_down() {
    io.restart();
    while (io.poll() > 0) {
    }
  }
  Outcome deliver(Item item, bool late = false) {
    Push& push = start(std::move(item), late);
    pump([&] { return push.ended(); });
    return push.outcome.value_or(Outcome::dead("threw", push.thrown()));
  }
  Outcome deliver_once(int status, const std::string& body = {}, const std::string& type = "text/plain") {
    answer = http::ServerReply(status, body, type);
    return deliver(item(7));
  }

  class Counted {
   public:
    explicit Counted(std::size_t& count) : count_(count) {}
    ~Counted() { --count_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

   private:
    std::size_t& count_;
  };

  asio::io_context io{1};
  loop::VirtualClock clock;
  http::Client client{io.get_executor()};
  std::unique_ptr<http::Server> server;
  std::vector<http::ServerRequest> requests;
  http::ServerReply answer{200, "ok", "text/plain"};
  bool hold = false;  ///< answers wait for `gate_open`
  bool gate_open = false;
  loop::Event gate{io.get_executor()};
  std::size_t open = 0;
  std::size_t most_open = 0;
  std::vector<std::string> logged;
  Log::Writer note = [this](LogLevel level, std::string_view event, std::span<const LogField> fields) {
    logged.push_back(std::string(to_string(level)) + " " + std::string(event));
    for (const LogField& field : fields) logged.back() += " " + field.value();
  };
  sink::PushOptions options{""};
  std::unique_ptr<sink::PushSink> sink;
  std::size_t running = 0;
  std::deque<Push> pushes;
};

}  // namespace tgkeep::test
