// Stopping real processes: bounded, and nothing is lost by it (P9).

#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "e2e/telegram_thread.hpp"
#include "e2e/temporary_folder.hpp"
#include "support/process.hpp"

namespace tgkeep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string program() {
  const char* path = std::getenv("TGKEEP_BIN");
  return path != nullptr ? path : TGKEEP_PROGRAM;
}

/// A port of this machine that refuses connections: bound, but nobody listens.
class DeafPort {
 public:
  DeafPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    ::bind(socket_, reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  ~DeafPort() { ::close(socket_); }
  DeafPort(const DeafPort&) = delete;
  DeafPort& operator=(const DeafPort&) = delete;
  std::string root() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  int socket_;
  int port_ = 0;
};

class StopTest : public testing::Test {
 protected:
  std::map<std::string, std::string> environment(const std::string& root) const {
    return {{"TGKEEP_TOKEN", std::string(kBotToken)},
            {"TGKEEP_API_ROOT", root},
            {"TGKEEP_FOLDER", folder_.file("store")}};
  }
  std::map<std::string, std::string> environment() const { return environment(telegram_.root()); }

  TelegramThread telegram_;
  TemporaryFolder folder_;
};

TEST_F(StopTest, P9_sigterm_while_polling_ends_it_with_0) {
  Process bot({program(), "serve"}, environment());
  ASSERT_TRUE(bot.wait_for_line("poll_started")) << bot.output();
  telegram_.wait_for("getUpdates");
  bot.signal(SIGTERM);
  EXPECT_EQ(bot.wait(), 0) << bot.output();
  EXPECT_THAT(bot.output(), HasSubstr("stopping why=SIGTERM"));
  EXPECT_THAT(bot.output(), Not(HasSubstr(std::string(kBotToken))));
}

TEST_F(StopTest, P9_sigint_while_backing_off_ends_it_with_0) {
  const DeafPort deaf;
  Process bot({program(), "serve"}, environment(deaf.root()));
  ASSERT_TRUE(bot.wait_for_line("started")) << bot.output();
  ASSERT_TRUE(bot.wait_for_line("poll_trouble"));
  bot.signal(SIGINT);
  EXPECT_EQ(bot.wait(), 0) << bot.output();
  EXPECT_THAT(bot.output(), Not(HasSubstr(std::string(kBotToken))));
}

TEST_F(StopTest, P9_sigterm_while_handling_lets_the_handler_finish_and_settles_it) {
  telegram_.send(1, "ask");
  {
    Process bot({TGKEEP_TEST_BOT}, environment());
    ASSERT_TRUE(bot.wait_for_line("handling ask")) << bot.output();
    bot.signal(SIGTERM);
    ASSERT_TRUE(bot.wait_for_line("stopping"));
    bot.tell("go on\n");
    EXPECT_EQ(bot.wait(), 0) << bot.output();
  }
  // What finished is not handed over again, what comes later is; and the answer was kept.
  telegram_.send(1, "next");
  Process bot({TGKEEP_TEST_BOT}, environment());
  ASSERT_TRUE(bot.wait_for_line("handling next"));
  telegram_.wait_for("sendMessage", 2);
  bot.signal(SIGTERM);
  EXPECT_EQ(bot.wait(), 0) << bot.output();
  EXPECT_THAT(bot.output(), Not(HasSubstr("handling ask")));
  EXPECT_THAT(telegram_.sent(), ElementsAre("1:ask", "1:next"));
}

TEST_F(StopTest, P9_what_is_cut_off_ends_it_with_3_and_is_handed_over_again_uncounted) {
  telegram_.send(1, "hold");
  {
    auto short_drain = environment();
    short_drain.emplace("TEST_BOT_SHORT_DRAIN", "1");
    Process bot({TGKEEP_TEST_BOT}, short_drain);
    ASSERT_TRUE(bot.wait_for_line("handling hold attempt=1 repeated=0")) << bot.output();
    bot.signal(SIGTERM);
    EXPECT_EQ(bot.wait(), 3) << bot.output();
  }
  Process bot({TGKEEP_TEST_BOT}, environment());
  EXPECT_TRUE(bot.wait_for_line("handling hold attempt=1")) << bot.output();
  bot.signal(SIGKILL);
  EXPECT_EQ(bot.wait(), -SIGKILL);
}

TEST_F(StopTest, P9_a_second_signal_ends_it_at_once_and_nothing_is_lost) {
  telegram_.send(1, "hold");
  {
    Process bot({TGKEEP_TEST_BOT}, environment());
    ASSERT_TRUE(bot.wait_for_line("handling hold")) << bot.output();
    bot.signal(SIGTERM);
    ASSERT_TRUE(bot.wait_for_line("stopping"));
    bot.signal(SIGTERM);
    EXPECT_EQ(bot.wait(), 128 + SIGTERM) << bot.output();
  }
  Process bot({TGKEEP_TEST_BOT}, environment());
  EXPECT_TRUE(bot.wait_for_line("handling hold attempt=1 repeated=1")) << bot.output();
  bot.signal(SIGKILL);
  bot.wait();
}

TEST_F(StopTest, P9_a_handler_that_blocks_its_thread_does_not_keep_the_process_and_comes_again) {
  telegram_.send(1, "ask");
  {
    auto impatient = environment();
    impatient.emplace("TEST_BOT_SHORT_DRAIN", "1");
    impatient.emplace("TEST_BOT_WATCHDOG", "1");
    Process bot({TGKEEP_TEST_BOT}, impatient);
    ASSERT_TRUE(bot.wait_for_line("handling ask attempt=1 repeated=0")) << bot.output();
    bot.signal(SIGTERM);
    EXPECT_EQ(bot.wait(), 3) << bot.output();
    EXPECT_THAT(bot.output(), HasSubstr("something did not end in time"));
  }
  Process bot({TGKEEP_TEST_BOT}, environment());
  EXPECT_TRUE(bot.wait_for_line("handling ask attempt=1")) << bot.output();
  bot.signal(SIGKILL);
  bot.wait();
}

TEST_F(StopTest, a_second_process_on_the_same_folder_is_refused_with_clear_words) {
  Process first({program(), "serve"}, environment());
  ASSERT_TRUE(first.wait_for_line("poll_started")) << first.output();
  Process second({program(), "serve"}, environment());
  EXPECT_EQ(second.wait(), 1);
  EXPECT_THAT(second.output(), HasSubstr("store_locked"));
  Process status({program(), "status"}, environment());
  EXPECT_EQ(status.wait(), 0) << status.output();
  first.signal(SIGTERM);
  EXPECT_EQ(first.wait(), 0) << first.output();
  Process after({program(), "status", "--json"}, environment());
  EXPECT_EQ(after.wait(), 0);
  EXPECT_THAT(after.output(), HasSubstr(R"("inbox":{"stored":0,)"));
}

TEST_F(StopTest, a_token_telegram_does_not_know_is_told_and_does_not_end_it) {
  auto unknown = environment();
  unknown["TGKEEP_TOKEN"] = "4243:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB";
  Process bot({program(), "serve"}, unknown);
  ASSERT_TRUE(bot.wait_for_line("401")) << bot.output();
  bot.signal(SIGTERM);
  EXPECT_EQ(bot.wait(), 0) << bot.output();
  EXPECT_THAT(bot.output(), Not(HasSubstr("BBBBBBBBBBBBBBBB")));
}

TEST_F(StopTest, P1_P10_a_write_that_fails_ends_it_with_1_and_nothing_is_lost) {
  constexpr std::size_t kCount = 200;
  const std::string padding(4000, 'x');
  for (std::size_t i = 0; i < kCount; ++i) telegram_.send(1, std::to_string(i) + padding);
  {
    // No file may grow past half a mebibyte: the disk "breaks" in the middle of the work.
    const std::string limited = "trap '' XFSZ; ulimit -f 1024; exec \"$0\" \"$@\"";
    Process bot({"/bin/sh", "-c", limited, program(), "serve"}, environment());
    EXPECT_EQ(bot.wait(), 1) << bot.output();
    EXPECT_THAT(bot.output(), HasSubstr("failed reason=store_broken"));
  }
  Process bot({program(), "serve"}, environment());
  std::set<std::string> missing;
  for (std::size_t i = 0; i < kCount; ++i) missing.insert("1:" + std::to_string(i) + padding);
  for (std::size_t calls = 1; !missing.empty(); ++calls) {
    telegram_.wait_for("sendMessage", calls);
    for (const std::string& text : telegram_.sent()) missing.erase(text);
  }
  bot.signal(SIGTERM);
  EXPECT_EQ(bot.wait(), 0) << bot.output();
}

}  // namespace
}  // namespace tgkeep::test
