#pragma once
// The emulator as a product, asked through its control requests.

#include "emulator/emulator.hpp"
#include "rooms/emulator/api_scene.hpp"

namespace tgkeep::emulator {

class EmulatorScene : public testing::Test {
 protected:
  static constexpr std::string_view token = "4242:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

  explicit EmulatorScene(SteerableClock::Pace pace = SteerableClock::Pace::still) {
    EmulatorOptions options;
    options.pace = pace;
    options.server.port = 0;
    options.tokens = {std::string(token)};
    emulator = Emulator::start(io.get_executor(), std::move(options), Log()).value();
  }
  void TearDown() override { test::run(io, emulator->stop(std::chrono::seconds(0))); }

  http::ClientResult send(std::string_view path, std::string_view body) {
    http::ClientRequest request("POST", emulator->server().root() + std::string(path));
    request.headers.emplace_back("Content-Type", "application/json");
    request.body = body;
    return test::run(io, client.send(std::move(request)));
  }
  boost::json::value post(std::string_view path, std::string_view body) {
    return boost::json::parse(send(path, body).value().body);
  }
  std::string method(std::string_view name) const {
    return "/bot" + std::string(token) + "/" + std::string(name);
  }
  /// A call of the bot.
  boost::json::value call(std::string_view name, std::string_view params = "{}") {
    return post(method(name), params);
  }
  /// A control request that must succeed; its result.
  boost::json::value control(std::string_view name, std::string_view body = "{}") {
    boost::json::value answer = post("/control/" + std::string(name), body);
    EXPECT_TRUE(answer.at("ok").as_bool()) << name << body << ": " << answer;
    const auto* result = answer.as_object().if_contains("result");
    return result == nullptr ? boost::json::value() : *result;
  }
  /// Why a control request is refused.
  std::string refusal(std::string_view name, std::string_view body = "{}") {
    const boost::json::value answer = post("/control/" + std::string(name), body);
    EXPECT_FALSE(answer.at("ok").as_bool()) << name << body << ": " << answer;
    const auto* words = answer.as_object().if_contains("description");
    return words == nullptr ? "" : std::string(words->as_string());
  }
  /// The newest update that waits for the bot, of any kind; confirms all of them.
  boost::json::value newest() {
    const boost::json::value answer = call("getUpdates", R"({"offset":-1})");
    const boost::json::array& updates = answer.at("result").as_array();
    if (updates.empty()) return nullptr;
    const std::string next = std::to_string(updates.back().at("update_id").as_int64() + 1);
    boost::json::value update = updates.back();
    call("getUpdates", "{\"offset\":" + next + "}");
    return update;
  }

  boost::asio::io_context io;
  std::unique_ptr<Emulator> emulator;
  http::Client client{io.get_executor()};
};

}  // namespace tgkeep::emulator
