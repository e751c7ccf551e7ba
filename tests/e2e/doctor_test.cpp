// `tgkeep doctor`: each thing that can be wrong around tgkeep has a verdict and a remedy; and it changes
// nothing.

#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

#include "e2e/command_room.hpp"
#include "rooms/http/certificate.hpp"

namespace tgkeep::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsSubsetOf;
using testing::Not;

class Doctor : public CommandRoom {
 protected:
  Doctor() {
    telegram_.set_faults([this](const emulator::CallRecord& call) {
      const std::lock_guard lock(mutex_);
      asked_.insert(call.method);
      return emulator::Fault();
    });
  }
  void TearDown() override { stop_process(); }

  std::set<std::string> asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  json::value report(const Environment& more = {}, std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(), {"doctor", "--json"});
    const Told told = tell(arguments, more);
    code_ = told.code;
    EXPECT_THAT(told.text, Not(HasSubstr("AAAAAAAA")));
    return told.answer();
  }
  /// `verdict: text` of a check; "" when it was not made.
  static std::string found(const json::value& report, const std::string& check) {
    for (const json::value& finding : report.at("checks").as_array()) {
      if (finding.at("check").as_string() != check) continue;
      EXPECT_EQ(finding.at("verdict") == "bad" || finding.at("verdict") == "warning",
                !finding.at("remedy").as_string().empty())
          << finding;
      return std::string(finding.at("verdict").as_string()) + ": " +
             std::string(finding.at("text").as_string());
    }
    return "";
  }

  int code_ = -1;

 private:
  std::mutex mutex_;
  std::set<std::string> asked_;  // by mutex_
};

TEST_F(Doctor, finds_nothing_bad_where_all_is_well_and_asks_only_what_changes_nothing) {
  const json::value before = report();
  EXPECT_EQ(code_, 0) << before;
  EXPECT_THAT(found(before, "token"), HasSubstr("ok: accepted: @"));
  EXPECT_THAT(found(before, "webhook"), HasSubstr("ok: none is set"));
  EXPECT_THAT(found(before, "folder"), HasSubstr("skipped"));
  EXPECT_THAT(found(before, "process"), HasSubstr("skipped"));
  EXPECT_THAT(asked(), IsSubsetOf({"getMe", "getWebhookInfo"}));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("store")));
}

TEST_F(Doctor, looks_at_the_store_the_disk_and_what_runs) {
  fill();
  const json::value running = report();
  EXPECT_THAT(found(running, "process"), HasSubstr("ok: "));
  EXPECT_THAT(found(running, "source"), HasSubstr("ok: poll"));
  EXPECT_THAT(found(running, "inbox"), HasSubstr("warning: dead letters"));
  EXPECT_THAT(found(running, "lock"), HasSubstr("ok: held"));
  EXPECT_THAT(found(running, "disk speed"), HasSubstr("a synced write takes"));
  EXPECT_THAT(found(running, "open files"), HasSubstr("the process may open"));
  EXPECT_EQ(code_, 0) << running;
  stop_process();
  const json::value stopped = report();
  EXPECT_THAT(found(stopped, "lock"), HasSubstr("ok: free"));
  EXPECT_THAT(found(stopped, "store"), HasSubstr("ok: can be read; 3 updates"));
  EXPECT_EQ(code_, 0) << stopped;
}

TEST_F(Doctor, tells_what_a_person_reads_with_the_remedies) {
  const Told told = tell({"doctor"}, {{"TGKEEP_TOKEN", "4243:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"}});
  EXPECT_EQ(told.code, 1);
  EXPECT_THAT(told.text, AllOf(HasSubstr("bad"), HasSubstr("→ put the token that @BotFather shows"),
                               Not(HasSubstr("BBBBBBBB"))));
}

TEST_F(Doctor, a_token_that_can_not_be_read_or_is_open_to_others_is_named) {
  EXPECT_THAT(found(report({{"TGKEEP_TOKEN", ""}}), "token"), HasSubstr("bad: no bot token"));
  EXPECT_EQ(code_, 1);
  EXPECT_THAT(
      found(report({{"TGKEEP_TOKEN", ""}, {"TGKEEP_TOKEN_FILE", folder_.file("none")}}), "token file"),
      AllOf(HasSubstr("bad"), HasSubstr(folder_.file("none"))));
  const std::string file = write("token", std::string(kBotToken));
  ::chmod(file.c_str(), 0644);
  const json::value open = report({{"TGKEEP_TOKEN", ""}, {"TGKEEP_TOKEN_FILE", file}});
  EXPECT_THAT(found(open, "token file"), AllOf(HasSubstr("warning"), HasSubstr("0644")));
  EXPECT_EQ(code_, 0);
  ::chmod(file.c_str(), 0600);
  EXPECT_THAT(found(report({{"TGKEEP_TOKEN", ""}, {"TGKEEP_TOKEN_FILE", file}}), "token file"),
              HasSubstr("ok"));
}

TEST_F(Doctor, what_a_start_refuses_is_bad) {
  const json::value malformed = report({{"TGKEEP_TOKEN", "abc"}});
  EXPECT_THAT(found(malformed, "token"), HasSubstr("bad: the bot token"));
  EXPECT_EQ(code_, 1);
  const json::value unreadable = report({{"TGKEEP_FACE_LISTEN", "127.0.0.1:0"},
                                         {"TGKEEP_FACE_CERTIFICATE", "/nope"},
                                         {"TGKEEP_FACE_KEY", "/nope"}});
  EXPECT_THAT(found(unreadable, "[face]"), AllOf(HasSubstr("bad: "), HasSubstr("/nope")));
  EXPECT_EQ(code_, 1);
}

