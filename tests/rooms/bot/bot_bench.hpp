#pragma once
// Runs a bot's handler on updates made of JSON text, and shows what it left.

#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>
#include <tgkeep/bot.hpp>
#include <vector>

#include "support/run.hpp"

namespace tgkeep::test {

using Journal = std::vector<std::string>;

/// A delivery's Turn with an Api that answers what it is told.
class BenchTurn final : public Turn, private Api {
 public:
  BenchTurn(std::shared_ptr<const Delivery> delivery, ApiResult answer)
      : Turn(std::move(delivery)), answer_(std::move(answer)) {}
  Api& api() override { return *this; }
  std::vector<ApiRequest> direct;

 private:
  asio::awaitable<ApiResult> call(ApiRequest request) override {
    direct.push_back(std::move(request));
    ApiResult answer = answer_;
    co_return answer;
  }
  ApiResult answer_;
};

inline std::shared_ptr<const Delivery> delivery(const std::string& kind, const std::string& content) {
  Item item;
  item.update_id = UpdateId(1);
  item.kind = kind;
  item.attempt = 1;
  item.body = R"({"update_id":1,")" + kind + "\":" + content + "}";
  return std::make_shared<const Delivery>(std::move(item), false);
}

/// A message of user 5 in chat 7.
inline std::string message(const std::string& text) {
  return R"({"message_id":3,"date":0,"chat":{"id":7,"type":"private"},"from":{"id":5},"text":")" + text +
         "\"}";
}

/// The same with the entity Telegram puts on its first word.
inline std::string command(const std::string& text) {
  const std::size_t length = std::min(text.find(' '), text.size());
  return R"({"message_id":3,"date":0,"chat":{"id":7,"type":"private"},"text":")" + text +
         R"(","entities":[{"type":"bot_command","offset":0,"length":)" + std::to_string(length) + "}]}";
}

class BotBench {
 public:
  /// `api` says what a direct call is answered with.
  Outcome handle(const Bot& bot, const std::string& kind, const std::string& content) {
    turn = std::make_shared<BenchTurn>(delivery(kind, content), api);
    const Handler handler = bot.handler();
    return run(io, handler(Context(turn)));
  }
  Outcome message(const Bot& bot, const std::string& text) {
    return handle(bot, "message", test::message(text));
  }
  Outcome command(const Bot& bot, const std::string& text) {
    return handle(bot, "message", test::command(text));
  }

  asio::io_context io;
  ApiResult api = std::string("true");
  std::shared_ptr<BenchTurn> turn;  ///< of the last update
};

/// The text of the Failure that `action` throws; "" when it throws none.
template <class Action>
std::string misuse_of(Action action) {
  try {
    action();
  } catch (const Failure& failure) {
    return failure.error().code() == Errc::misuse ? failure.what() : "another code";
  }
  return "";
}

}  // namespace tgkeep::test
