#include <boost/json/serialize.hpp>

#include "rooms/admin/desk_scene.hpp"

namespace tgkeep::admin {
namespace {

namespace json = boost::json;

TEST_F(AdminDesk, pauses_and_resumes_one_queue_or_both) {
  FakeBot& bot = add_shop();
  EXPECT_EQ(post("/api/bots/1/pause", R"({"queue":"inbox"})").body,
            R"({"paused":{"inbox":true,"outbox":false}})");
  EXPECT_TRUE(bot.paused(Queue::inbox));
  EXPECT_EQ(post("/api/bots/1/pause").body, R"({"paused":{"inbox":true,"outbox":true}})");
  EXPECT_EQ(post("/api/bots/1/resume", R"({"queue":"outbox"})").body,
            R"({"paused":{"inbox":true,"outbox":false}})");
  EXPECT_EQ(post("/api/bots/1/resume", "").body, R"({"paused":{"inbox":false,"outbox":false}})");
  EXPECT_EQ(post("/api/bots/1/pause", R"({"queue":"box"})").status, 400);
}

TEST_F(AdminDesk, retries_dead_letters_by_their_numbers_and_says_which_were_missing) {
  add_shop();
  browser.add(17, ItemState::dead, 900);
  browser.add(18, ItemState::done, 901);
  EXPECT_EQ(post("/api/bots/1/retry", R"({"queue":"inbox","seqs":[17,18,19]})").body,
            R"({"retried":[{"seq":17,"as":1000}],"missing":[18,19]})");
}

TEST_F(AdminDesk, retries_all_that_match) {
  add_shop();
  for (int i = 1; i <= 2500; ++i)
    browser.add(i, ItemState::dead, i).reason = i % 2 == 0 ? "attempts" : "refused";
  browser.next = 10'000;
  const json::value answer = json_of(post("/api/bots/1/retry", R"({"all":true,"reason":"attempts"})"));
  EXPECT_EQ(answer.at("retried").as_array().size(), 1250U);
  EXPECT_EQ(answer.at("missing").as_array().size(), 0U);
}

TEST_F(AdminDesk, drops_dead_letters_and_counts_them_to_the_operator) {
  add_shop();
  for (int i = 1; i <= 1500; ++i) browser.add(i, ItemState::dead, i);
  EXPECT_EQ(post("/api/bots/1/drop", R"({"seqs":[17,9999]})").body, R"({"dropped":[17],"missing":[9999]})");
  EXPECT_EQ(browser.dropped_by, "operator");
  const json::value rest = json_of(post("/api/bots/1/drop", R"({"queue":"inbox","all":true})"));
  EXPECT_EQ(rest.at("dropped").as_array().size(), 1499U);
  EXPECT_TRUE(browser.items.empty());
}

TEST_F(AdminDesk, refuses_a_retry_or_drop_that_does_not_say_which) {
  add_shop();
  browser.add(17, ItemState::dead, 900);
  const std::pair<const char*, const char*> wrong[] = {
      {"{}", "say which"},
      {R"({"all":true,"seqs":[1]})", "say which"},
      {R"({"all":"yes"})", "all must be true or false"},
      {R"({"seqs":"17"})", "seqs must be a list of at most 10000 whole numbers"},
      {R"({"seqs":[1.5]})", "seqs must be"},
      {R"({"seq":[17]})", "say which"},
      {R"({"all":true,"sate":"dead"})", "there is no parameter \"sate\" here"},
      {"[]", "the body is not a JSON object"},
      {"{", "the body is not JSON"},
      {"null", "the body is not a JSON object"},
  };
  for (const auto& [body, text] : wrong) {
    for (const char* path : {"/api/bots/1/retry", "/api/bots/1/drop"}) {
      const http::ServerReply reply = post(path, body);
      EXPECT_EQ(reply.status, 400) << body;
      EXPECT_EQ(text_of(reply).find(text), 0U) << body << ": " << text_of(reply);
    }
  }
  EXPECT_EQ(browser.items.front().state, ItemState::dead);
}

TEST_F(AdminDesk, erases_a_person_by_ordering_key_and_by_what_the_bytes_say) {
  add_shop();
  options.concerns = [](std::string_view body, std::int64_t id, bool chat) {
    return !chat && body.find("\"user\":" + std::to_string(id)) != std::string_view::npos;
  };
  browser.add(1, ItemState::pending, 1).keys = {"user:42"};
  browser.add(2, ItemState::done, 2).body = R"({"user":42})";
  browser.add(3, ItemState::done, 3).keys = {"user:421"};
  EXPECT_EQ(post("/api/bots/1/erase", R"({"user":42})").body, R"({"waiting":1,"finished":1,"state":0})");
  EXPECT_EQ(browser.erased.state_keys, std::vector<std::string>{"user:42"});
  EXPECT_EQ(post("/api/bots/1/erase", R"({"chat":-100})").body, R"({"waiting":0,"finished":0,"state":0})");
  EXPECT_EQ(browser.erased.state_keys, std::vector<std::string>{"chat:-100"});
  for (const char* body : {"{}", R"({"user":42,"chat":1})", R"({"user":0})", R"({"user":"42"})",
                           R"({"user":99999999999999999999})"}) {
    EXPECT_EQ(post("/api/bots/1/erase", body).status, 400) << body;
  }
}

TEST_F(AdminDesk, backs_up_into_an_absolute_folder_only) {
  add_shop();
  EXPECT_EQ(post("/api/bots/1/backup", R"({"folder":"/backups/monday"})").body,
            R"({"folder":"/backups/monday","commits":12,"bytes":4096})");
  for (const char* body :
       {"{}", R"({"folder":"monday"})", R"({"folder":7})", "{\"folder\":\"/a\\u0000b\"}"}) {
    EXPECT_EQ(post("/api/bots/1/backup", body).status, 400) << body;
  }
  browser.trouble = Error(Errc::misuse, "the folder exists; name a new one");
  const http::ServerReply reply = post("/api/bots/1/backup", R"({"folder":"/backups/monday"})");
  EXPECT_EQ(reply.status, 409);
  EXPECT_EQ(text_of(reply), "the folder exists; name a new one");
}

TEST_F(AdminDesk, drains_receives_again_reloads_and_stops_a_running_process) {
  add_shop();
  EXPECT_FALSE(json_of(post("/api/drain")).at("receiving").as_bool());
  EXPECT_TRUE(json_of(post("/api/receive")).at("receiving").as_bool());
  EXPECT_EQ(post("/api/reload").body, R"({"changes":["bot shop: limit 500 → 100"]})");
  premises.bad_config = "bot shop: limit must be at least 1; nothing was changed";
  const http::ServerReply refused = post("/api/reload");
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(code_of(refused), "bad_config");
  EXPECT_EQ(post("/api/stop").body, R"({"stopping":true})");
  EXPECT_EQ(premises.stops, 1);
}

TEST_F(AdminDesk, leaves_a_line_in_the_log_for_each_change) {
  add_shop();
  std::string lines;
  options.log = Log([&lines](LogLevel, std::string_view event, std::span<const LogField> fields) {
    lines.append(event);
    for (const LogField& field : fields) lines.append(" ").append(field.name()).append("=" + field.value());
    lines += "\n";
  });
  get("/api/status");
  post("/api/bots/shop/pause");
  post("/api/bots/shop/drop", "{}");
  EXPECT_EQ(lines,
            "admin_change what=/api/bots/BOT/pause bot=1 status=200\n"
            "admin_change what=/api/bots/BOT/drop bot=1 status=400\n");
}

TEST_F(AdminDesk, refuses_what_only_a_running_process_can_do_when_it_is_down) {
  add_shop();
  premises.running = false;
  for (const char* path : {"/api/drain", "/api/receive", "/api/reload", "/api/stop"}) {
    const http::ServerReply reply = post(path);
    EXPECT_EQ(reply.status, 409) << path;
    EXPECT_NE(text_of(reply).find("start one with"), std::string::npos);
  }
  EXPECT_EQ(premises.stops, 0);
}

TEST_F(AdminDesk, refuses_a_change_that_a_page_of_another_site_could_send) {
  add_shop();
  http::ServerRequest form;
  form.method = "POST";
  form.target = "/api/stop";
  for (const char* type : {"", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"}) {
    form.headers.clear();
    if (*type != '\0') form.headers.emplace_back("Content-Type", type);
    EXPECT_EQ(asked(form).status, 415) << type;
  }
  EXPECT_EQ(premises.stops, 0);
  form.headers = {{"content-type", "Application/JSON ; charset=utf-8"}};
  EXPECT_EQ(asked(form).status, 200);
  EXPECT_EQ(post("/api/stop?now=1").status, 400);
}

TEST_F(AdminDesk, gives_each_kind_of_failure_its_status) {
  add_shop();
  const std::pair<Errc, int> kinds[] = {
      {Errc::store_broken, 503}, {Errc::store_full, 503}, {Errc::store_locked, 409},
      {Errc::misuse, 409},       {Errc::corrupt, 500},    {Errc::not_found, 404},
  };
  for (const auto& [code, status] : kinds) {
    browser.trouble = Error(code, "why");
    const http::ServerReply reply = post("/api/bots/1/backup", R"({"folder":"/x"})");
    EXPECT_EQ(reply.status, status) << to_string(code);
    EXPECT_EQ(code_of(reply), to_string(code));
  }
}

}  // namespace
}  // namespace tgkeep::admin
