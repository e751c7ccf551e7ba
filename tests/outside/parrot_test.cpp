// Runs the outside bot, wherever it was built, against the emulated Bot API.

#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>

#include "e2e/telegram_thread.hpp"
#include "e2e/temporary_folder.hpp"
#include "support/process.hpp"

namespace tgkeep::test {
namespace {

TEST(Outside, the_bot_says_everything_twice_and_stops_when_told) {
  const char* const bot = std::getenv("TGKEEP_OUTSIDE_BOT");
  ASSERT_NE(bot, nullptr) << "TGKEEP_OUTSIDE_BOT names the bot to run";
  TelegramThread telegram;
  const TemporaryFolder folder;
  telegram.send(7, "polly");
  Process parrot({bot}, {{"TGKEEP_TOKEN", std::string(kBotToken)},
                         {"TGKEEP_API_ROOT", telegram.root()},
                         {"TGKEEP_FOLDER", folder.file("store")}});
  telegram.wait_for("sendMessage");
  EXPECT_THAT(telegram.sent(), testing::ElementsAre("7:polly polly"));
  parrot.signal(SIGTERM);
  EXPECT_EQ(parrot.wait(), 0) << parrot.output();
}

}  // namespace
}  // namespace tgkeep::test
