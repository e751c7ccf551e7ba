#include <boost/json/serialize.hpp>

#include "rooms/admin/desk_scene.hpp"

namespace tgkeep::admin {
namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

TEST_F(AdminDesk, shows_an_item_with_everything_that_is_known_of_it) {
  add_shop();
  StoredItem& item = browser.add(17, ItemState::dead, 900);
  item.reason = "attempts";
  item.error = "status 500 \xFF";
  item.attempts = 12;
  item.crashes = 1;
  item.starts = 11;
  item.run = 2;
  item.earlier = Seq(4);
  item.ended = from_millis(1'764'450'100'000);
  const json::value shown = json_of(get("/api/bots/1/items/inbox/17"));
  const json::value wanted = json::parse(R"({"queue": "inbox", "seq": 17, "state": "dead", "bot": 1,
    "update_id": 900, "run": 2, "earlier": 4, "origin": 0, "call": 0, "kind": "message", "keys": ["chat:1"],
    "reason": "attempts", "error": "status 500 �", "attempts": 12, "crashes": 1, "starts": 11,
    "received_at": 17000, "due_at": null, "started_at": null, "ended_at": 1764450100000, "corrupt": "",
    "body": "{\"update_id\":900}"})");
  EXPECT_EQ(json::serialize(shown), json::serialize(wanted));
}

TEST_F(AdminDesk, says_that_an_item_is_not_there) {
  add_shop();
  const http::ServerReply reply = get("/api/bots/1/items/inbox/17");
  EXPECT_EQ(reply.status, 404);
  EXPECT_EQ(code_of(reply), "not_found");
  EXPECT_EQ(get("/api/bots/1/items/upbox/17").status, 400);
  EXPECT_EQ(get("/api/bots/1/items/inbox/x").status, 400);
}

TEST_F(AdminDesk, finds_items_by_everything_a_filter_has) {
  add_shop();
  const http::ServerReply reply =
      get("/api/bots/shop/items?queue=outbox&state=dead,held&kind=sendMessage&key=chat%3A1&reason=refused"
          "&from=1000&to=2000&first_id=3&last_id=4&after=5&limit=6&newest=true&bodies=true");
  ASSERT_EQ(reply.status, 200) << reply.body;
  const ItemFilter& filter = browser.asked;
  EXPECT_EQ(filter.queue, Queue::outbox);
  EXPECT_EQ(filter.states, (std::vector<ItemState>{ItemState::dead, ItemState::held}));
  EXPECT_EQ(filter.kind, "sendMessage");
  EXPECT_EQ(filter.key, "chat:1");
  EXPECT_EQ(filter.reason, "refused");
  EXPECT_EQ(filter.from, from_millis(1000));
  EXPECT_EQ(filter.to, from_millis(2000));
  EXPECT_EQ(filter.first_id, UpdateId(3));
  EXPECT_EQ(filter.last_id, UpdateId(4));
}

TEST_F(AdminDesk, gives_items_in_pages_with_or_without_bodies) {
  add_shop();
  for (int i = 1; i <= 5; ++i) browser.add(i, ItemState::done, 100 + i);
  const json::value first = json_of(get("/api/bots/-/items?limit=2"));
  EXPECT_EQ(first.at("items").as_array().size(), 2U);
  EXPECT_TRUE(first.at("items").at(0).at("body").is_null());
  EXPECT_EQ(first.at("next").as_int64(), 2);
  const json::value last = json_of(get("/api/bots/-/items?limit=3&after=2&bodies=true"));
  EXPECT_EQ(last.at("items").at(0).at("body").as_string(), "{\"update_id\":103}");
  EXPECT_TRUE(last.at("next").is_null());
  const json::value newest = json_of(get("/api/bots/-/items?limit=1&newest=true"));
  EXPECT_EQ(newest.at("items").at(0).at("seq").as_int64(), 5);
}

