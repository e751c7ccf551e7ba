// The door of the face: whose request it is, and what strangers are told. What stands behind it is faked.

#include "app/face_door.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/face_options.hpp"
#include "http/client.hpp"
#include "loop/real_clock.hpp"
#include "loop/task_group.hpp"
#include "rooms/http/certificate.hpp"
#include "rooms/http/raw_tcp.hpp"
#include "support/run.hpp"

namespace tgkeep::app {
namespace {

using test::run;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string kToken = "4242:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const std::string kOtherToken = "4343:CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC";

/// Answers with its name and what it was asked for.
class FakeFace final : public face::Face {
 public:
  FakeFace(const boost::asio::any_io_executor& loop, std::string name)
      : name_(std::move(name)), arrived(loop), go(loop) {}
  boost::asio::awaitable<http::ServerReply> answer(face::FacePath path,
                                                   http::ServerRequest request) override {
    std::string text = name_ + " " + path.rest + " " + request.method;
    asked.push_back(text);
    http::ServerReply reply(200, std::move(text));
    if (path.rest == "wait") {
      arrived.notify();
      co_await go.wait();
    }
    if (path.rest == "stream") {
      reply.stream = [this] { return piece(); };
    }
    co_return reply;
  }
  Sink& sink() override { throw std::logic_error("nobody delivers here"); }
  void wind_down() override {}
  FaceStats stats() const override { return FaceStats(); }

  std::vector<std::string> asked;

 private:
  boost::asio::awaitable<std::string> piece() {
    arrived.notify();
    co_await go.wait();
    co_return std::string();
  }
  std::string name_;

 public:
  loop::Event arrived;
  loop::Event go;
};

class FaceDoorTest : public testing::Test {
 public:
  FaceDoorTest() {
    FaceOptions options;
    options.port = 0;
    door.emplace(options, clock, log);
    door->add(BotId(4242), kToken, first, first_visits);
    door->add(BotId(4343), kOtherToken, second, second_visits);
    door->open(io.get_executor()).value();
  }
  void TearDown() override { run(io, door->stop(Duration(0))); }

  http::ClientResponse ask(const std::string& path, const std::string& method = "GET") {
    http::ClientRequest request(method, door->root() + path);
    return run(io, client.send(std::move(request))).value();
  }
  boost::asio::awaitable<std::string> say(std::string bytes) {
    test::RawTcp end(io);
    const std::string root = door->root();
    co_await end.connect(static_cast<std::uint16_t>(std::stoi(root.substr(root.rfind(':') + 1))));
    co_await end.send(std::move(bytes));
    std::string answer = co_await end.read_to_end();
    co_return answer;
  }

