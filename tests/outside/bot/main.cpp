// A bot outside of tgkeep's own tree: says everything twice.

#include <string>
#include <tgkeep/bot.hpp>
#include <tgkeep/run.hpp>
#include <tgkeep/transformer.hpp>

void twice(tgkeep::BotContext update) {
  const std::string text(update.text());
  update.reply(text + " " + text);
}

int main() {
  tgkeep::Bot bot;
  bot.on("message", twice);

  tgkeep::GatewayOptions options = tgkeep::GatewayOptions::from_environment();
  options.transformers.push_back(tgkeep::auto_retry());
  tgkeep::RunnerHandle runner = tgkeep::run(options, bot.handler());
  return static_cast<int>(runner.stop_on_signals().wait());
}
