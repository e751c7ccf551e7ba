// Answers each text with the same text. TGKEEP_TOKEN=… ./01_echo

#include <tgkeep/bot.hpp>
#include <tgkeep/gateway.hpp>

void start(tgkeep::BotContext update) {
  update.reply("Write something.");
}

void echo(tgkeep::BotContext update) {
  if (!update.text().empty()) update.reply(update.text());
}

int main() {
  tgkeep::Bot bot;
  bot.command("start", start);
  bot.on("message", echo);
  return tgkeep::Gateway(tgkeep::GatewayOptions::from_environment(), bot.handler()).run();
}