  boost::asio::io_context io{1};
  loop::RealClock clock{io.get_executor()};
  std::vector<std::string> lines;
  Log log{[this](LogLevel, std::string_view event, std::span<const LogField> fields) {
    std::string line(event);
    for (const LogField& field : fields) line += " " + field.value();
    lines.push_back(std::move(line));
  }};
  FakeFace first{io.get_executor(), "first"};
  FakeFace second{io.get_executor(), "second"};
  Visits first_visits{io.get_executor()};
  Visits second_visits{io.get_executor()};
  http::Client client{io.get_executor()};
  std::optional<FaceDoor> door;
};

TEST_F(FaceDoorTest, each_bot_is_reached_by_its_token_alone) {
  EXPECT_EQ(ask("/bot" + kToken + "/getMe").body, "first getMe GET");
  EXPECT_EQ(ask("/bot" + kOtherToken + "/getMe", "POST").body, "second getMe POST");
  EXPECT_EQ(ask("/settle/bot" + kToken + "/getMe").body, "first getMe GET");
  EXPECT_EQ(ask("/bulk/settle/bot" + kToken + "/getMe").body, "first getMe GET");
  EXPECT_EQ(ask("/settle/bulk/file/bot" + kToken + "/a%2Fb").body, "first a%2Fb GET");
  EXPECT_EQ(ask("/bulk/bulk/bot" + kToken + "/getMe").status, 404);
  EXPECT_EQ(ask("/file/bot" + kToken + "/photos/1.jpg").body, "first photos/1.jpg GET");
}

TEST_F(FaceDoorTest, strangers_are_refused_as_the_bot_api_does) {
  const std::string invalid =
      R"({"ok":false,"error_code":401,"description":"Unauthorized: invalid token specified"})";
  const std::string unknown = R"({"ok":false,"error_code":401,"description":"Unauthorized"})";
  const std::string nowhere = R"({"ok":false,"error_code":404,"description":"Not Found"})";
  const std::string elsewhere =
      R"({"ok":false,"error_code":421,"description":"Misdirected Request: unallowed token specified"})";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"/bot4242:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB/getMe", unknown},
      {"/bot" + kToken + "A/getMe", unknown},
      {"/bot4242:/getMe", unknown},
      {"/bot" + kToken + "/test/getMe", unknown},
      {"/bot4242:" + kOtherToken.substr(5) + "/getMe", unknown},
      {"/bot0" + kToken + "/getMe", invalid},
      {"/bot4242/getMe", invalid},
      {"/bot4242:" + std::string(80, 'A') + "/getMe", invalid},
      {"/bot99999999999999999999:AAAA/getMe", invalid},
      {"/botabc:AAAA/getMe", elsewhere},
      {"/bot" + kToken, nowhere},
      {"/", nowhere},
      {"/hook", nowhere},
  };
  for (const auto& [path, body] : cases) EXPECT_EQ(ask(path).body, body) << path;
  EXPECT_TRUE(first.asked.empty());
  EXPECT_TRUE(second.asked.empty());
}

