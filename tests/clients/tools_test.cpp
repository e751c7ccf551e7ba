// curl and wrk as Telegram: the real program behind its real door.

#include <gmock/gmock.h>
#include <signal.h>

#include <fstream>
#include <regex>
#include <string>

#include "e2e/receiver_thread.hpp"
#include "e2e/serve_room.hpp"

namespace tgkeep::test {
namespace {

class Tools : public ServeRoom {
 protected:
  /// Runs a program to its end; its exit code must be 0.
  std::string output_of(const std::vector<std::string>& command, const Environment& environment = {}) {
    Process process(command, environment);
    EXPECT_EQ(process.wait(), 0) << process.output();
    return process.output();
  }

  /// `stored` and the like of the inbox, from the stopped program's store.
  std::int64_t total(const std::string& name) {
    const std::string output = output_of({program(), "status", "--json"}, environment());
    std::smatch found;
    const std::regex pattern(R"("inbox":\{[^}]*")" + name + R"(":(\d+))");
    EXPECT_TRUE(std::regex_search(output, found, pattern)) << output;
    return found.empty() ? -1 : std::stoll(found[1]);
  }

  std::vector<std::string> curl(const std::string& body_file) const {
    return {"/usr/bin/env",
            "curl",
            "-s",
            "-o",
            "/dev/null",
            "-w",
            "%{http_code}\n",
            "-H",
            std::string(kSecretHeader) + ": " + kSecret,
            "-H",
            "Content-Type: application/json",
            "--data-binary",
            "@" + body_file};
  }
};

TEST_F(Tools, curl) {
  Process gateway({program(), "serve"}, webhook_environment({{"TGKEEP_HANDLER", "log"}}));
  const std::string hook = listening_at(gateway) + "/hook";
  telegram_.wait_for("getWebhookInfo");

  // The same update over two connections at once.
  std::vector<std::string> twice = curl(write("update", text_update(7, 1, "hello")));
  twice.insert(twice.end(), {"--parallel", "--parallel-immediate", hook, "-o", "/dev/null", hook});
  EXPECT_THAT(output_of(twice), testing::EndsWith("200\n200\n"));

  // Chunked, and large enough for curl to ask with Expect: 100-continue first.
  std::vector<std::string> chunked = curl(write("large", text_update(8, 1, std::string(600'000, 'x'))));
  chunked.insert(chunked.end(), {"-H", "Transfer-Encoding: chunked", "-H", "Expect: 100-continue", hook});
  EXPECT_EQ(output_of(chunked), "200\n");

  std::vector<std::string> too_large =
      curl(write("too_large", text_update(9, 1, std::string(2'000'000, 'x'))));
  too_large.push_back(hook);
  EXPECT_EQ(output_of(too_large), "413\n");

  std::vector<std::string> wrong = curl(write("other", text_update(10, 1, "x")));
  wrong[8] = std::string(kSecretHeader) + ": wrong";
  wrong.push_back(hook);
  EXPECT_EQ(output_of(wrong), "401\n");

  stop(gateway);
  EXPECT_EQ(total("stored"), 2);
  EXPECT_EQ(total("duplicates"), 1);
}

// 64 connections of wrk, each update once, while the program is killed and started again: what wrk saw
// answered with 2xx is in the store, and nothing is there twice.
TEST_F(Tools, wrk) {
  const std::string script = write("post.lua", R"(
local thread = 0
function setup(t) t:set("first", thread * 100000000) thread = thread + 1 end
function init() last = first answered = 0 end
function request()
  last = last + 1
  local chat = last % 500 + 1
  local body = string.format('{"update_id":%d,\n"message":{"message_id":%d,"date":1767225600,"chat":{"id":%d,"type":"private"},"text":"hi"}}', last, last, chat)
  return wrk.format("POST", "/hook", {["Content-Type"] = "application/json", ["X-Telegram-Bot-Api-Secret-Token"] = "a_secret_of_the_webhook"}, body)
end
function done(summary)
  io.write(string.format("completed=%d refused=%d\n", summary.requests, summary.errors.status))
end
)");
  Environment all = webhook_environment({{"TGKEEP_LOG_LEVEL", "warning"}});
  all["TGKEEP_LISTEN_PORT"] = std::to_string(free_port());
  auto gateway = std::make_unique<Process>(std::vector<std::string>{program(), "serve"}, all);
  telegram_.wait_for("getWebhookInfo");
  Process wrk({"/usr/bin/env", "wrk", "-t2", "-c64", "-d6s", "-s", script,
               "http://127.0.0.1:" + all["TGKEEP_LISTEN_PORT"]},
              {});
  for (int kills = 1; kills <= 3; ++kills) {
    telegram_.wait_for("sendMessage", 300UL * kills);
    gateway->signal(SIGKILL);
    gateway->wait();
    gateway = std::make_unique<Process>(std::vector<std::string>{program(), "serve"}, all);
  }
  ASSERT_EQ(wrk.wait(), 0) << wrk.output();
  stop(*gateway);

  std::smatch found;
  const std::string output = wrk.output();
  ASSERT_TRUE(std::regex_search(output, found, std::regex("completed=(\\d+) refused=(\\d+)"))) << output;
  const std::int64_t acknowledged = std::stoll(found[1]) - std::stoll(found[2]);
  EXPECT_GT(acknowledged, 900);
  const std::int64_t stored = total("stored");
  EXPECT_GE(stored, acknowledged);
  // The rest was stored, but its answer went down with a connection: at most what was open at a kill or at
  // the end.
  EXPECT_LE(stored, acknowledged + 4 * 64);
  EXPECT_EQ(stored, total("done") + total("pending") + total("retrying"));
}

}  // namespace
}  // namespace tgkeep::test
