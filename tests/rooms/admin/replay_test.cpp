#include "rooms/admin/desk_scene.hpp"

namespace tgkeep::admin {
namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

class AdminReplay : public AdminDesk {
 protected:
  AdminReplay() {
    add_shop();
    for (int i = 1; i <= 30; ++i) browser.add(i, ItemState::done, 100 + i);
  }
  json::value job() { return json_of(get("/api/bots/1/replay")); }
  std::int64_t done() { return job().at("done").as_int64(); }
  void pass(Duration time) { loop::run_for(io, premises.time, time); }
};

TEST_F(AdminReplay, puts_what_matches_to_the_tail_at_its_rate) {
  const json::value answer =
      json_of(post("/api/bots/1/replay", R"({"first_id":101,"last_id":120,"rate":10})"));
  EXPECT_EQ(answer.at("matched").as_int64(), 20);
  EXPECT_TRUE(answer.at("job").at("running").as_bool());
  EXPECT_EQ(answer.at("job").at("of").as_int64(), 20);
  pass(950ms);
  EXPECT_EQ(done(), 10);
  pass(500ms);
  EXPECT_EQ(done(), 15);
  pass(1s);
  const json::value ended = job();
  EXPECT_FALSE(ended.at("running").as_bool());
  EXPECT_EQ(ended.at("done").as_int64(), 20);
  EXPECT_EQ(ended.at("replayed").as_int64(), 20);
  EXPECT_EQ(browser.items.size(), 50U);
}

TEST_F(AdminReplay, goes_in_batches_when_it_is_fast) {
  post("/api/bots/1/replay", R"({"key":"chat:1","rate":100})");
  pass(1s);
  EXPECT_EQ(browser.batches, (std::vector<std::size_t>{10, 10, 10}));
  EXPECT_FALSE(job().at("running").as_bool());
}

TEST_F(AdminReplay, leaves_out_the_runs_it_makes_itself) {
  browser.next = 31;
  post("/api/bots/1/replay", R"({"key":"chat:1","rate":1000,"force":true})");
  pass(10s);
  EXPECT_EQ(job().at("replayed").as_int64(), 30);
  EXPECT_TRUE(browser.forced);
}

TEST_F(AdminReplay, counts_what_was_left_out_by_reason) {
  browser.items[3].run = 1;
  post("/api/bots/1/replay", R"({"last_id":105,"rate":1000})");
  pass(1s);
  EXPECT_EQ(job().at("replayed").as_int64(), 4);
  EXPECT_EQ(job().at("skipped").at("replayed").as_int64(), 1);
}

TEST_F(AdminReplay, only_counts_in_a_dry_run) {
  EXPECT_EQ(post("/api/bots/1/replay", R"({"last_id":105,"dry_run":true})").body,
            R"({"matched":5,"job":null})");
  EXPECT_EQ(get("/api/bots/1/replay").body, "null");
  pass(1s);
  EXPECT_TRUE(browser.batches.empty());
}

TEST_F(AdminReplay, is_one_at_a_time_for_each_bot) {
  post("/api/bots/1/replay", R"({"key":"chat:1"})");
  const http::ServerReply second = post("/api/bots/1/replay", R"({"key":"chat:1"})");
  EXPECT_EQ(second.status, 409);
  EXPECT_EQ(code_of(second), "replay_running");
  FakeBrowser other;
  premises.add(2).searched = &other;
  EXPECT_EQ(post("/api/bots/2/replay", R"({"key":"chat:1"})").status, 200);
  pass(10s);
  EXPECT_EQ(post("/api/bots/1/replay", R"({"last_id":101})").status, 200);
}

TEST_F(AdminReplay, can_be_cancelled) {
  EXPECT_EQ(post("/api/bots/1/replay/cancel").status, 409);
  post("/api/bots/1/replay", R"({"key":"chat:1","rate":10})");
  pass(950ms);
  const json::value cancelled = json_of(post("/api/bots/1/replay/cancel"));
  EXPECT_TRUE(cancelled.at("cancelled").as_bool());
  EXPECT_EQ(cancelled.at("done").as_int64(), 10);
  pass(1h);
  EXPECT_EQ(done(), 10);
  EXPECT_FALSE(job().at("running").as_bool());
}

TEST_F(AdminReplay, ends_with_the_error_of_the_store) {
  post("/api/bots/1/replay", R"({"key":"chat:1","rate":10})");
  pass(450ms);
  browser.trouble = Error(Errc::store_full, "the disk is full; make room");
  pass(1s);
  EXPECT_FALSE(job().at("running").as_bool());
  EXPECT_EQ(job().at("error").as_string(), "the disk is full; make room");
}

TEST_F(AdminReplay, leaves_room_for_the_next_one_when_something_throws) {
  post("/api/bots/1/replay", R"({"key":"chat:1","rate":10})");
  pass(450ms);
  browser.broken = true;
  pass(1s);
  EXPECT_FALSE(job().at("running").as_bool());
  EXPECT_EQ(job().at("error").as_string(), "it was cut off");
  browser.broken = false;
  EXPECT_EQ(post("/api/bots/1/replay", R"({"key":"chat:1"})").status, 200);
}

TEST_F(AdminReplay, ends_when_the_bot_is_removed) {
  FakeBrowser other;
  for (int i = 1; i <= 30; ++i) other.add(i, ItemState::done, i);
  premises.add(2).searched = &other;
  post("/api/bots/2/replay", R"({"key":"chat:1","rate":10})");
  pass(450ms);
  premises.owned.pop_back();
  pass(1h);
  EXPECT_EQ(other.batches.size(), 5U);
}

TEST_F(AdminReplay, ends_when_the_desk_closes) {
  post("/api/bots/1/replay", R"({"key":"chat:1","rate":10})");
  pass(450ms);
  test::run(io, desk->close());
  EXPECT_EQ(browser.batches.size(), 5U);
  EXPECT_EQ(post("/api/bots/1/replay", R"({"last_id":101})").status, 409);
}

TEST_F(AdminReplay, refuses_what_it_can_not_do) {
  const std::pair<const char*, const char*> wrong[] = {
      {"{}", "a replay of everything is refused"},
      {R"({"kind":"message"})", "a replay of everything is refused"},
      {R"({"key":"chat:1","states":["pending"]})", "states may be done and dead"},
      {R"({"key":"chat:1","states":"done"})", "states must be a list of texts"},
      {R"({"key":"chat:1","rate":0})", "rate must be a whole number from 1 to 1000"},
      {R"({"key":"chat:1","rate":1001})", "rate must be"},
      {R"({"key":"chat:1","forced":true})", "there is no parameter \"forced\" here; did you mean force?"},
  };
  for (const auto& [body, text] : wrong) {
    const http::ServerReply reply = post("/api/bots/1/replay", body);
    EXPECT_EQ(reply.status, 400) << body;
    EXPECT_EQ(text_of(reply).find(text), 0U) << body << ": " << text_of(reply);
  }
}

}  // namespace
}  // namespace tgkeep::admin
