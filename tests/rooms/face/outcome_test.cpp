// Calls whose answers get lost: what is said about them, and that none is sent twice.

#include <array>
#include <map>

#include "rooms/face/call_scene.hpp"
#include "rooms/http/raw_tcp.hpp"
#include "support/random.hpp"

namespace tgkeep::face {
namespace {

using namespace std::chrono_literals;
using emulator::Fault;
using testing::HasSubstr;
using testing::StartsWith;

class OutcomeTest : public CallScene {
 protected:
  static std::vector<Fault> lost_answers() {
    return {Fault::hang_up(),     Fault::hang_up_after(),
            Fault::reset(),       Fault::reset_after(),
            Fault::html(),        Fault::cut(60),
            Fault::status(500),   Fault::status(502, "Bad Gateway"),
            Fault::status(503),   Fault::body(200, "", "application/json"),
            Fault::cut(300),      Fault::body(200, R"({"ok":true,"resu)", "application/json"),
            Fault::reset_early(), Fault::body(404, "<html>", "text/html")};
  }
  /// Turns the clock until the call has ended.
  const Pending& ended_in_time(const Pending& pending) {
    while (!pending.ended()) turn();
    return pending;
  }
  /// Does what can be done, then moves the clock a little.
  void turn() {
    io.restart();
    if (io.run_one_for(2ms) == 0) clock.advance(50ms);
  }
};

TEST_F(OutcomeTest, a_lost_answer_is_reported_as_maybe_sent_and_the_call_is_not_sent_again) {
  open();
  std::int64_t reported = 0;
  for (const Fault& fault : lost_answers()) {
    SCOPED_TRACE(std::string(to_string(fault.kind)) + " " + fault.text);
    telegram->clear_calls();
    strike(fault, 1);
    const Pending pending = done(send(7, "hello"));
    EXPECT_GE(pending.status(), 500);
    EXPECT_EQ(pending.outcome(), "maybe_sent");
    EXPECT_EQ(pending.json().at("error_code"), pending.status());
    EXPECT_THAT(pending.description(), HasSubstr("the call may have been sent: "));
    EXPECT_EQ(pending.body().find("AAAA"), std::string::npos);
    EXPECT_LE(telegram->calls().size(), 1U) << "not sent again";
    EXPECT_EQ(outgoing->stats().maybe_sent, ++reported);
  }
  EXPECT_EQ(outgoing->stats().resent, 0);
  EXPECT_EQ(done(send(7, "next")).status(), 200) << "the chat goes on";
}

TEST_F(OutcomeTest, whatever_happens_no_message_comes_to_be_twice_by_our_retries) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  open();
  std::vector<Fault> faults = lost_answers();
  faults.push_back(Fault::flood(1s));
  faults.push_back(Fault::late_answer(2s));
  telegram->set_faults([&](const emulator::CallRecord&) {
    if (random.chance(0.5)) return Fault();
    return faults[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(faults.size()) - 1))];
  });
  std::vector<Pending> all;
  for (int i = 0; i < 200; ++i) all.push_back(send(random.between(1, 20), "text " + std::to_string(i)));
  for (const Pending& pending : all) ended_in_time(pending);
  std::map<std::string, int> effects;
  for (const emulator::CallRecord& call : telegram->calls()) {
    if (call.took_effect) ++effects[std::string(call.params.text("text"))];
  }
  for (int i = 0; i < 200; ++i) {
    const std::string text = "text " + std::to_string(i);
    const Pending& pending = all[static_cast<std::size_t>(i)];
    EXPECT_LE(effects[text], 1) << text;
    ASSERT_FALSE(pending.failed());
    const bool surely_not = pending.outcome() == "not_sent" || pending.outcome() == "refused";
    EXPECT_TRUE(pending.status() != 200 || effects[text] == 1) << text;
    EXPECT_TRUE(!surely_not || effects[text] == 0) << text;
  }
  const OutgoingStats stats = outgoing->stats();
  EXPECT_EQ(stats.passed + stats.refused + stats.not_sent + stats.maybe_sent + stats.held_back, 200);
}

