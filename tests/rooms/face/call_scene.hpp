#pragma once
// A bot in front of a face that passes its calls on to an emulated Telegram, over real sockets; waits are in
// virtual time.

#include <gmock/gmock.h>

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/bot_server.hpp"
#include "face/outgoing.hpp"
#include "face/reply.hpp"
#include "http/client.hpp"
#include "http/server.hpp"
#include "loop/virtual_clock.hpp"
#include "support/run.hpp"

namespace tgkeep::face {

/// An answer that may still be on its way.
class Pending {
 public:
  explicit Pending(asio::io_context& io) : io_(io), gone_(std::make_shared<asio::cancellation_signal>()) {}
  bool ended() const { return answer_->has_value() || failed(); }
  bool failed() const { return *failed_; }
  int status() const { return failed() ? 0 : (*answer_)->status; }
  std::string body() const { return failed() ? "" : (*answer_)->body; }
  std::string header(std::string_view name) const {
    if (failed()) return "";
    const std::string* const value = http::find_header((*answer_)->headers, name);
    return value == nullptr ? "" : *value;
  }
  std::string outcome() const { return header(kOutcomeHeader); }
  boost::json::value json() const { return boost::json::parse(body()); }
  std::string description() const { return std::string(json().at("description").as_string()); }
  /// The bot closes its connection.
  void hang_up() {
    asio::post(io_, [gone = gone_] { gone->emit(asio::cancellation_type::terminal); });
  }

 private:
  friend class CallScene;
  asio::io_context& io_;
  std::shared_ptr<asio::cancellation_signal> gone_;
  std::shared_ptr<std::optional<http::ClientResponse>> answer_ =
      std::make_shared<std::optional<http::ClientResponse>>();
  std::shared_ptr<bool> failed_ = std::make_shared<bool>(false);
};

class CallScene : public testing::Test {
 protected:
  static constexpr std::string_view token = "4242:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

  CallScene() {
    telegram = emulator::BotServer::listen(io.get_executor(), clock).value();
    telegram->add_bot(token, 1);
    options.api_root = telegram->root();
  }
  void TearDown() override {
    if (face) test::run(io, face->stop(std::chrono::seconds(0)));
    test::run(io, telegram->stop(std::chrono::seconds(0)));
    for (const std::string& line : logged) {
      EXPECT_EQ(line.find("AAAA"), std::string::npos) << line;
    }
  }

  /// The face, with the options as they are by now.
  void open() {
    Log log([this](LogLevel, std::string_view event, std::span<const LogField> fields) {
      std::string line(event);
      for (const LogField& field : fields) line += " " + field.value();
      logged.push_back(line);
    });
    outgoing = make_outgoing(clock, client, options, log);
    server.max_header = 256U << 10;
    server.streams = [](const http::ServerRequest&) { return true; };
    server.decodes = true;
    face = http::listen(
               io.get_executor(), server,
               [this](http::ServerRequest request) { return answer(std::move(request)); }, log)
               .value();
  }

  asio::awaitable<http::ServerReply> answer(http::ServerRequest request) {
    std::optional<FacePath> path = read_face_path(request.target);
    if (!path) co_return refusal(404, "Not Found");
    if (path->kind == FacePath::Kind::file) {
      FacePath file = *std::move(path);
      http::ServerReply reply = co_await outgoing->download(std::move(file), std::move(request));
      co_return reply;
    }
    FacePath method = *std::move(path);
    CallOrReply read = co_await read_call(std::move(method), std::move(request));
    if (!read.call) co_return std::move(*read.reply);
    Call call = *std::move(read.call);
    http::ServerReply reply = co_await outgoing->pass(std::move(call));
    co_return reply;
  }

  std::string root() const { return "http://127.0.0.1:" + std::to_string(face->port()); }
  std::string path(std::string_view method) const {
    return "/bot" + std::string(token) + "/" + std::string(method);
  }
  http::ClientRequest post(std::string_view method, std::string body,
                           std::string_view type = "application/json") const {
    http::ClientRequest request("POST", root() + path(method));
    request.headers.emplace_back("Content-Type", type);
    request.body = std::move(body);
    return request;
  }
  static std::string text_to(std::int64_t chat, std::string_view text) {
    return R"({"chat_id":)" + std::to_string(chat) + R"(,"text":")" + std::string(text) + R"("})";
  }

  static asio::awaitable<void> exchange(http::Client& bot, http::ClientRequest request,
                                        std::shared_ptr<std::optional<http::ClientResponse>> answer,
                                        std::shared_ptr<bool> failed) {
    http::ClientResult result = co_await bot.send(std::move(request));
    if (result) {
      *answer = *std::move(result);
    } else {
      *failed = true;
    }
  }
  Pending start(http::ClientRequest request) {
    Pending pending(io);
    auto work = exchange(bot, std::move(request), pending.answer_, pending.failed_);
    auto ended = [gone = pending.gone_](const std::exception_ptr&) {};
    asio::co_spawn(io, std::move(work),
                   asio::bind_cancellation_slot(pending.gone_->slot(), std::move(ended)));
    return pending;
  }
  Pending start(std::string_view method, std::string body) { return start(post(method, std::move(body))); }
  Pending send(std::int64_t chat, std::string_view text) { return start("sendMessage", text_to(chat, text)); }

  /// Runs the loop until it is so; without, the test has failed.
  template <class Condition>
  void until(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    io.restart();
    while (!condition()) {
      if (io.run_one_until(end) == 0) throw std::runtime_error("what the test waits for does not come");
    }
  }
  const Pending& ended(const Pending& pending) {
    until([&pending] { return pending.ended(); });
    return pending;
  }
  Pending done(Pending pending) {
    ended(pending);
    return pending;
  }
  void until_waiting(std::size_t count) {
    until([this, count] { return outgoing->stats().waiting == count; });
  }
  /// Calls as they came to Telegram.
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const emulator::CallRecord& call : telegram->calls()) all.emplace_back(call.params.text("text"));
    return all;
  }
  std::size_t effects() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        telegram->calls(), [](const emulator::CallRecord& call) { return call.took_effect; }));
  }
  /// The fault strikes the first `times` calls of the chat (0: of any).
  void strike(emulator::Fault fault, int times, std::int64_t chat = 0) {
    telegram->set_faults([fault, times, chat](const emulator::CallRecord& call) mutable {
      if ((chat != 0 && call.chat != chat) || times == 0) return emulator::Fault();
      --times;
      return fault;
    });
  }

  asio::io_context io;
  loop::VirtualClock clock;
  std::unique_ptr<emulator::BotServer> telegram;
  static http::ClientOptions many_connections() {
    http::ClientOptions many;
    many.max_connections_per_host = 300;
    return many;
  }
  http::Client client{io.get_executor(), many_connections()};
  http::Client bot{io.get_executor(), many_connections()};
  OutgoingOptions options{std::string(token)};
  http::ServerOptions server;
  std::unique_ptr<Outgoing> outgoing;
  std::unique_ptr<http::Server> face;
  std::vector<std::string> logged;
};

}  // namespace tgkeep::face