TEST_F(Doctor, a_wrong_configuration_is_all_it_looks_at) {
  const json::value wrong = report({{"TGKEEP_POLL_TIMEOUT", "long"}});
  EXPECT_EQ(code_, 2);
  EXPECT_THAT(found(wrong, "configuration"), HasSubstr("TGKEEP_POLL_TIMEOUT"));
}

TEST_F(Doctor, offline_it_asks_nobody) {
  const json::value offline = report({}, {"--offline"});
  EXPECT_EQ(code_, 0);
  EXPECT_THAT(found(offline, "token"), HasSubstr("skipped"));
  EXPECT_TRUE(asked().empty());
}

TEST_F(Doctor, a_webhook_that_is_in_the_way_of_polling_is_bad_unless_it_is_taken_over) {
  post(telegram_.root() + "/bot" + std::string(kBotToken) + "/setWebhook",
       {{"Content-Type", "application/json"}},
       R"({"url":"http://127.0.0.1:9/a-secret-path","allowed_updates":["message"]})");
  const json::value polling = report();
  EXPECT_EQ(code_, 1);
  EXPECT_THAT(found(polling, "webhook"),
              AllOf(HasSubstr("bad: one is set at 127.0.0.1:9"), Not(HasSubstr("secret"))));
  EXPECT_THAT(found(polling, "allowed updates"), HasSubstr("ok: message"));
  EXPECT_THAT(found(report({{"TGKEEP_POLL_TAKE_OVER", "true"}}), "webhook"), HasSubstr("warning"));
  EXPECT_EQ(code_, 0);
  EXPECT_THAT(found(report({{"TGKEEP_POLL_ALLOWED_UPDATES", "message,poll"}}), "allowed updates"),
              HasSubstr("warning: Telegram sends message, the configuration wants message,poll"));
}

TEST_F(Doctor, a_webhook_that_telegram_does_not_know_is_bad) {
  const json::value unknown = report(webhook_environment());
  EXPECT_EQ(code_, 1);
  EXPECT_THAT(found(unknown, "webhook"), HasSubstr("bad: Telegram knows none"));
}

TEST_F(Doctor, a_port_that_somebody_else_has_is_named) {
  const Environment taken =
      webhook_environment({{"TGKEEP_LISTEN_PORT", bot_.url().substr(17, bot_.url().rfind('/') - 17)}});
  EXPECT_THAT(found(report(taken), "listen"), AllOf(HasSubstr("bad"), HasSubstr("can't be used")));
}

TEST_F(Doctor, the_webhook_s_certificate_is_judged) {
  Certificates certificates;
  const http::TlsFiles files = certificates.make("own");
  boost::asio::io_context io(1);
  http::ServerOptions options;
  options.tls = files;
  http::ServerHandler answer = [](http::ServerRequest) -> boost::asio::awaitable<http::ServerReply> {
    http::ServerReply reply(405);
    co_return reply;
  };
  auto server = http::listen(io.get_executor(), std::move(options), std::move(answer), Log()).value();
  std::thread thread([&io] { io.run(); });
  const std::string url = "https://localhost:" + std::to_string(server->port()) + "/a-secret-path";
  const Environment own = webhook_environment({{"TGKEEP_WEBHOOK_OWN", "true"}, {"TGKEEP_WEBHOOK_URL", url}});
  const json::value untrusted = report(own);
  EXPECT_THAT(found(untrusted, "certificate"), AllOf(HasSubstr("bad"), Not(HasSubstr("secret"))));
  Environment trusting = own;
  trusting.emplace("TGKEEP_WEBHOOK_CERTIFICATE", files.certificate);
  const json::value trusted = report(trusting);
  EXPECT_THAT(found(trusted, "certificate"), HasSubstr("trusted, holds until"));
  EXPECT_THAT(found(trusted, "webhook URL"), HasSubstr("ok: localhost"));
  io.stop();
  thread.join();
}

TEST_F(Doctor, a_clock_that_is_wrong_is_named) {
  const auto date_in = [](std::chrono::seconds ahead) {
    const time_t now = ::time(nullptr) + ahead.count();
    tm utc{};
    ::gmtime_r(&now, &utc);
    char text[64];
    ::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &utc);
    return std::string(text);
  };
  std::string date = date_in(std::chrono::hours(1));
  ReceiverThread api([&date](const http::ServerRequest&) {
    http::ServerReply reply(401, R"({"ok":false,"error_code":401,"description":"Unauthorized"})");
    reply.headers.emplace_back("Date", date);
    return reply;
  });
  const std::string root = api.url().substr(0, api.url().rfind('/'));
  EXPECT_THAT(found(report({{"TGKEEP_API_ROOT", root}}), "clock"),
              AllOf(HasSubstr("bad"), HasSubstr("earlier")));
  date = date_in(std::chrono::seconds(0));
  EXPECT_THAT(found(report({{"TGKEEP_API_ROOT", root}}), "clock"), Not(HasSubstr("bad")));
  EXPECT_THAT(found(report({{"TGKEEP_API_ROOT", "http://127.0.0.1:1"}}), "token"),
              HasSubstr("bad: could not be tried"));
}

TEST_F(Doctor, a_folder_that_others_can_enter_is_named) {
  fill();
  stop_process();
  ::chmod(folder_.file("store").c_str(), 0755);
  EXPECT_THAT(found(report(), "folder"), AllOf(HasSubstr("warning"), HasSubstr("0755")));
  EXPECT_THAT(found(report({{"TGKEEP_RESERVE", "1000TiB"}}), "disk space"), HasSubstr("bad"));
}

}  // namespace
}  // namespace tgkeep::test
