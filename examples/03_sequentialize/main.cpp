// Counts the messages each user has written, over all chats. Updates of one chat are handled one after
// another anyway; here those of one user are, too, so that two of them never count at the same time, however
// many chats they come from. All other updates run side by side. TGKEEP_TOKEN=… ./03_sequentialize

#include <iostream>
#include <string>
#include <syncstream>
#include <tgkeep/bot.hpp>
#include <tgkeep/gateway.hpp>

using boost::asio::awaitable;

// "begin" and "end" of one user, and of one chat, always alternate.
awaitable<void> show(tgkeep::BotContext update, tgkeep::Next next) {
  const std::string who = " user " + std::to_string(update.from_id().value_or(0)) + " in chat " +
                          std::to_string(update.chat_id().value_or(0)) + "\n";
  std::osyncstream(std::cout) << "begin" + who << std::flush;
  co_await next();
  std::osyncstream(std::cout) << "end" + who << std::flush;
}

awaitable<void> count(tgkeep::BotContext update) {
  const std::string user = std::to_string(update.from_id().value_or(0));
  const std::optional<std::string> before = co_await update.state("messages", user);
  const std::string number = std::to_string(before ? std::stoll(*before) + 1 : 1);
  update.set_state("messages", user, number);
  update.reply("That was your message number " + number + ".");
}

int main() {
  tgkeep::Bot bot;
  bot.use(show);
  bot.on("message", count);

  tgkeep::GatewayOptions options = tgkeep::GatewayOptions::from_environment();
  options.sequentialize = tgkeep::chat_and_user;
  return tgkeep::Gateway(options, bot.handler()).run();
}
