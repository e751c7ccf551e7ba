#pragma once
// What the tests of `tgkeep serve` share: an emulated Telegram, a folder, and the program's words.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "e2e/telegram_thread.hpp"
#include "e2e/temporary_folder.hpp"
#include "support/process.hpp"

namespace tgkeep::test {

inline std::string program() {
  const char* path = std::getenv("TGKEEP_BIN");
  return path != nullptr ? path : TGKEEP_PROGRAM;
}

/// A text message as Telegram sends it.
inline std::string text_update(int id, int chat, const std::string& text) {
  const std::string user = R"({"id":)" + std::to_string(chat) + R"(,"is_bot":false,"first_name":"A"})";
  return R"({"update_id":)" + std::to_string(id) + R"(,"message":{"message_id":)" + std::to_string(id) +
         R"(,"date":1767225600,"from":)" + user + R"(,"chat":{"id":)" + std::to_string(chat) +
         R"(,"type":"private","first_name":"A"},"text":")" + text + R"("}})";
}

class ServeRoom : public testing::Test {
 protected:
  using Environment = std::map<std::string, std::string>;

  /// `more` on top of what every run needs.
  Environment environment(const Environment& more = {}) const {
    Environment all = more;
    all.emplace("TGKEEP_TOKEN", std::string(kBotToken));
    all.emplace("TGKEEP_API_ROOT", telegram_.root());
    all.emplace("TGKEEP_FOLDER", folder_.file("store"));
    return all;
  }
  Environment webhook_environment(const Environment& more = {}) const {
    Environment all = environment(more);
    all.emplace("TGKEEP_SOURCE", "webhook");
    all.emplace("TGKEEP_LISTEN_PORT", "0");
    all.emplace("TGKEEP_WEBHOOK_PATH", "/hook");
    all.emplace("TGKEEP_WEBHOOK_SECRET", kSecret);
    return all;
  }
  Environment push_environment(const std::string& url, const Environment& more = {}) const {
    Environment all = environment(more);
    all.emplace("TGKEEP_HANDLER", "push");
    all.emplace("TGKEEP_PUSH_URL", url);
    return all;
  }

  /// Where a process listens, once it has said so: http://127.0.0.1:PORT.
  static std::string listening_at(Process& process) {
    if (!process.wait_for_line(" listening ")) ADD_FAILURE() << process.output();
    const std::string& output = process.output();
    const std::size_t at = output.find("port=", output.find(" listening ")) + 5;
    return "http://127.0.0.1:" + output.substr(at, output.find_first_not_of("0123456789", at) - at);
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.file(name)) << text;
    return folder_.file(name);
  }
  static void stop(Process& process) {
    process.signal(SIGTERM);
    EXPECT_EQ(process.wait(), 0) << process.output();
  }

  static constexpr const char* kSecret = "a_secret_of_the_webhook";
  static constexpr const char* kSecretHeader = "X-Telegram-Bot-Api-Secret-Token";
  TelegramThread telegram_;
  TemporaryFolder folder_;
};

}  // namespace tgkeep::test
