#include "rooms/admin/desk_scene.hpp"

namespace tgkeep::admin {
namespace {

TEST_F(AdminDesk, shows_a_bot_of_a_running_process_with_its_source_and_runners) {
  FakeBot& bot = premises.add(123456, "shop");
  bot.receiving.emplace();
  bot.receiving->healthy = true;
  bot.receiving->received = 10;
  bot.receiving->last_success = premises.time.mono();
  bot.inbox.emplace();
  bot.inbox->running = 2;
  bot.inbox->target_paused = true;
  bot.stats.disk_free = 1000;
  premises.time.advance(std::chrono::milliseconds(400));
  const http::ServerReply reply = get("/api/status");
  ASSERT_EQ(reply.status, 200) << reply.body;
  const boost::json::value status = json_of(reply);
  EXPECT_TRUE(status.at("live").as_bool());
  EXPECT_TRUE(status.at("receiving").as_bool());
  const boost::json::value& shown = status.at("bots").at(0);
  EXPECT_EQ(shown.at("id").as_int64(), 123456);
  EXPECT_EQ(shown.at("name").as_string(), "shop");
  EXPECT_EQ(shown.at("source").at("received").as_int64(), 10);
  EXPECT_DOUBLE_EQ(shown.at("source").at("last_success_s").as_double(), 0.4);
  EXPECT_FALSE(shown.at("target").at("reachable").as_bool());
  EXPECT_EQ(shown.at("inbox").at("runner").at("running").to_number<int>(), 2);
  EXPECT_TRUE(shown.at("inbox").at("balanced").as_bool());
  EXPECT_EQ(shown.at("store").at("disk_free").to_number<int>(), 1000);
}

TEST_F(AdminDesk, shows_null_for_what_only_a_running_process_knows) {
  premises.running = false;
  premises.receives = false;
  premises.add(1);
  const boost::json::value status = json_of(get("/api/status"));
  EXPECT_FALSE(status.at("live").as_bool());
  EXPECT_TRUE(status.at("pid").is_null());
  const boost::json::value& bot = status.at("bots").at(0);
  EXPECT_TRUE(bot.at("source").is_null());
  EXPECT_TRUE(bot.at("target").at("reachable").is_null());
  EXPECT_TRUE(bot.at("inbox").at("runner").is_null());
}

TEST_F(AdminDesk, says_of_one_bot_that_its_store_is_broken_and_shows_the_others) {
  premises.add(1, "one").broken = true;
  premises.add(2, "two");
  const boost::json::value status = json_of(get("/api/status"));
  EXPECT_EQ(status.at("bots").at(0).at("error").as_string(), "the disk failed; look at it and start again");
  EXPECT_TRUE(status.at("bots").at(0).at("inbox").is_null());
  EXPECT_TRUE(status.at("bots").at(1).at("error").is_null());
  EXPECT_TRUE(status.at("bots").at(1).at("inbox").is_object());
}

}  // namespace
}  // namespace tgkeep::admin
