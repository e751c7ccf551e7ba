// What strangers and broken programs send.

#include <fstream>
#include <sstream>

#include "admin/routes.hpp"
#include "admin/target.hpp"
#include "rooms/admin/desk_scene.hpp"

namespace tgkeep::admin {
namespace {

TEST_F(AdminDesk, refuses_addresses_that_are_none) {
  add_shop();
  const std::pair<std::string, int> wrong[] = {
      {"/api/bots/%/items", 400},
      {"/api/bots/%4/items", 400},
      {"/api/bots/%zz/items", 400},
      {"/api/bots/%ff/items", 400},
      {"/api/bots/%00/items", 400},
      {"/api/bots/1/items?key=%C3", 400},
      {"/api/bots/1/items?key=%0a", 400},
      {"/" + std::string(9000, 'a'), 400},
      {"/api/bots/1/items?kind=" + std::string(9000, 'a'), 400},
      {"*", 400},
      {"", 400},
      {"/api//status", 404},
      {"/api/status/", 404},
      {"/api/bots//items", 404},
      {"//api/status", 404},
      {"/../api/status", 404},
      {"/api/bots/" + std::string(8000, '/'), 404},
  };
  for (const auto& [target, status] : wrong) {
    const http::ServerReply reply = get(target);
    EXPECT_EQ(reply.status, status) << target.substr(0, 100);
    EXPECT_FALSE(text_of(reply).empty());
  }
  std::string many = "/api/bots/1/items?";
  for (int i = 0; i < 65; ++i) many += "a" + std::to_string(i) + "=1&";
  EXPECT_EQ(get(many).status, 400);
}

TEST_F(AdminDesk, reads_escapes_and_odd_queries) {
  add_shop();
  EXPECT_EQ(get("/api/%73tatus").status, 200);
  EXPECT_EQ(get("/api/status?").status, 200);
  EXPECT_EQ(get("/api/status?&&").status, 200);
  EXPECT_EQ(get("/api/bots/1/items?key=user+name%2B%F0%9F%98%80&kind").status, 200);
  EXPECT_EQ(browser.asked.key, "user name+\xF0\x9F\x98\x80");
}

TEST_F(AdminDesk, does_not_repeat_long_words_of_a_stranger) {
  add_shop();
  const http::ServerReply reply = get("/api/bots/1/items?" + std::string(2000, 'x') + "=1");
  EXPECT_EQ(reply.status, 400);
  EXPECT_LT(reply.body.size(), 500U);
}

TEST_F(AdminDesk, survives_large_and_strange_bodies) {
  add_shop();
  const std::string large(1U << 20, 'a');
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "[";
  std::string members = "{";
  for (int i = 0; i < 50'000; ++i) members += "\"a" + std::to_string(i) + "\":1,";
  members.back() = '}';
  std::string seqs = R"({"seqs":[)";
  for (int i = 0; i < 10'001; ++i) seqs += "1,";
  seqs.back() = ']';
  seqs += "}";
  const std::string bodies[] = {
      large,
      "{\"folder\":\"" + large + "\"}",
      deep,
      "{\"seqs\":" + deep,
      members,
      seqs,
      std::string("\0\0\0", 3),
      "{\"seqs\":[1e400]}",
      "{\"seqs\":[18446744073709551615]}",
      "{\"seqs\":{\"a\":1}}",
      "{\"queue\":[\"inbox\"]}",
      "{\"\xFF\":1}",
      "{\"a\":1,\"a\":2}",
      "\"inbox\"",
      "17",
  };
  for (const std::string& body : bodies) {
    for (const char* path : {"retry", "drop", "replay", "erase", "backup", "pause"}) {
      const http::ServerReply reply = post(std::string("/api/bots/1/") + path, body);
      EXPECT_GE(reply.status, 400) << path << ": " << body.substr(0, 40);
      EXPECT_LT(reply.status, 500) << path << ": " << body.substr(0, 40);
    }
  }
}

TEST_F(AdminDesk, takes_the_numbers_at_the_ends) {
  add_shop();
  EXPECT_EQ(get("/api/bots/1/items?after=9223372036854775807").status, 200);
  EXPECT_EQ(get("/api/bots/1/items?after=9223372036854775808").status, 400);
  EXPECT_EQ(get("/api/bots/1/items?first_id=-9223372036854775808").status, 200);
  EXPECT_EQ(get("/api/bots/1/items/inbox/-1").status, 404);
  EXPECT_EQ(get("/api/bots/1/trace/9223372036854775808").status, 400);
  EXPECT_EQ(post("/api/bots/1/erase", R"({"chat":-9223372036854775808})").status, 400);
}

TEST_F(AdminDesk, refuses_a_body_where_none_belongs) {
  http::ServerRequest request;
  request.method = "GET";
  request.target = "/api/status";
  request.body = "{}";
  EXPECT_EQ(asked(request).status, 400);
}

TEST(Routes, stand_all_in_the_document) {
  std::ifstream file(TGKEEP_SOURCE_DIR "/docs/admin_api.md");
  std::stringstream text;
  text << file.rdbuf();
  std::istringstream routes(list_of_routes());
  std::string method;
  std::string path;
  int count = 0;
  while (routes >> method >> path) {
    if (path.back() == ',') path.pop_back();
    const std::string end = "…" + path.substr(path.rfind('/'));
    const bool stands =
        text.str().find(path) != std::string::npos || text.str().find(end) != std::string::npos;
    EXPECT_TRUE(stands) << path;
    ++count;
  }
  EXPECT_GT(count, 20);
}

TEST(Target, has_its_parts_as_they_were_sent) {
  const Target target = read_target("/a/b%2Fc/?x=1&y=a%3Db&z").value();
  EXPECT_EQ(target.path, (std::vector<std::string>{"a", "b/c", ""}));
  const std::vector<std::pair<std::string, std::string>> query{{"x", "1"}, {"y", "a=b"}, {"z", ""}};
  EXPECT_EQ(target.query, query);
  EXPECT_TRUE(read_target("/").value().path.empty());
}

}  // namespace
}  // namespace tgkeep::admin
