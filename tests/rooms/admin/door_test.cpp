// Who gets in: over a Unix socket, over TCP with the token, from a browser; and who does not.

#include "admin/door.hpp"

#include <sys/stat.h>

#include <filesystem>

#include "http/client.hpp"
#include "rooms/admin/desk_scene.hpp"
#include "rooms/http/raw_tcp.hpp"

namespace tgkeep::admin {
namespace {

using namespace std::chrono_literals;

const std::string kToken = "0123456789abcdef0123456789ABCDEF";

class AdminDoor : public AdminDesk {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "tgkeep-door-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    premises.add(1, "shop");
    options.assets.emplace_back("/", "text/html", "<html>");
    AdminDesk::open();
    way.unix_path = folder + "/admin.sock";
    way.tcp.emplace("127.0.0.1", 0, kToken);
    way.tcp->names = {"tgkeep.example.org"};
    door = std::make_unique<Door>(*desk, premises.time, way, Log());
    const Result<void> opened = door->open(io.get_executor());
    ASSERT_TRUE(opened.has_value()) << opened.error().text();
  }
  void TearDown() override {
    if (door) test::run(io, door->stop(0s));
    AdminDesk::TearDown();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  http::ClientResponse sent(http::ClientRequest request) {
    http::ClientResult result = test::run(io, client.send(std::move(request)));
    EXPECT_TRUE(result.has_value()) << (result.has_value() ? "" : result.error().text);
    return result.has_value() ? *result : http::ClientResponse();
  }
  http::ClientRequest request(const std::string& method, const std::string& target,
                              http::Headers headers = {}) {
    http::ClientRequest asking(method, "http://127.0.0.1:" + std::to_string(door->port()) + target);
    asking.headers = std::move(headers);
    if (method == "POST") {
      asking.headers.emplace_back("Content-Type", "application/json");
      asking.body = "{}";
    }
    return asking;
  }
  int status(const std::string& method, const std::string& target, http::Headers headers = {}) {
    return sent(request(method, target, std::move(headers))).status;
  }
  std::string own_origin() const { return "http://127.0.0.1:" + std::to_string(door->port()); }
  http::ClientResponse sign_in(const std::string& token) {
    http::ClientRequest asking = request("POST", "/login", {{"Origin", own_origin()}});
    asking.body = R"({"token":")" + token + R"("})";
    return sent(std::move(asking));
  }
  /// The cookie of a browser that has signed in.
  std::string cookie() {
    const http::ClientResponse reply = sign_in(kToken);
    EXPECT_EQ(reply.status, 200) << reply.body;
    const std::string* const header = http::find_header(reply.headers, "Set-Cookie");
    return header == nullptr ? "" : header->substr(0, header->find(';'));
  }

  std::string folder;
  DoorOptions way;
  std::unique_ptr<Door> door;
  http::Client client{io.get_executor()};
};

TEST_F(AdminDoor, lets_in_whoever_may_open_the_socket) {
  http::ClientRequest asking = request("GET", "/api/status");
  asking.unix_socket = way.unix_path;
  EXPECT_EQ(sent(std::move(asking)).status, 200);
  struct stat found {};
  ASSERT_EQ(::lstat(way.unix_path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
}

TEST_F(AdminDoor, has_no_need_to_sign_in_on_the_socket) {
  http::ClientRequest asking = request("POST", "/login");
  asking.unix_socket = way.unix_path;
  EXPECT_EQ(sent(std::move(asking)).status, 404);
}

TEST_F(AdminDoor, asks_for_the_token_over_TCP) {
  for (const char* target : {"/api/status", "/metrics", "/api/events", "/api/nothing", "/nothing",
                             "/%61pi/status", "/api/../api/status", "//api/status"}) {
    EXPECT_EQ(status("GET", target), 401) << target;
  }
  const http::ClientResponse refused = sent(request("GET", "/api/status"));
  EXPECT_NE(http::find_header(refused.headers, "WWW-Authenticate"), nullptr);
  EXPECT_NE(http::find_header(refused.headers, "Content-Security-Policy"), nullptr);
  EXPECT_EQ(status("GET", "/api/status", {{"Authorization", "Bearer " + kToken}}), 200);
  EXPECT_EQ(status("GET", "/metrics", {{"authorization", "bearer " + kToken}}), 200);
  EXPECT_EQ(status("POST", "/api/stop", {{"Authorization", "Bearer " + kToken}}), 200);
}

TEST_F(AdminDoor, shows_the_page_and_its_health_to_everybody) {
  EXPECT_EQ(status("GET", "/"), 200);
  EXPECT_EQ(status("GET", "/healthz"), 200);
  EXPECT_NE(status("GET", "/readyz"), 401);
}

TEST_F(AdminDoor, refuses_tokens_that_are_not_the_one) {
  const std::string wrong[] = {
      "Bearer",
      "Bearer ",
      "Bearer x",
      "Bearer " + kToken + "0",
      "Bearer " + kToken.substr(1),
      "Bearer " + kToken + kToken,
      "Basic " + kToken,
      kToken,
  };
  for (const std::string& header : wrong) {
    EXPECT_EQ(status("GET", "/api/status", {{"Authorization", header}}), 401) << header;
  }
}

TEST_F(AdminDoor, makes_who_guesses_wait) {
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(status("GET", "/api/status", {{"Authorization", "Bearer x"}}), 401);
  }
  const http::ClientResponse late =
      sent(request("GET", "/api/status", {{"Authorization", "Bearer " + kToken}}));
  EXPECT_EQ(late.status, 429);
  EXPECT_EQ(*http::find_header(late.headers, "Retry-After"), "60");
  EXPECT_EQ(sign_in(kToken).status, 429);
  premises.time.advance(60s);
  EXPECT_EQ(status("GET", "/api/status", {{"Authorization", "Bearer " + kToken}}), 200);
}

TEST_F(AdminDoor, gives_a_cookie_for_the_token_that_scripts_and_other_sites_can_not_use) {
  const http::ClientResponse reply = sign_in(kToken);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "{}");
  const std::string* const header = http::find_header(reply.headers, "Set-Cookie");
  ASSERT_NE(header, nullptr);
  EXPECT_TRUE(header->ends_with("; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict")) << *header;
  EXPECT_EQ(header->find(kToken), std::string::npos);
  const std::string mine = header->substr(0, header->find(';'));
  EXPECT_EQ(status("GET", "/api/status", {{"Cookie", "a=b; " + mine + "; c=d"}}), 200);
  EXPECT_EQ(status("GET", "/api/status", {{"Cookie", mine + "0"}}), 401);
  EXPECT_EQ(status("GET", "/api/status", {{"Cookie", "tgkeep_session="}}), 401);
  EXPECT_NE(cookie(), mine);
}

TEST_F(AdminDoor, marks_the_cookie_for_TLS_when_the_page_came_that_way) {
  http::ClientRequest asking =
      request("POST", "/login", {{"Origin", "https://tgkeep.example.org"}, {"Host", "tgkeep.example.org"}});
  asking.body = R"({"token":")" + kToken + R"("})";
  const http::ClientResponse reply = sent(std::move(asking));
  EXPECT_EQ(reply.status, 200);
  EXPECT_TRUE(http::find_header(reply.headers, "Set-Cookie")->ends_with("; Secure"));
}

TEST_F(AdminDoor, refuses_to_sign_in_with_anything_else) {
  EXPECT_EQ(sign_in("wrong").status, 401);
  EXPECT_EQ(sign_in("").status, 400);
  EXPECT_EQ(http::find_header(sign_in("wrong").headers, "Set-Cookie"), nullptr);
  EXPECT_EQ(status("GET", "/login"), 405);
  http::ClientRequest form = request("POST", "/login", {{"Origin", own_origin()}});
  form.body = R"({"tokens":"x"})";
  EXPECT_EQ(sent(form).status, 400);
  form.headers = {{"Origin", own_origin()}, {"Content-Type", "text/plain"}};
  EXPECT_EQ(sent(form).status, 415);
}

TEST_F(AdminDoor, forgets_a_session_when_it_signs_out_and_after_half_a_day) {
  const std::string mine = cookie();
  const std::string other = cookie();
  EXPECT_EQ(status("POST", "/logout", {{"Cookie", mine}, {"Origin", own_origin()}}), 200);
  EXPECT_EQ(status("GET", "/api/status", {{"Cookie", mine}}), 401);
  premises.time.advance(12h - 1s);
  EXPECT_EQ(status("GET", "/api/status", {{"Cookie", other}}), 200);
  premises.time.advance(1s);
  EXPECT_EQ(status("GET", "/api/status", {{"Cookie", other}}), 401);
}

TEST_F(AdminDoor, takes_changes_with_a_cookie_from_its_own_page_only) {
  const std::string mine = cookie();
  EXPECT_EQ(status("POST", "/api/stop", {{"Cookie", mine}}), 403);
  for (const std::string& origin : {std::string("http://evil.example"), std::string("null"),
                                    own_origin() + "0", std::string("127.0.0.1")}) {
    EXPECT_EQ(status("POST", "/api/stop", {{"Cookie", mine}, {"Origin", origin}}), 403) << origin;
  }
  EXPECT_EQ(premises.stops, 0);
  EXPECT_EQ(status("POST", "/api/stop", {{"Cookie", mine}, {"Origin", own_origin()}}), 200);
  EXPECT_EQ(status("POST", "/api/stop", {{"Cookie", mine}, {"Origin", "https://tgkeep.example.org"}}), 200);
}

TEST_F(AdminDoor, is_not_fooled_by_a_strangers_name_that_leads_here) {
  const std::string mine = cookie();
  for (const char* host :
       {"evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[", "localhost.evil"}) {
    const http::ClientResponse reply = sent(request("GET", "/", {{"Host", host}, {"Cookie", mine}}));
    EXPECT_EQ(reply.status, 403) << host;
  }
  for (const char* host :
       {"localhost", "LOCALHOST:99", "127.0.0.1", "[::1]:80", "10.1.2.3", "TGkeep.example.org:443"}) {
    EXPECT_EQ(status("GET", "/", {{"Host", host}}), 200) << host;
  }
  // Who has the token is no stranger's page.
  EXPECT_EQ(status("GET", "/metrics", {{"Host", "bots.internal"}, {"Authorization", "Bearer " + kToken}}),
            200);
}

TEST_F(AdminDoor, refuses_a_token_that_could_be_guessed) {
  for (const char* token : {"", "short", "0123456789abcde", "0123456789abcdef with spaces"}) {
    DoorOptions weak;
    weak.tcp.emplace("127.0.0.1", 0, token);
    Door other(*desk, premises.time, weak, Log());
    const Result<void> opened = other.open(io.get_executor());
    ASSERT_TRUE(opened.has_error()) << token;
    EXPECT_NE(opened.error().text().find("openssl rand -hex 32"), std::string::npos);
  }
}

TEST_F(AdminDoor, opens_all_or_nothing) {
  DoorOptions taken;
  taken.unix_path = folder + "/other.sock";
  taken.tcp.emplace("127.0.0.1", door->port(), kToken);
  Door other(*desk, premises.time, taken, Log());
  EXPECT_TRUE(other.open(io.get_executor()).has_error());
  EXPECT_FALSE(std::filesystem::exists(taken.unix_path));
}

TEST_F(AdminDoor, streams_events_until_the_watcher_goes_or_the_door_closes) {
  test::RawTcp watcher(io);
  test::run(io, watcher.connect(door->port()));
  test::run(io, watcher.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " +
                             kToken + "\r\n\r\n"));
  const std::string head = test::run(io, watcher.read_message());
  EXPECT_NE(head.find("Content-Type: text/event-stream\r\n"), std::string::npos) << head;
  test::run(io, door->stop(1h));
  EXPECT_NE(test::run(io, watcher.read_to_end()).find("event: status\n"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(way.unix_path));
}

}  // namespace
}  // namespace tgkeep::admin