TEST_F(AdminDesk, refuses_parameters_it_does_not_know_or_understand_by_name) {
  add_shop();
  const std::pair<const char*, const char*> wrong[] = {
      {"limits=3", "there is no parameter \"limits\" here; did you mean limit?"},
      {"limit=0", "limit must be a whole number from 1 to 1000"},
      {"limit=1001", "limit must be a whole number from 1 to 1000"},
      {"limit=99999999999999999999", "limit must be"},
      {"limit=1e3", "limit must be"},
      {"limit=", "limit must be"},
      {"state=ded", "there is no state \"ded\"; there are pending"},
      {"queue=box", "queue is inbox or outbox, not \"box\""},
      {"queue=", "queue is inbox or outbox"},
      {"newest=maybe", "newest must be true or false"},
      {"from=-1", "from must be"},
      {"from=2&to=2", "from is not before to"},
      {"first_id=2&last_id=1", "first_id is above last_id"},
      {"limit=1&limit=2", "the parameter \"limit\" is given twice"},
  };
  for (const auto& [query, text] : wrong) {
    const http::ServerReply reply = get(std::string("/api/bots/1/items?") + query);
    EXPECT_EQ(reply.status, 400) << query;
    EXPECT_EQ(code_of(reply), "bad_request");
    EXPECT_EQ(text_of(reply).find(text), 0U) << query << ": " << text_of(reply);
  }
  EXPECT_EQ(browser.searches, 0);
}

TEST_F(AdminDesk, traces_an_update_through_its_runs_to_its_calls) {
  add_shop();
  browser.add(17, ItemState::done, 900);
  StoredItem& call = browser.add(3, ItemState::done, 900, Queue::outbox);
  call.origin = Seq(17);
  const json::value trace = json_of(get("/api/bots/1/trace/900"));
  EXPECT_EQ(trace.at("update_id").as_int64(), 900);
  const json::value& run = trace.at("runs").at(0);
  EXPECT_EQ(run.at("item").at("body").as_string(), "{\"update_id\":900}");
  EXPECT_EQ(json::serialize(run.at("failures")), R"([{"attempt":1,"at":5,"error":"no"}])");
  EXPECT_EQ(run.at("calls").at(0).at("origin").as_int64(), 17);
  const http::ServerReply unknown = get("/api/bots/1/trace/901");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_NE(text_of(unknown).find("update 901 is not known"), std::string::npos);
  EXPECT_EQ(get("/api/bots/1/trace/x").status, 400);
}

TEST_F(AdminDesk, shows_busy_lanes_with_the_text_of_their_keys) {
  FakeBot& bot = add_shop();
  browser.add(17, ItemState::retrying, 900).keys = {"user:5", "chat:1"};
  BusyLane& blocked = bot.lanes.emplace_back();
  blocked.key = OrderingKey(BotId(1), "chat:1").hash();
  blocked.head = Seq(17);
  blocked.waiting = 4;
  blocked.attempts = 2;
  blocked.due = 3500ms;
  bot.lanes.emplace_back().head = Seq(99);
  InFlight& flight = bot.flights.emplace_back();
  flight.seq = Seq(18);
  flight.update_id = UpdateId(901);
  flight.kind = "message";
  flight.key = "chat:2";
  flight.attempt = 1;
  flight.running = 250ms;
  EXPECT_EQ(get("/api/bots/1/lanes").body,
            R"({"lanes":[{"key":"chat:1","head":17,"waiting":4,"attempts":2,"running_s":null,"due_s":3.5E0},)"
            R"({"key":"","head":99,"waiting":0,"attempts":0,"running_s":null,"due_s":null}],)"
            R"("in_flight":[{"seq":18,"update_id":901,"kind":"message","key":"chat:2","attempt":1,)"
            R"("running_s":2.5E-1,"stuck":false}]})");
  EXPECT_EQ(json_of(get("/api/bots/1/lanes?limit=1")).at("lanes").as_array().size(), 1U);
  premises.running = false;
  EXPECT_EQ(get("/api/bots/1/lanes").status, 409);
}

