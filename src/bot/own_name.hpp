#pragma once
// The bot's own username: given, or asked for once.

#include <mutex>
#include <string>
#include <tgkeep/bot_context.hpp>

namespace tgkeep::bot {

/// Any thread: deliveries share it.
class OwnName {
 public:
  /// Without the @; "" = unknown.
  explicit OwnName(std::string name) : name_(std::move(name)) {}
  /// "" when nobody has asked yet.
  std::string get() const;
  void set(std::string name);

 private:
  mutable std::mutex mutex_;
  std::string name_;
};

/// True for a message that begins with a command for one bot only: who we are decides.
bool names_a_bot(const BotContext& context);
/// Asks getMe through the delivery's own API. Throws ApiFailure, or Failure (misuse) where there is no API:
/// the text says to give the name beforehand.
asio::awaitable<std::string> ask_own_name(BotContext context);

}  // namespace tgkeep::bot
