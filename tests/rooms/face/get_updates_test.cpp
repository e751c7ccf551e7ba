#include <gtest/gtest.h>

#include "face_room.hpp"

namespace tgkeep::test {
namespace {

using std::chrono::seconds;

class GetUpdatesTest : public FaceRoom {};

TEST_F(GetUpdatesTest, hands_out_updates_under_the_numbers_they_were_pulled_with) {
  pull->give(7);
  pull->give(8);
  const http::ServerReply reply = call("getUpdates");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, R"({"ok":true,"result":[{"update_id":7,"message":{}},)"
                        "\n"
                        R"({"update_id":8,"message":{}}]})");
}

TEST_F(GetUpdatesTest, the_name_counts_in_any_case_and_as_a_parameter) {
  EXPECT_EQ(call("GETUPDATES").body, R"({"ok":true,"result":[]})");
  EXPECT_EQ(call("?method=getupdates").body, R"({"ok":true,"result":[]})");
  EXPECT_TRUE(outgoing->passed.empty());
  EXPECT_EQ(call("getMe").status, 200);
  EXPECT_EQ(outgoing->passed, std::vector<std::string>{"getMe"});
}

TEST_F(GetUpdatesTest, files_go_the_way_out) {
  Asked& file = ask("/file/bot42:secret/photos/file_0.jpg");
  EXPECT_EQ(file.reply->body, "file");
  EXPECT_EQ(outgoing->files, std::vector<std::string>{"photos/file_0.jpg"});
}

TEST_F(GetUpdatesTest, limit_and_timeout_are_brought_into_the_servers_bounds) {
  const std::vector<std::pair<std::string, std::pair<std::size_t, Duration>>> cases = {
      {"", {100, seconds(0)}},           {"limit=0", {1, seconds(0)}},
      {"limit=-5", {1, seconds(0)}},     {"limit=lots", {1, seconds(0)}},
      {"limit=1000", {100, seconds(0)}}, {"limit=7&timeout=300", {7, seconds(50)}},
      {"timeout=-1", {100, seconds(0)}}, {"timeout=12", {100, seconds(12)}},
  };
  for (const auto& [query, terms] : cases) {
    call("getUpdates?" + query);
    EXPECT_EQ(pull->requests.back().limit, terms.first) << query;
    EXPECT_EQ(pull->requests.back().wait, terms.second) << query;
    advance(seconds(60));
  }
}

TEST_F(GetUpdatesTest, the_same_offset_again_within_three_seconds_waits_for_three) {
  call("getUpdates?offset=5");
  EXPECT_EQ(pull->requests.back().wait, Duration::zero());
  ask("/bot42:secret/getUpdates?offset=5");
  EXPECT_EQ(pull->requests.back().wait, Duration(seconds(3)));
  call("getUpdates?offset=6");
  EXPECT_EQ(pull->requests.back().wait, Duration::zero());
}

TEST_F(GetUpdatesTest, offset_and_the_settle_prefix_are_handed_on) {
  call("getUpdates?offset=17");
  EXPECT_EQ(pull->requests.back().offset, 17);
  EXPECT_FALSE(pull->requests.back().settles);
  ask("/settle/bot42:secret/getUpdates?offset=18");
  EXPECT_EQ(pull->requests.back().offset, 18);
  EXPECT_TRUE(pull->requests.back().settles);
}

TEST_F(GetUpdatesTest, parameters_may_come_as_json) {
  call("getUpdates", R"({"offset":17,"limit":"3","timeout":0})");
  EXPECT_EQ(pull->requests.back().offset, 17);
  EXPECT_EQ(pull->requests.back().limit, 3U);
}

TEST_F(GetUpdatesTest, a_poll_waits_for_the_first_update) {
  Asked& poll = ask("/bot42:secret/getUpdates?timeout=30");
  advance(seconds(29));
  EXPECT_FALSE(poll.ended());
  pull->give(1);
  pump();
  ASSERT_TRUE(poll.ended());
  EXPECT_NE(poll.reply->body.find(R"("update_id":1)"), std::string::npos);
}

TEST_F(GetUpdatesTest, numbers_start_again_below_two_thousand_million) {
  pull->give(1'999'999'999);
  pull->give(2'000'000'000);
  const http::ServerReply reply = call("getUpdates");
  EXPECT_NE(reply.body.find(R"("update_id":1999999999)"), std::string::npos);
  EXPECT_NE(reply.body.find(R"({"update_id":1,)"), std::string::npos);
}

TEST_F(GetUpdatesTest, a_replaced_poll_gets_409_and_the_next_409_waits_three_seconds) {
  Asked& first = ask("/bot42:secret/getUpdates?timeout=30");
  pull->end_with(sink::PullAnswer::End::replaced);
  pump();
  ASSERT_TRUE(first.ended());
  EXPECT_EQ(first.reply->status, 409);
  EXPECT_EQ(
      first.reply->body,
      R"({"ok":false,"error_code":409,"description":"Conflict: terminated by other getUpdates request; )"
      R"(make sure that only one bot instance is running"})");
  Asked& second = ask("/bot42:secret/getUpdates?timeout=31");
  pull->end_with(sink::PullAnswer::End::replaced);
  pump();
  EXPECT_FALSE(second.ended());
  advance(seconds(2));
  EXPECT_FALSE(second.ended());
  advance(seconds(1));
  EXPECT_EQ(second.reply->status, 409);
}

TEST_F(GetUpdatesTest, a_store_that_can_not_note_numbers_gives_500) {
  pull->end_with(sink::PullAnswer::End::failed);
  const http::ServerReply reply = call("getUpdates");
  EXPECT_EQ(reply.status, 500);
  EXPECT_NE(reply.body.find("Internal Server Error: "), std::string::npos);
}

TEST_F(GetUpdatesTest, P9_when_tgkeep_stops_polls_end_empty_and_come_again_slowly) {
  Asked& waits = ask("/bot42:secret/getUpdates?timeout=30");
  advance(seconds(5));
  made->wind_down();
  pump();
  ASSERT_TRUE(waits.ended());
  EXPECT_EQ(waits.reply->body, R"({"ok":true,"result":[]})");
  EXPECT_FALSE(pull->closed_all) << "what is handed out can be confirmed";
  Asked& late = ask("/bot42:secret/getUpdates?offset=3&timeout=30");
  EXPECT_FALSE(late.ended());
  EXPECT_EQ(pull->requests.back().offset, 3);
  advance(seconds(1));
  EXPECT_EQ(late.reply->body, R"({"ok":true,"result":[]})");
}

TEST_F(GetUpdatesTest, a_poller_that_hangs_up_leaves_nothing_behind) {
  Asked& poll = ask("/bot42:secret/getUpdates?timeout=30");
  poll.cancel.emit(asio::cancellation_type::terminal);
  pump();
  EXPECT_TRUE(poll.ended());
  pull->give(1);
  EXPECT_NE(call("getUpdates").body.find(R"("update_id":1)"), std::string::npos);
}

TEST_F(GetUpdatesTest, a_negative_offset_drops_all_but_the_last_so_many) {
  store_updates(5);
  call("getUpdates?offset=-2");
  ASSERT_EQ(pull->dropped.size(), 1U);
  const Seq last = pull->dropped.back();
  EXPECT_EQ(last, Seq(3));
  EXPECT_EQ(pull->requests.back().offset, 0);
  advance(seconds(5));
  call("getUpdates?offset=-5");
  call("getUpdates?offset=-100");
  EXPECT_EQ(pull->dropped.size(), 1U) << "there are no more than that";
}

TEST_F(GetUpdatesTest, a_negative_offset_finds_its_place_among_thousands) {
  for (int i = 0; i < 30; ++i) {
    std::vector<Update> updates;
    for (int n = 0; n < 100; ++n) {
      Update update;
      update.bot = BotId(42);
      update.id = UpdateId(5000 + i * 100 + n);
      update.kind = "message";
      update.raw = "{}";
      update.received = clock.wall();
      updates.push_back(std::move(update));
    }
    run(io, store->put(std::move(updates))).value();
  }
  call("getUpdates?offset=-2000");
  EXPECT_EQ(pull->dropped.back(), Seq(1000));
  call("getUpdates?offset=-999");
  EXPECT_EQ(pull->dropped.back(), Seq(2001));
  call("getUpdates?offset=-1000");
  EXPECT_EQ(pull->dropped.back(), Seq(2000));
  call("getUpdates?offset=-1001");
  EXPECT_EQ(pull->dropped.back(), Seq(1999));
}

TEST_F(GetUpdatesTest, kinds_are_told_upstream_once_and_remembered) {
  keep_in_folder();
  call(R"(getUpdates?allowed_updates=["message","MESSAGE_REACTION"])");
  call(R"(getUpdates?allowed_updates=["message","message_reaction"])");
  call("getUpdates?allowed_updates=nonsense");
  call(R"(getUpdates?allowed_updates=[1])");
  call("getUpdates");
  const std::vector<std::string> wanted = {"message", "message_reaction"};
  EXPECT_EQ(allowed, (std::vector<std::vector<std::string>>{wanted}));
  restart();
  EXPECT_EQ(allowed.size(), 2U);
  EXPECT_EQ(allowed.back(), wanted);
  call("getUpdates?allowed_updates=[]");
  EXPECT_EQ(allowed.back(), std::vector<std::string>());
}

TEST_F(GetUpdatesTest, kinds_of_the_configuration_stay) {
  settings.allowed_updates = std::vector<std::string>{"message", "chat_member"};
  restart();
  EXPECT_TRUE(allowed.empty()) << "the bot has not asked yet";
  call(R"(getUpdates?allowed_updates=["poll"])");
  EXPECT_EQ(allowed.back(), (std::vector<std::string>{"message", "chat_member", "poll"}));
  call("getUpdates?allowed_updates=[]");
  EXPECT_NE(std::find(allowed.back().begin(), allowed.back().end(), "chat_member"), allowed.back().end());
  EXPECT_NE(std::find(allowed.back().begin(), allowed.back().end(), "callback_query"), allowed.back().end());
}

TEST_F(GetUpdatesTest, where_updates_go_elsewhere_polling_is_refused_with_a_word_about_where) {
  settings.pulls = false;
  settings.elsewhere = "push to 127.0.0.1:3000";
  restart();
  for (const char* const method :
       {"getUpdates", "setWebhook?url=http://127.0.0.1/", "deleteWebhook?drop_pending_updates=1"}) {
    const http::ServerReply reply = call(method);
    EXPECT_EQ(reply.status, 409) << method;
    EXPECT_NE(reply.body.find("push to 127.0.0.1:3000"), std::string::npos) << method;
  }
  EXPECT_EQ(call("deleteWebhook").status, 200) << "there is none, so it is harmless";
  EXPECT_EQ(call("getMe").status, 200);
  EXPECT_EQ(ask("/bot42:secret/tgkeep/settle", "{}").reply->status, 409);
}

TEST_F(GetUpdatesTest, logging_out_and_closing_is_refused_with_a_reason) {
  for (const char* const method : {"logOut", "LOGOUT", "close", "?method=Close"}) {
    const http::ServerReply reply = call(method);
    EXPECT_EQ(reply.status, 400) << method;
    EXPECT_NE(reply.body.find("stop tgkeep"), std::string::npos) << reply.body;
  }
  EXPECT_TRUE(outgoing->passed.empty());
}

TEST_F(GetUpdatesTest, settling_goes_to_the_pull_sink) {
  Asked& settled = ask("/bot42:secret/tgkeep/settle", R"({"update_id":1,"action":"done"})");
  EXPECT_EQ(settled.reply->status, 200);
  EXPECT_EQ(pull->settled, std::vector<std::string>{R"({"update_id":1,"action":"done"})"});
  EXPECT_EQ(ask("/bot42:secret/tgkeep/other").reply->status, 404);
}

TEST_F(GetUpdatesTest, stats_tell_what_the_face_does) {
  pull->figures.handed_out = 5;
  const FaceStats stats = made->stats();
  EXPECT_TRUE(stats.pulls);
  EXPECT_EQ(stats.webhook, "");
  EXPECT_EQ(stats.pull.handed_out, 5);
}

}  // namespace
}  // namespace tgkeep::test
