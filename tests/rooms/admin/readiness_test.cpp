#include "rooms/admin/desk_scene.hpp"

namespace tgkeep::admin {
namespace {

using namespace std::chrono_literals;

class AdminReadiness : public AdminDesk {
 protected:
  AdminReadiness() {
    bot.receiving.emplace();
    bot.receiving->healthy = true;
    bot.receiving->last_success = premises.time.mono();
  }
  FakeBot& bot{premises.add(1, "shop")};
};

TEST_F(AdminReadiness, is_given_while_the_last_good_poll_is_young) {
  premises.time.advance(3min);
  EXPECT_EQ(get("/readyz").status, 200);
  EXPECT_EQ(get("/readyz").body, "ready\n");
  premises.time.advance(1s);
  bot.receiving->problem = "502 Bad Gateway:\nwait";
  const http::ServerReply old = get("/readyz");
  EXPECT_EQ(old.status, 503);
  EXPECT_EQ(old.body, "bot shop: its last good poll was 181 s ago, more than 180 s: 502 Bad Gateway: wait\n");
}

TEST_F(AdminReadiness, has_the_bound_of_the_options) {
  options.ready_age = 10s;
  premises.time.advance(11s);
  EXPECT_EQ(get("/readyz").status, 503);
}

TEST_F(AdminReadiness, waits_for_the_first_poll) {
  bot.receiving->last_success.reset();
  EXPECT_EQ(get("/readyz").body, "bot shop: no poll has succeeded yet\n");
}

TEST_F(AdminReadiness, is_given_while_the_first_poll_is_under_way_and_none_has_failed) {
  bot.receiving->healthy = false;
  bot.receiving->last_success.reset();
  bot.receiving->first_since = premises.time.mono();
  premises.time.advance(3min);
  EXPECT_EQ(get("/readyz").body, "ready\n");
  const boost::json::value source = json_of(get("/api/status")).at("bots").at(0).at("source");
  EXPECT_TRUE(source.at("healthy").as_bool());
  EXPECT_EQ(source.at("first_since_s").to_number<double>(), 180);
  premises.time.advance(1s);
  EXPECT_EQ(get("/readyz").body, "bot shop: no poll has succeeded yet\n");
}

TEST_F(AdminReadiness, is_not_lost_by_a_webhook_that_nobody_writes_to) {
  bot.known.source = "webhook /hook";
  premises.time.advance(24h);
  EXPECT_EQ(get("/readyz").status, 200);
  bot.receiving->healthy = false;
  bot.receiving->problem = "Telegram can't reach it";
  EXPECT_EQ(get("/readyz").body, "bot shop: its webhook is not healthy: Telegram can't reach it\n");
}

TEST_F(AdminReadiness, names_every_reason_against_it) {
  bot.broken = true;
  bot.stats.full = true;
  premises.stops = 1;
  premises.receives = false;
  const http::ServerReply reply = get("/readyz");
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.body,
            "the process is stopping\nit is drained: it receives no updates\nbot shop: its store failed: the "
            "disk failed; look at it and start again\nbot shop: its store is full: it refuses updates\n");
}

TEST_F(AdminReadiness, is_another_thing_than_health) {
  bot.broken = true;
  EXPECT_EQ(get("/healthz").status, 200);
  EXPECT_EQ(get("/healthz").body, "ok\n");
}

}  // namespace
}  // namespace tgkeep::admin