TEST_F(AdminDesk, tells_books_that_do_not_balance_from_a_store_that_fails) {
  add_shop();
  EXPECT_EQ(get("/api/bots/1/audit").body, R"({"balanced":true,"difference":""})");
  browser.trouble = Error(Errc::corrupt, "inbox: 3 rows are pending, the totals say 4");
  EXPECT_EQ(get("/api/bots/1/audit").body,
            R"({"balanced":false,"difference":"inbox: 3 rows are pending, the totals say 4"})");
  browser.trouble = Error(Errc::store_broken, "the disk failed");
  EXPECT_EQ(get("/api/bots/1/audit").status, 503);
}

TEST_F(AdminDesk, knows_a_bot_by_id_by_name_and_as_the_only_one) {
  add_shop();
  for (const char* word : {"1", "shop", "-", "sh%6fp"}) {
    EXPECT_EQ(get(std::string("/api/bots/") + word + "/items").status, 200) << word;
  }
  premises.add(2, "desk");
  const http::ServerReply which = get("/api/bots/-/items");
  EXPECT_EQ(which.status, 404);
  EXPECT_NE(text_of(which).find("shop (1), desk (2)"), std::string::npos) << text_of(which);
  EXPECT_EQ(get("/api/bots/3/items").status, 404);
}

TEST_F(AdminDesk, says_what_a_store_that_cannot_be_searched_can_not_do) {
  premises.add(1).searchable = false;
  for (const char* path : {"items", "items/inbox/1", "trace/1", "audit"}) {
    EXPECT_EQ(get(std::string("/api/bots/1/") + path).status, 409) << path;
  }
  EXPECT_EQ(post("/api/bots/1/retry", R"({"seqs":[1]})").status, 409);
  EXPECT_EQ(post("/api/bots/1/drop", R"({"seqs":[1]})").status, 409);
  EXPECT_EQ(post("/api/bots/1/erase", R"({"user":1})").status, 409);
  EXPECT_EQ(post("/api/bots/1/backup", R"({"folder":"/x"})").status, 409);
  EXPECT_EQ(post("/api/bots/1/replay", R"({"first_id":1})").status, 409);
}

TEST_F(AdminDesk, says_what_there_is_to_whoever_asks_for_something_else) {
  add_shop();
  const http::ServerReply lost = get("/api/statuz");
  EXPECT_EQ(lost.status, 404);
  EXPECT_NE(text_of(lost).find("GET /api/status, "), std::string::npos);
  const http::ServerReply wrong = post("/api/status");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(*http::find_header(wrong.headers, "Allow"), "GET");
  EXPECT_EQ(get("/api/bots/1/pause").status, 405);
  EXPECT_EQ(*http::find_header(get("/api/bots/1/pause").headers, "Allow"), "POST");
  http::ServerRequest deletion;
  deletion.method = "DELETE";
  deletion.target = "/api/bots/1/replay";
  EXPECT_EQ(*http::find_header(asked(deletion).headers, "Allow"), "GET, POST");
}

TEST_F(AdminDesk, answers_HEAD_as_GET) {
  http::ServerRequest head;
  head.method = "HEAD";
  head.target = "/api/status";
  EXPECT_EQ(asked(head).status, 200);
}

TEST_F(AdminDesk, serves_the_files_of_the_dashboard_with_a_strict_policy) {
  options.assets.emplace_back("/", "text/html; charset=utf-8", "<html>");
  options.assets.emplace_back("/main.js", "text/javascript", "go();");
  const http::ServerReply page = get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, "<html>");
  EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
  EXPECT_EQ(get("/main.js?v=1").body, "go();");
  EXPECT_EQ(post("/main.js").status, 405);
  EXPECT_EQ(get("/main.j").status, 404);
  const std::string* const policy = http::find_header(page.headers, "Content-Security-Policy");
  ASSERT_NE(policy, nullptr);
  EXPECT_EQ(policy->find("default-src 'none'; script-src 'self'"), 0U);
  EXPECT_EQ(*http::find_header(page.headers, "X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(*http::find_header(page.headers, "Referrer-Policy"), "no-referrer");
  EXPECT_EQ(*http::find_header(page.headers, "Cache-Control"), "no-store");
  EXPECT_TRUE(desk->is_public("/main.js"));
  EXPECT_FALSE(desk->is_public("/api/status"));
}

}  // namespace
}  // namespace tgkeep::admin
