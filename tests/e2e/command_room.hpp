#pragma once
// What the tests of the commands share: a bot with done, dead and waiting updates, running or stopped.

#include <gmock/gmock.h>

#include <atomic>
#include <boost/json.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "e2e/receiver_thread.hpp"
#include "e2e/serve_room.hpp"

namespace tgkeep::test {

namespace json = boost::json;

/// How a command ended and what it said.
class Told {
 public:
  Told(int code, std::string text) : code(code), text(std::move(text)) {}
  int code;
  std::string text;
  /// As JSON; null, and a failed test, when it is none.
  json::value answer() const {
    boost::system::error_code broken;
    json::value value = json::parse(text, broken);
    if (broken) ADD_FAILURE() << "no JSON: " << text;
    return broken ? json::value() : value;
  }
};

/// The bot's server takes texts as they are named: `fine` is done, `hopeless` is dead at once (status 410),
/// and everything fails while `down` is set.
class CommandRoom : public ServeRoom {
 protected:
  Environment bot_environment(const Environment& more = {}) const {
    Environment all = more;
    all.emplace("TGKEEP_PUSH_STATUSES", "410=dead");
    return push_environment(bot_.url(), all);
  }
  Told tell(std::vector<std::string> arguments, const Environment& more = {}) {
    arguments.insert(arguments.begin(), program());
    Process process(arguments, bot_environment(more));
    process.end_input();
    const int code = process.wait();
    return Told(code, process.output());
  }
  void start(const Environment& more = {}) {
    process_ = std::make_unique<Process>(std::vector<std::string>{program(), "serve"}, bot_environment(more));
    if (!process_->wait_for_line("poll_started")) ADD_FAILURE() << process_->output();
  }
  void stop_process() {
    if (process_) stop(*process_);
    process_.reset();
  }
  /// Runs it until chat 1 has a done update, chat 2 a dead one and chat 3 a done one.
  void fill() {
    start();
    telegram_.send(1, "fine one");
    telegram_.send(2, "hopeless");
    telegram_.send(3, "fine three");
    bot_.request(2);
    wait_for_inbox("done", 2);
    wait_for_inbox("dead", 1);
  }
  /// Asks for the status of the running process until the inbox counts so many.
  void wait_for_inbox(const std::string& what, std::int64_t count) {
    for (int i = 0; i < 600; ++i) {
      const json::value status = tell({"status", "--json"}).answer();
      if (inbox_count(status, what) == count) return;
    }
    ADD_FAILURE() << "the inbox never had " << count << " " << what;
  }
  static std::int64_t inbox_count(const json::value& status, const std::string& what) {
    const json::value* value = status.find_pointer("/bots/0/inbox/" + what, unread());
    if (value == nullptr) return -1;
    if (value->is_int64()) return value->get_int64();
    std::int64_t sum = 0;
    if (value->is_object()) {
      for (const auto& entry : value->get_object()) sum += entry.value().as_int64();
    }
    return sum;
  }
  /// The numbers of the items that `list` finds with these arguments.
  std::vector<std::int64_t> found(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"list", "--json", "--oldest"});
    const json::value answer = tell(arguments).answer();
    std::vector<std::int64_t> seqs;
    const json::value* items = answer.find_pointer("/items", unread());
    if (items == nullptr) return seqs;
    for (const json::value& item : items->as_array()) seqs.push_back(item.at("seq").as_int64());
    return seqs;
  }

  std::atomic<bool> down_ = false;
  ReceiverThread bot_{[this](const http::ServerRequest& request) {
    if (down_) return http::ServerReply(500);
    return http::ServerReply(request.body.find("hopeless") == std::string::npos ? 200 : 410);
  }};
  std::unique_ptr<Process> process_;

 private:
  static boost::system::error_code& unread() {
    static thread_local boost::system::error_code ignored;
    return ignored;
  }
};

/// Each test once beside the running process and once after it has stopped.
class RunningOrNot : public CommandRoom, public testing::WithParamInterface<bool> {
 protected:
  bool live() const { return GetParam(); }
  void SetUp() override {
    fill();
    if (!live()) stop_process();
  }
  void TearDown() override { stop_process(); }
};

inline std::string running_or_not(const testing::TestParamInfo<bool>& info) {
  return info.param ? "running" : "stopped";
}

}  // namespace tgkeep::test
