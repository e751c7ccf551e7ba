#pragma once
// What the tests of the examples share: an emulated Telegram, a folder, and the examples as processes.

#include <gmock/gmock.h>

#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "e2e/telegram_thread.hpp"
#include "e2e/temporary_folder.hpp"
#include "support/process.hpp"

namespace tgkeep::test {

class ExampleRoom : public testing::Test {
 protected:
  /// Starts `example_NAME` as its reader would, with the token, the API root and the folder of this test.
  std::unique_ptr<Process> start(const std::string& name,
                                 const std::vector<std::string>& arguments = {}) const {
    std::vector<std::string> command = {std::string(TGKEEP_EXAMPLES "/example_") + name};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return std::make_unique<Process>(command, std::map<std::string, std::string>{
                                                  {"TGKEEP_TOKEN", std::string(kBotToken)},
                                                  {"TGKEEP_API_ROOT", telegram_.root()},
                                                  {"TGKEEP_FOLDER", folder_.file("store")},
                                              });
  }
  /// Says SIGTERM and expects it to end well.
  static void stop(Process& example) {
    example.signal(SIGTERM);
    EXPECT_EQ(example.wait(), 0) << example.output();
  }

  TelegramThread telegram_;
  TemporaryFolder folder_;
};

}  // namespace tgkeep::test
