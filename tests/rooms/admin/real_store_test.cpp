// The desk over a store that is no double: what it answers is what the store has, and what it changes, too.

#include <boost/json/serialize.hpp>

#include "rooms/admin/desk_scene.hpp"

namespace tgkeep::admin {
namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

class AdminStore : public AdminDesk {
 protected:
  AdminStore() {
    put(900);
    put(901);
    settle(1, Settlement::Kind::dead);
    settle(2, Settlement::Kind::dead);
  }
  void put(std::int64_t id) {
    Update update;
    update.bot = BotId(1);
    update.id = UpdateId(id);
    update.kind = "message";
    update.keys.emplace_back(BotId(1), "chat:1");
    update.raw = "{\"update_id\":" + std::to_string(id) + "}";
    std::vector<Update> updates;
    updates.push_back(std::move(update));
    ASSERT_TRUE(test::run(io, bot.store->put(std::move(updates))).has_value());
  }
  void settle(std::int64_t seq, Settlement::Kind kind) {
    ASSERT_EQ(test::run(io, bot.store->begin(Queue::inbox, {Seq(seq)}, Mark::shared))->size(), 1U);
    Settlement settlement(Queue::inbox, Seq(seq), kind);
    settlement.reason = "attempts";
    settlement.error = "status 500";
    ASSERT_TRUE(test::run(io, bot.store->settle({std::move(settlement)}))->at(0));
  }
  QueueCounts inbox() { return test::run(io, bot.store->counts())->inbox; }

  FakeBot& bot{premises.add(1, "shop")};
};

TEST_F(AdminStore, finds_its_dead_letters_and_retries_one) {
  const json::value dead = json_of(get("/api/bots/shop/items?state=dead&bodies=1"));
  ASSERT_EQ(dead.at("items").as_array().size(), 2U);
  EXPECT_EQ(dead.at("items").at(0).at("error").as_string(), "status 500");
  EXPECT_EQ(dead.at("items").at(0).at("body").as_string(), "{\"update_id\":900}");
  const json::value answer = json_of(post("/api/bots/shop/retry", R"({"seqs":[1]})"));
  ASSERT_EQ(answer.at("retried").as_array().size(), 1U);
  EXPECT_EQ(inbox().pending, 1);
  EXPECT_EQ(inbox().dead.at("attempts"), 1);
  EXPECT_TRUE(json_of(get("/api/status")).at("bots").at(0).at("inbox").at("balanced").as_bool());
  const std::string as = std::to_string(answer.at("retried").at(0).at("as").as_int64());
  EXPECT_EQ(json_of(get("/api/bots/shop/items/inbox/" + as)).at("run").to_number<int>(), 1);
}

TEST_F(AdminStore, drops_what_is_given_up_and_counts_it) {
  EXPECT_EQ(post("/api/bots/shop/drop", R"({"all":true})").body, R"({"dropped":[1,2],"missing":[]})");
  EXPECT_EQ(inbox().dropped.at("operator"), 2);
  EXPECT_EQ(get("/api/bots/shop/audit").body, R"({"balanced":true,"difference":""})");
}

TEST_F(AdminStore, replays_dead_letters_each_once) {
  const char* const all = R"({"states":["dead"],"key":"chat:1","rate":1000})";
  EXPECT_EQ(json_of(post("/api/bots/shop/replay", all)).at("matched").as_int64(), 2);
  loop::run_for(io, premises.time, 1s);
  EXPECT_EQ(json_of(get("/api/bots/shop/replay")).at("replayed").as_int64(), 2);
  EXPECT_EQ(inbox().pending, 2);
}

TEST_F(AdminStore, traces_an_update_it_knows_and_no_other) {
  EXPECT_EQ(get("/api/bots/shop/trace/900").status, 200);
  EXPECT_EQ(get("/api/bots/shop/trace/1").status, 404);
}

TEST_F(AdminStore, traces_an_update_by_what_a_polling_bot_saw) {
  const WallTime at = from_millis(5000);
  std::vector<Handout> handouts{Handout(PullId(7), Seq(1), at), Handout(PullId(2'000'000'006), Seq(2), at)};
  ASSERT_TRUE(test::run(io, bot.store->handouts()->note(std::move(handouts))));
  const json::value trace = json_of(get("/api/bots/shop/trace/7?seen=true"));
  EXPECT_EQ(trace.at("update_id").as_int64(), 901) << "the last one that was seen so";
  EXPECT_EQ(json::serialize(trace.at("runs").at(0).at("handouts")),
            R"([{"id":2000000006,"seen_as":7,"at":5000}])");
  EXPECT_EQ(json_of(get("/api/bots/shop/trace/901")).at("runs").at(0).at("handouts").as_array().size(), 1U);
  EXPECT_EQ(get("/api/bots/shop/trace/8?seen=true").status, 404);
  EXPECT_EQ(get("/api/bots/shop/trace/0?seen=true").status, 404);
  EXPECT_EQ(get("/api/bots/shop/trace/7?seen=perhaps").status, 400);
}

TEST_F(AdminStore, erases_a_chat) {
  EXPECT_EQ(post("/api/bots/shop/erase", R"({"chat":2})").body, R"({"waiting":0,"finished":0,"state":0})");
  EXPECT_EQ(post("/api/bots/shop/erase", R"({"chat":1})").body, R"({"waiting":2,"finished":0,"state":0})");
  EXPECT_EQ(json_of(get("/api/bots/shop/items")).at("items").as_array().size(), 0U);
  EXPECT_EQ(inbox().dropped.at("erased"), 2);
}

}  // namespace
}  // namespace tgkeep::admin