TEST_F(OutcomeTest, whatever_bots_and_telegram_do_nothing_stays_behind) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  options.max_wait = 10s;
  options.max_waiting = 40;
  open();
  std::vector<Fault> faults = lost_answers();
  faults.push_back(Fault::flood(2s));
  faults.push_back(Fault::flood(60s));
  faults.push_back(Fault::late(3s));
  telegram->set_faults([&](const emulator::CallRecord&) {
    if (random.chance(0.5)) return Fault();
    return faults[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(faults.size()) - 1))];
  });
  std::vector<Pending> all;
  const std::array methods{"sendMessage",         "getChat",   "editMessageText",
                           "answerCallbackQuery", "setMyName", "sendChatAction"};
  for (int i = 0; i < 300; ++i) {
    http::ClientRequest request = post(methods[static_cast<std::size_t>(random.between(0, 5))],
                                       text_to(random.between(1, 8), "text " + std::to_string(i)));
    if (random.chance(0.2)) request.headers.emplace_back("Tgkeep-Bulk", "1");
    all.push_back(start(std::move(request)));
    for (auto turns = random.between(0, 20); turns > 0; --turns) turn();
    if (random.chance(0.2)) all[static_cast<std::size_t>(random.between(0, i))].hang_up();
  }
  for (const Pending& pending : all) ended_in_time(pending);
  while (outgoing->stats().running + outgoing->stats().waiting > 0) turn();
  std::map<std::string, int> messages;
  for (const emulator::CallRecord& call : telegram->calls()) {
    if (call.took_effect && call.method == "sendMessage") ++messages[std::string(call.params.text("text"))];
  }
  for (const auto& [text, count] : messages) EXPECT_EQ(count, 1) << text;
  const OutgoingStats stats = outgoing->stats();
  EXPECT_LE(
      stats.passed + stats.refused + stats.not_sent + stats.maybe_sent + stats.held_back + stats.hung_up,
      300);
  EXPECT_GT(stats.passed, 0);
  clock.advance(1h);
  EXPECT_EQ(outgoing->stats().flooded, 0U);
}

TEST_F(OutcomeTest, what_only_reads_is_asked_again_and_the_bot_sees_nothing_of_it) {
  open();
  std::int64_t resent = 0;
  for (const Fault& fault : lost_answers()) {
    SCOPED_TRACE(std::string(to_string(fault.kind)) + " " + fault.text);
    strike(fault, 2);
    EXPECT_EQ(ended_in_time(start("getMe", "{}")).status(), 200);
    EXPECT_GE(outgoing->stats().resent, resent);
    resent = outgoing->stats().resent;
  }
  strike(Fault::reset(), 100);
  telegram->clear_calls();
  const Pending given_up = ended_in_time(start("getMe", "{}"));
  EXPECT_EQ(given_up.outcome(), "maybe_sent");
  EXPECT_LE(telegram->calls().size(), 6U) << "bounded (libcurl may repeat each once on a kept connection)";
}

TEST_F(OutcomeTest, what_may_be_repeated_and_is_refused_then_is_not_called_refused) {
  open();
  const std::int64_t id = done(send(1, "a")).json().at("result").at("message_id").as_int64();
  strike(Fault::status(502), 1);
  const Pending edit =
      start("editMessageText", R"({"chat_id":1,"text":"b","message_id":)" + std::to_string(id) + "}");
  EXPECT_EQ(ended_in_time(edit).status(), 200);
  strike(Fault::reset_after(), 1);
  const Pending again = start("deleteMessage", R"({"chat_id":1,"message_id":)" + std::to_string(id) + "}");
  EXPECT_EQ(ended_in_time(again).status(), 400);
  EXPECT_EQ(again.outcome(), "maybe_sent");
  EXPECT_THAT(again.description(), StartsWith("Bad Request: message to delete not found"));
  EXPECT_THAT(again.description(), HasSubstr("the call may have been sent"));
}

TEST_F(OutcomeTest, what_was_surely_not_sent_is_tried_until_it_may_not_wait_longer) {
  options.api_root = "http://127.0.0.1:" + [this] {
    const test::RawListener taken(io);
    return std::to_string(taken.port());
  }();
  open();
  const Pending pending = ended_in_time(send(1, "a"));
  EXPECT_EQ(pending.status(), 502);
  EXPECT_EQ(pending.outcome(), "not_sent");
  EXPECT_THAT(pending.description(), StartsWith("Bad Gateway: not sent: "));
  EXPECT_EQ(outgoing->stats().not_sent, 1);
  EXPECT_GT(outgoing->stats().resent, 5);
}

TEST_F(OutcomeTest, calls_wait_while_telegram_is_not_there_and_go_in_order_when_it_is_back) {
  open();
  EXPECT_EQ(done(send(1, "a")).status(), 200);
  telegram->start_restart(5s);
  until([this] { return clock.alarms() > 0; });  // it is gone
  std::vector<Pending> waiting{send(1, "b"), send(1, "c"), send(2, "d")};
  while (outgoing->stats().resent < 3) turn();
  for (const Pending& pending : waiting) EXPECT_EQ(ended_in_time(pending).status(), 200) << pending.body();
  std::vector<std::string> of_one;
  for (const emulator::CallRecord& call : telegram->calls()) {
    if (call.chat == 1) of_one.emplace_back(call.params.text("text"));
  }
  EXPECT_THAT(of_one, testing::ElementsAre("a", "b", "c"));
}

}  // namespace
}  // namespace tgkeep::face
