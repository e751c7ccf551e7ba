// Calls on their way to Telegram: what is passed on, in which order, and what waits.

#include "rooms/face/call_scene.hpp"

namespace tgkeep::face {
namespace {

using namespace std::chrono_literals;
using emulator::Fault;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class OutgoingTest : public CallScene {
 protected:
  /// A multipart body with plain parameters.
  static std::string parts(const std::vector<std::pair<std::string, std::string>>& params) {
    std::string body;
    for (const auto& [name, value] : params) {
      body += "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
    }
    return body + "--b--\r\n";
  }
};

TEST_F(OutgoingTest, all_four_encodings_reach_telegram_and_its_answer_comes_back_as_it_is) {
  open();
  http::ClientRequest query("GET", root() + path("sendMessage?chat_id=1&text=a%20b%26c"));
  EXPECT_EQ(done(start(query)).json().at("result").at("text"), "a b&c");
  EXPECT_EQ(done(start(post("sendMessage", "chat_id=1&text=a+b", "application/x-www-form-urlencoded")))
                .json()
                .at("result")
                .at("text"),
            "a b");
  const Pending json = done(start("sendMessage", R"({"chat_id":"1","text":"\u00e4"})"));
  EXPECT_EQ(json.status(), 200);
  EXPECT_EQ(json.header("Content-Type"), "application/json");
  EXPECT_EQ(json.outcome(), "");
  EXPECT_EQ(json.json().at("result").at("text"), "ä");
  const std::string body = parts({{"chat_id", "1"}, {"text", "d"}});
  const Pending multipart =
      done(start(post("sendMessage", body, "Multipart/Form-Data; boundary=b; charset=utf-8")));
  EXPECT_EQ(multipart.status(), 200);
  EXPECT_THAT(texts(), ElementsAre("a b&c", "a b", "ä", "d"));
  EXPECT_EQ(outgoing->stats().passed, 4);
}

TEST_F(OutgoingTest, methods_are_known_in_any_case_and_as_a_parameter) {
  open();
  EXPECT_EQ(done(start("SENDmessage", text_to(1, "a"))).status(), 200);
  EXPECT_EQ(done(start("", R"({"method":"sendMessage","chat_id":1,"text":"b"})")).status(), 200);
  http::ClientRequest query("GET", root() + path("?method=sendmessage&chat_id=1&text=c"));
  EXPECT_EQ(done(start(query)).status(), 200);
  EXPECT_EQ(done(start("", "{}")).status(), 404);
  for (const emulator::CallRecord& call : telegram->calls()) EXPECT_EQ(call.method, "sendMessage");
  EXPECT_THAT(texts(), ElementsAre("a", "b", "c"));
}

// Two names for one call: ours is the one that was looked at.
TEST_F(OutgoingTest, what_is_asked_for_is_the_method_that_was_looked_at) {
  open();
  done(start("?method=getMe", R"({"method":"getUpdates"})"));
  done(start("getMe?method=getUpdates", R"({"method":"close"})"));
  done(start("getChat%2F..%2FgetUpdates", "{}"));
  done(start("getMe%3Fa", "{}"));
  std::vector<std::string> methods;
  for (const emulator::CallRecord& call : telegram->calls()) methods.push_back(call.method);
  EXPECT_THAT(methods, ElementsAre("getMe", "getMe", "getChat/../getUpdates", "getMe?a"));
}

TEST_F(OutgoingTest, order_of_a_chat_is_kept_and_other_chats_pass) {
  open();
  strike(Fault::late(5s), 1, 1);
  const Pending first = send(1, "1a");
  until([this] { return telegram->calls().size() == 1; });
  std::vector<Pending> rest{send(1, "1b"), send(1, "1c")};
  until_waiting(2);
  ended(send(2, "2a"));
  EXPECT_THAT(texts(), ElementsAre("1a", "2a"));
  clock.advance(5s);
  ended(rest[1]);
  EXPECT_THAT(texts(), ElementsAre("1a", "2a", "1b", "1c"));
  EXPECT_TRUE(first.ended());
}

TEST_F(OutgoingTest, names_of_a_chat_in_any_case_are_one_line_and_reading_passes_it) {
  open();
  strike(Fault::late(5s), 1);
  start("sendMessage", R"({"chat_id":"@Name","text":"a"})");
  until([this] { return telegram->calls().size() == 1; });
  const Pending second = start("sendMessage", R"({"chat_id":"@nAME","text":"b"})");
  until_waiting(1);
  ended(start("getChat", R"({"chat_id":"@name"})"));
  EXPECT_FALSE(second.ended());
  clock.advance(5s);
  ended(second);
}

TEST_F(OutgoingTest, a_flood_wait_of_60_s_on_one_chat_leaves_the_others_alone) {
  open();
  strike(Fault::flood(60s), 1, 1);
  const Pending told = done(send(1, "a"));
  EXPECT_EQ(told.status(), 429);
  EXPECT_EQ(told.outcome(), "refused");
  EXPECT_EQ(told.header("Retry-After"), "60");
  EXPECT_EQ(told.json().at("parameters").at("retry_after"), 60);
  EXPECT_EQ(outgoing->stats().flooded, 1U);
  for (std::int64_t chat = 2; chat < 30; ++chat) EXPECT_EQ(done(send(chat, "b")).status(), 200);
  clock.advance(19500ms);
  const Pending held = done(send(1, "c"));
  EXPECT_EQ(held.status(), 429) << "it would wait longer than it may";
  EXPECT_EQ(held.outcome(), "not_sent");
  EXPECT_EQ(held.json().at("parameters").at("retry_after"), 41) << "what is left";
  EXPECT_EQ(telegram->calls().size(), 29U) << "it never left";
  EXPECT_EQ(done(start("getChat", R"({"chat_id":1})")).status(), 200);
  clock.advance(20500ms);
  const Pending waits = send(1, "d");
  until_waiting(1);
  clock.advance(20s);
  EXPECT_EQ(ended(waits).status(), 200);
  EXPECT_EQ(outgoing->stats().held_back, 1);
  EXPECT_EQ(outgoing->stats().refused, 1);
  EXPECT_EQ(outgoing->stats().flooded, 0U);
}

TEST_F(OutgoingTest, a_short_flood_wait_is_waited_for_in_the_line_and_the_bot_sees_nothing_of_it) {
  open();
  strike(Fault::flood(5s), 1, 1);
  const Pending first = send(1, "a");
  until([this] { return outgoing->stats().flooded == 1; });
  const Pending second = send(1, "b");
  until_waiting(2);
  clock.advance(5s);
  EXPECT_EQ(ended(second).status(), 200);
  EXPECT_EQ(first.status(), 200);
  EXPECT_THAT(texts(), ElementsAre("a", "a", "b"));
  EXPECT_EQ(effects(), 2U);
  EXPECT_EQ(outgoing->stats().resent, 1);
}

TEST_F(OutgoingTest, when_chat_after_chat_is_told_to_wait_all_wait_but_the_urgent_and_the_reading) {
  open();
  strike(Fault::flood(4s), 5);
  std::vector<Pending> told;
  for (std::int64_t chat = 1; chat <= 5; ++chat) told.push_back(send(chat, "a"));
  until_waiting(5);
  const Pending other = send(6, "b");
  until_waiting(6);
  EXPECT_EQ(done(start("answerCallbackQuery", R"({"callback_query_id":"1"})")).status(), 200);
  EXPECT_EQ(done(start("getMe", "{}")).status(), 200);
  EXPECT_FALSE(other.ended());
  clock.advance(4s);
  for (const Pending& pending : told) EXPECT_EQ(ended(pending).status(), 200);
  EXPECT_EQ(ended(other).status(), 200);
}

TEST_F(OutgoingTest, what_a_method_without_a_chat_is_told_holds_that_method_only) {
  open();
  strike(Fault::flood(3600s), 1);
  EXPECT_EQ(done(start("setMyName", R"({"name":"a"})")).status(), 429);
  EXPECT_EQ(done(start("setmyname", R"({"name":"a"})")).outcome(), "not_sent");
  EXPECT_EQ(done(start("setMyDescription", R"({"description":"a"})")).status(), 200);
  EXPECT_EQ(done(send(1, "a")).status(), 200);
}

TEST_F(OutgoingTest, urgent_answers_go_first_also_when_all_others_run) {
  open();
  strike(Fault::late(20s), 100);
  std::vector<Pending> running;
  for (std::int64_t chat = 1; chat <= 101; ++chat) running.push_back(send(chat, "a"));
  until_waiting(1);
  until([this] { return telegram->calls().size() == 100; });
  const Pending urgent = done(start("answerPreCheckoutQuery", R"({"pre_checkout_query_id":"1","ok":true})"));
  EXPECT_EQ(urgent.status(), 200);
  EXPECT_EQ(outgoing->stats().running, 100U);
  clock.advance(20s);
  for (const Pending& pending : running) EXPECT_EQ(ended(pending).status(), 200);
}

TEST_F(OutgoingTest, what_is_marked_as_bulk_is_paced_and_nothing_else) {
  options.bulk_rate = 10;  // two at once, then ten a second
  open();
  std::vector<Pending> bulk;
  for (std::int64_t chat = 1; chat <= 3; ++chat) {
    http::ClientRequest marked = post("sendMessage", text_to(chat, "bulk"));
    marked.headers.emplace_back("Tgkeep-Bulk", "1");
    bulk.push_back(start(marked));
    http::ClientRequest by_path(
        "GET", root() + "/bulk" + path("sendMessage?text=bulk&chat_id=") + std::to_string(chat + 10));
    bulk.push_back(start(by_path));
  }
  until_waiting(4);
  for (std::int64_t chat = 20; chat < 30; ++chat) EXPECT_EQ(done(send(chat, "a")).status(), 200);
  clock.advance(100ms);
  until_waiting(3);
  clock.advance(300ms);
  for (const Pending& pending : bulk) EXPECT_EQ(ended(pending).status(), 200);
}

TEST_F(OutgoingTest, P11_when_too_many_wait_the_next_one_learns_it_at_once) {
  options.max_waiting = 2;
  open();
  strike(Fault::late(5s), 1, 1);
  std::vector<Pending> first{send(1, "a"), send(1, "b"), send(1, "c")};
  until_waiting(2);
  const Pending over = done(send(1, "d"));
  EXPECT_EQ(over.status(), 429);
  EXPECT_EQ(over.outcome(), "not_sent");
  EXPECT_EQ(over.json().at("parameters").at("retry_after"), 1);
  clock.advance(5s);
  ended(first[2]);
  EXPECT_EQ(outgoing->stats().held_back, 1);
}

TEST_F(OutgoingTest, P11_no_call_waits_longer_than_it_may) {
  options.max_wait = 10s;
  open();
  strike(Fault::late(60s), 1, 1);
  const Pending first = send(1, "a");
  until([this] { return telegram->calls().size() == 1; });
  const Pending second = send(1, "b");
  until_waiting(1);
  clock.advance(10s);
  EXPECT_EQ(ended(second).status(), 429);
  EXPECT_EQ(second.outcome(), "not_sent");
  clock.advance(50s);
  EXPECT_EQ(ended(first).status(), 200);
  EXPECT_EQ(telegram->calls().size(), 1U);
}

TEST_F(OutgoingTest, a_call_that_waits_is_given_up_when_its_bot_hangs_up) {
  open();
  strike(Fault::late(5s), 1, 1);
  const Pending first = send(1, "a");
  until([this] { return telegram->calls().size() == 1; });
  Pending leaves = send(1, "b");
  until_waiting(1);
  const Pending third = send(1, "c");
  until_waiting(2);
  leaves.hang_up();
  until_waiting(1);
  clock.advance(5s);
  EXPECT_EQ(ended(third).status(), 200);
  EXPECT_THAT(texts(), ElementsAre("a", "c"));
  EXPECT_EQ(outgoing->stats().hung_up, 1);
}

TEST_F(OutgoingTest, refusals_come_back_as_telegram_gave_them) {
  open();
  const Pending refused = done(send(1, ""));
  EXPECT_EQ(refused.status(), 400);
  EXPECT_EQ(refused.outcome(), "refused");
  EXPECT_THAT(refused.description(), HasSubstr("Bad Request: message text is empty"));
  const Pending unknown = done(start("noSuchMethod", "{}"));
  EXPECT_EQ(unknown.status(), 404);
  EXPECT_EQ(unknown.description(), "Not Found: method not found");
  telegram->set_faults([](const emulator::CallRecord&) {
    return Fault::body(
        400, R"({"ok":false,"error_code":400,"description":"x","parameters":{"migrate_to_chat_id":-100}})",
        "application/json");
  });
  EXPECT_EQ(done(send(1, "a")).json().at("parameters").at("migrate_to_chat_id"), -100);
  EXPECT_EQ(outgoing->stats().refused, 3);
}

TEST_F(OutgoingTest, large_answers_come_whole) {
  open();
  std::string text = R"({"ok":true,"result":")";
  for (int i = 0; text.size() < (3U << 20); ++i) text += std::to_string(i);
  text += "\"}";
  strike(Fault::body(200, text, "application/json"), 1);
  const Pending large = done(start("getStickerSet", R"({"name":"a"})"));
  EXPECT_EQ(large.status(), 200);
  EXPECT_EQ(large.body(), text);
}

}  // namespace
}  // namespace tgkeep::face
