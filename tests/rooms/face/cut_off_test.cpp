// Calls that are open when time is up, at a stop or when their bot is changed: each is told what became of
// it.

#include "loop/task_group.hpp"
#include "rooms/face/call_scene.hpp"
#include "rooms/http/raw_tcp.hpp"

namespace tgkeep::face {
namespace {

using namespace std::chrono_literals;
using emulator::Fault;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class CutOffTest : public CallScene {
 protected:
  CutOffTest() { server.last_answers = 10s; }
  void stop() {
    test::run(io, face->stop(0s));
    face.reset();
  }
  void slow_for(std::int64_t chat) {
    telegram->set_faults([chat](const emulator::CallRecord& call) {
      return call.chat == chat ? Fault::late(1h) : Fault::flood(20s);
    });
  }
};

TEST_F(CutOffTest, P9_a_stop_tells_each_open_call_what_became_of_it) {
  open();
  slow_for(1);
  const Pending sent = send(1, "sent");
  until([this] { return telegram->calls().size() == 1; });
  const Pending behind = send(1, "behind");
  const Pending told_to_wait = send(2, "flood");
  until_waiting(2);
  const Pending behind_it = send(2, "behind it");
  until_waiting(3);
  stop();
  EXPECT_EQ(ended(sent).status(), 502);
  EXPECT_EQ(sent.outcome(), "maybe_sent");
  EXPECT_THAT(sent.description(), StartsWith("Bad Gateway: the call may have been sent: tgkeep stops"));
  EXPECT_EQ(ended(behind).status(), 429);
  EXPECT_EQ(behind.outcome(), "not_sent");
  EXPECT_EQ(behind.header("Retry-After"), "3");
  EXPECT_EQ(ended(told_to_wait).status(), 429);
  EXPECT_EQ(told_to_wait.outcome(), "refused") << "by Telegram";
  EXPECT_EQ(ended(behind_it).status(), 429);
  EXPECT_EQ(behind_it.outcome(), "not_sent");
  EXPECT_EQ(behind_it.header("Retry-After"), "20");
  EXPECT_THAT(texts(), ElementsAre("sent", "flood"));
  EXPECT_EQ(outgoing->stats().maybe_sent, 1);
  EXPECT_EQ(outgoing->stats().hung_up, 0);
  EXPECT_EQ(outgoing->stats().running + outgoing->stats().waiting, 0U);
}

TEST_F(CutOffTest, P9_what_is_cut_off_before_it_left_is_not_sent) {
  const test::RawListener silent(io);  // never says a word of TLS
  options.api_root = "https://127.0.0.1:" + std::to_string(silent.port());
  open();
  const Pending pending = send(1, "a");
  until([this] { return outgoing->stats().running == 1; });
  stop();
  EXPECT_EQ(ended(pending).status(), 429);
  EXPECT_EQ(pending.outcome(), "not_sent");
  EXPECT_EQ(outgoing->stats().maybe_sent, 0);
}

TEST_F(CutOffTest, P9_what_may_be_sent_again_is_not_when_time_is_up) {
  open();
  slow_for(1);
  const Pending edit = start("editMessageText", R"({"chat_id":1,"text":"b","message_id":1})");
  until([this] { return telegram->calls().size() == 1; });
  stop();
  EXPECT_EQ(ended(edit).outcome(), "maybe_sent");
  EXPECT_EQ(telegram->calls().size(), 1U);
}

TEST_F(CutOffTest, P9_an_answer_that_is_cut_off_in_its_middle_leaves_the_call_in_doubt) {
  test::RawListener upstream(io);
  options.api_root = "http://127.0.0.1:" + std::to_string(upstream.port());
  open();
  test::RawTcp end(io);
  const auto begin = [](test::RawListener& upstream, test::RawTcp& end) -> asio::awaitable<void> {
    end = co_await upstream.accept();
    co_await end.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"ok\":true,");
  };
  const Pending pending = send(1, "a");
  test::run(io, begin(upstream, end));
  io.restart();
  io.run_for(50ms);  // so that it is in hand; the outcome is the same when it is not
  stop();
  EXPECT_EQ(ended(pending).status(), 502);
  EXPECT_EQ(pending.outcome(), "maybe_sent");
}

TEST_F(CutOffTest, P9_an_upload_under_way_is_told_too) {
  test::RawListener upstream(io);  // takes what the system takes for it
  options.api_root = "http://127.0.0.1:" + std::to_string(upstream.port());
  open();
  std::string body =
      "--b\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n1\r\n"
      "--b\r\nContent-Disposition: form-data; name=\"document\"; filename=\"f\"\r\n\r\n";
  body += std::string(30U << 20, 'x') + "\r\n--b--\r\n";
  const Pending runs = start(post("sendDocument", body, "multipart/form-data; boundary=b"));
  until([this] { return outgoing->stats().running == 1; });
  const Pending waits = start(post("sendDocument", body, "multipart/form-data; boundary=b"));
  until_waiting(1);
  stop();
  EXPECT_EQ(ended(runs).status(), 502) << runs.body();
  EXPECT_EQ(runs.outcome(), "maybe_sent");
  EXPECT_EQ(ended(waits).status(), 429);
  EXPECT_EQ(waits.outcome(), "not_sent");
}

TEST_F(CutOffTest, whoever_hangs_up_before_that_is_told_nothing) {
  open();
  slow_for(1);
  Pending leaves = send(1, "a");
  until([this] { return telegram->calls().size() == 1; });
  leaves.hang_up();
  until([this] { return outgoing->stats().hung_up == 1; });
  stop();
  EXPECT_EQ(outgoing->stats().maybe_sent, 0);
  EXPECT_THAT(logged, IsEmpty());
}

}  // namespace
}  // namespace tgkeep::face