TEST_F(FaceDoorTest, an_absolute_uri_and_other_verbs_are_refused_as_the_bot_api_does) {
  const std::string target = "http://api.telegram.org/bot" + kToken + "/getMe";
  const std::string absolute =
      run(io, say("GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
  EXPECT_THAT(absolute, HasSubstr("404"));
  EXPECT_THAT(absolute, HasSubstr("Not Found: absolute URI is specified in the Request-Line"));
  const std::string verb =
      run(io, say("DELETE /bot" + kToken + "/getMe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
  EXPECT_EQ(test::status_of(verb), 501);
  EXPECT_TRUE(first.asked.empty());
}

TEST_F(FaceDoorTest, wrong_tokens_are_logged_once_in_a_while_and_never_themselves) {
  for (int i = 0; i < 5; ++i) ask("/bot4242:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB/getMe");
  const auto refusals = std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.starts_with("face_request_refused");
  });
  EXPECT_EQ(refusals, 1);
  for (const std::string& line : lines) EXPECT_THAT(line, Not(HasSubstr("AAAA")));
}

TEST_F(FaceDoorTest, while_a_bot_is_changed_its_calls_are_told_when_to_come_again_and_the_others_pass) {
  door->put_off(BotId(4242));
  const http::ClientResponse later = ask("/bot" + kToken + "/sendMessage", "POST");
  EXPECT_EQ(later.status, 429);
  EXPECT_EQ(
      later.body,
      R"({"ok":false,"error_code":429,"description":"Too Many Requests: retry after 3","parameters":{"retry_after":3}})");
  EXPECT_EQ(*http::find_header(later.headers, "Retry-After"), "3");
  EXPECT_EQ(*http::find_header(later.headers, "Tgkeep-Outcome"), "not_sent");
  EXPECT_EQ(ask("/bot" + kOtherToken + "/getMe").status, 200);
  const std::string fresh = "4242:DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD";
  door->add(BotId(4242), fresh, first, first_visits);
  EXPECT_EQ(ask("/bot" + fresh + "/getMe").status, 200);
  EXPECT_EQ(ask("/bot" + kToken + "/getMe").status, 401);
  door->put_off(BotId(4242));
  door->remove_put_off(BotId(4242));
  EXPECT_EQ(ask("/bot" + fresh + "/getMe").status, 401);
}

TEST_F(FaceDoorTest, whoever_gets_a_streamed_answer_is_inside_until_its_end) {
  std::string answer;
  loop::TaskGroup tasks(io.get_executor(), Log());
  auto listen = [](FaceDoorTest& test, std::string& answer) -> boost::asio::awaitable<void> {
    const std::string target = "GET /bot" + kToken + "/stream HTTP/1.1\r\nHost: x\r\n";
    std::string request = target + "Connection: close\r\n\r\n";
    answer = co_await test.say(std::move(request));
  };
  tasks.spawn("listen", listen(*this, answer));
  run(io, first.arrived.wait());
  first_visits.close();
  bool left = false;
  auto leave = [](Visits& visits, bool& left) -> boost::asio::awaitable<void> {
    co_await visits.wait_until_empty();
    left = true;
  };
  tasks.spawn("leave", leave(first_visits, left));
  io.poll();
  EXPECT_FALSE(left);
  first.go.notify();
  run(io, tasks.join());
  EXPECT_TRUE(left);
  EXPECT_THAT(answer, HasSubstr("200"));
}

TEST_F(FaceDoorTest, requests_of_a_bot_can_be_broken_off_and_those_of_others_go_on) {
  loop::TaskGroup tasks(io.get_executor(), Log());
  auto listen = [](FaceDoorTest& test, std::string path,
                   std::string& answer) -> boost::asio::awaitable<void> {
    std::string request = "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    answer = co_await test.say(std::move(request));
  };
  std::string waits;
  tasks.spawn("call", listen(*this, "/bot" + kToken + "/wait", waits));
  run(io, first.arrived.wait());
  std::string streams;
  tasks.spawn("download", listen(*this, "/bot" + kToken + "/stream", streams));
  run(io, first.arrived.wait());
  std::string of_another;
  tasks.spawn("other", listen(*this, "/bot" + kOtherToken + "/wait", of_another));
  run(io, second.arrived.wait());
  first_visits.close();
  EXPECT_FALSE(run(io, first_visits.wait_until_empty(clock, clock.mono())));
  EXPECT_EQ(first_visits.break_off(), 2U);
  run(io, first_visits.wait_until_empty());
  EXPECT_EQ(first_visits.break_off(), 0U);
  second.go.notify();
  run(io, door->stop(std::chrono::seconds(60)));
  run(io, tasks.join());
  EXPECT_EQ(test::status_of(waits), 429);
  EXPECT_THAT(waits, testing::AllOf(HasSubstr("Retry-After: 3"), HasSubstr("Tgkeep-Outcome: not_sent")));
  EXPECT_THAT(streams, testing::AllOf(HasSubstr("200"), Not(HasSubstr("0\r\n\r\n")))) << "no end of it";
  EXPECT_THAT(of_another, HasSubstr("second wait GET"));
}

TEST_F(FaceDoorTest, P9_a_stop_tells_those_whose_answer_takes_too_long_before_it_closes) {
  loop::TaskGroup tasks(io.get_executor(), Log());
  auto listen = [](FaceDoorTest& test, std::string& answer) -> boost::asio::awaitable<void> {
    std::string request = "GET /bot" + kToken + "/wait HTTP/1.1\r\nHost: x\r\n\r\n";
    answer = co_await test.say(std::move(request));
  };
  std::string answer;
  tasks.spawn("call", listen(*this, answer));
  run(io, first.arrived.wait());
  run(io, door->stop(Duration(0)));
  run(io, tasks.join());
  EXPECT_EQ(test::status_of(answer), 429);
  EXPECT_THAT(answer, testing::AllOf(HasSubstr("Connection: close"), HasSubstr("Tgkeep-Outcome: not_sent")));
}

TEST_F(FaceDoorTest, with_a_certificate_it_speaks_tls_and_reads_it_again) {
  test::Certificates certificates;
  const http::TlsFiles files = certificates.make("face");
  FaceOptions options;
  options.port = 0;
  options.certificate = files.certificate;
  options.key = files.key;
  FaceDoor safe(options, clock, log);
  safe.add(BotId(4242), kToken, first, first_visits);
  safe.open(io.get_executor()).value();
  EXPECT_THAT(safe.root(), testing::StartsWith("https://127.0.0.1:"));
  http::ClientOptions trusting;
  trusting.ca_file = files.certificate;
  http::Client safe_client(io.get_executor(), trusting);
  http::ClientRequest request("GET", safe.root() + "/bot" + kToken + "/getMe");
  EXPECT_EQ(run(io, safe_client.send(std::move(request))).value().body, "first getMe GET");
  EXPECT_TRUE(safe.reload().value());
  run(io, safe.stop(Duration(0)));
}

TEST(FaceOptionsTest, others_can_reach_it_only_with_tls_or_when_that_is_said) {
  FaceOptions options;
  EXPECT_EQ(face_problem(options), "");
  options.address = "::1";
  EXPECT_EQ(face_problem(options), "");
  for (const char* address : {"0.0.0.0", "::", "10.1.2.3", "203.0.113.7"}) {
    options = FaceOptions();
    options.address = address;
    EXPECT_THAT(face_problem(options), HasSubstr("face.certificate")) << address;
    EXPECT_THAT(face_problem(options), HasSubstr("face.allow_plain = true")) << address;
    options.allow_plain = true;
    EXPECT_EQ(face_problem(options), "") << address;
    options.allow_plain = false;
    options.certificate = "/a.pem";
    EXPECT_THAT(face_problem(options), HasSubstr("both certificate and key")) << address;
    options.key = "/a.key";
    EXPECT_EQ(face_problem(options), "") << address;
  }
  options.address = "localhost";
  EXPECT_THAT(face_problem(options), HasSubstr("no IP address"));
}

TEST(FaceOptionsTest, the_api_root_is_one_a_bot_can_use) {
  FaceOptions options;
  EXPECT_EQ(face_root(options, 8481), "http://127.0.0.1:8481");
  options.address = "0.0.0.0";
  EXPECT_EQ(face_root(options, 1), "http://127.0.0.1:1");
  options.address = "::";
  EXPECT_EQ(face_root(options, 1), "http://localhost:1");
  options.address = "::1";
  options.certificate = "/a.pem";
  EXPECT_EQ(face_root(options, 1), "https://[::1]:1");
}

TEST(FaceOptionsTest, its_own_place_is_known) {
  FaceOptions options;
  EXPECT_TRUE(is_place_of(options, "127.0.0.1", 8481));
  EXPECT_FALSE(is_place_of(options, "127.0.0.1", 8482));
  EXPECT_FALSE(is_place_of(options, "127.0.0.2", 8481)) << "another server may listen there";
  EXPECT_FALSE(is_place_of(options, "::1", 8481));
  EXPECT_FALSE(is_place_of(options, "localhost", 8481)) << "no address";
  options.address = "0.0.0.0";
  EXPECT_TRUE(is_place_of(options, "127.0.0.1", 8481));
  EXPECT_FALSE(is_place_of(options, "93.184.216.34", 8481));
}

TEST(FaceOptionsTest, a_bot_that_pulls_opens_the_face) {
  ProcessOptions process;
  std::vector<BotOptions> bots{BotOptions(kToken), BotOptions(kOtherToken)};
  EXPECT_FALSE(face_of(process, bots));
  bots[1].pull.emplace();
  EXPECT_EQ(face_of(process, bots)->port, 8481);
  process.face.emplace();
  process.face->port = 1;
  bots[1].pull.reset();
  EXPECT_EQ(face_of(process, bots)->port, 1);
}

}  // namespace
}  // namespace tgkeep::app
