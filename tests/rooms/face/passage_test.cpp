// Large bodies pass in both directions without being held.

#include <array>
#include <boost/asio/use_awaitable.hpp>

#include "loop/task_group.hpp"
#include "rooms/face/call_scene.hpp"
#include "rooms/http/raw_tcp.hpp"

namespace tgkeep::face {
namespace {

using namespace std::chrono_literals;
using emulator::Fault;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t kMegabyte = 1U << 20;
// What sockets hold on the way, and all that we do; the system takes up to 10 MB for each connection.
constexpr std::size_t kHeld = 14 * kMegabyte;

std::string pattern(std::size_t size) {
  std::string text;
  text.reserve(size + 10);
  for (std::size_t i = 0; text.size() < size; ++i) text += std::to_string(i * 7919);
  text.resize(size);
  return text;
}

class PassageTest : public CallScene {
 protected:
  PassageTest() { options.api_root = "http://127.0.0.1:" + std::to_string(upstream.port()); }
  void TearDown() override {
    test::run(io, end_tasks());
    CallScene::TearDown();
  }
  asio::awaitable<void> end_tasks() {
    tasks.cancel();
    co_await tasks.join();
  }

  /// The bot: sends everything, counts, and reads the answer to its end.
  asio::awaitable<void> talk(std::string request, bool reads) {
    test::RawTcp end(io);
    end.socket().open(asio::ip::tcp::v4());
    end.socket().set_option(asio::socket_base::send_buffer_size(64 << 10));
    end.socket().set_option(asio::socket_base::receive_buffer_size(64 << 10));
    co_await end.connect(face->port());
    for (std::size_t at = 0; at < request.size(); at += 64U << 10) {
      std::string piece = request.substr(at, 64U << 10);
      const std::size_t size = piece.size();
      co_await end.send(std::move(piece));
      sent += size;
    }
    if (!reads) co_await go.wait();
    answer = co_await end.read_to_end();
    answered = true;
  }
  /// Telegram: takes the head, waits until told, takes the rest, answers.
  asio::awaitable<void> serve(std::string reply, bool waits) {
    test::RawTcp end = co_await upstream.accept();
    if (waits) co_await go.wait();
    request = co_await end.read_message();
    for (std::size_t at = 0; at < reply.size(); at += 64U << 10) {
      std::string piece = reply.substr(at, 64U << 10);
      const std::size_t size = piece.size();
      co_await end.send(std::move(piece));
      replied += size;
    }
  }
  /// Telegram answers when it has seen the head, and takes no more.
  asio::awaitable<void> refuse(std::string reply) {
    test::RawTcp end = co_await upstream.accept();
    std::array<char, 4096> head;
    co_await end.socket().async_read_some(asio::buffer(head), asio::use_awaitable);
    co_await end.send(std::move(reply));
    co_await go.wait();
  }
  /// Until nothing moves any more.
  void exhaust() {
    io.restart();
    for (int quiet = 0; quiet < 3;) {
      quiet = io.run_one_for(50ms) == 0 ? quiet + 1 : 0;
    }
  }
  std::string upload_request(const std::string& content) const {
    std::string body =
        "--b\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n1\r\n"
        "--b\r\nContent-Disposition: form-data; name=\"document\"; filename=\"f\"\r\n\r\n";
    body += content + "\r\n--b--\r\n";
    return "POST " + path("sendDocument") +
           " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTgkeep-Bulk: 1\r\nContent-Type: "
           "multipart/form-data; "
           "boundary=b\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  static std::string body_of(const std::string& message) {
    return message.substr(message.find("\r\n\r\n") + 4);
  }

  test::RawListener upstream{io};
  loop::Event go{io.get_executor()};
  std::string request;
  std::string answer;
  std::size_t sent = 0;
  std::size_t replied = 0;
  bool answered = false;
  loop::TaskGroup tasks{io.get_executor(), Log()};
};

const std::string kDone = "HTTP/1.1 200 OK\r\nContent-Length: 22\r\n\r\n{\"ok\":true,\"result\":1}";

TEST_F(PassageTest, B3_an_upload_of_50_MB_is_not_held_and_arrives_byte_for_byte) {
  open();
  const std::string whole = upload_request(pattern(50 * kMegabyte));
  tasks.spawn("telegram", serve(kDone, true));
  tasks.spawn("bot", talk(whole, true));
  exhaust();
  EXPECT_GT(sent, kMegabyte);
  EXPECT_LT(sent, kHeld) << "Telegram takes nothing, so the bot is slowed down";
  go.notify();
  until([this] { return answered; });
  EXPECT_EQ(sent, whole.size());
  EXPECT_EQ(test::status_of(answer), 200);
  EXPECT_TRUE(body_of(request) == body_of(whole));
  const std::string head = request.substr(0, request.find("\r\n\r\n"));
  EXPECT_THAT(head, StartsWith("POST " + path("sendDocument") + " HTTP/1.1\r\n"));
  EXPECT_THAT(head, HasSubstr("Content-Type: multipart/form-data; boundary=b"));
  EXPECT_THAT(head, HasSubstr("Content-Length: " + std::to_string(body_of(whole).size())));
  EXPECT_EQ(head.find("Tgkeep"), std::string::npos);
}

TEST_F(PassageTest, B3_a_download_of_20_MB_is_not_held_and_arrives_byte_for_byte) {
  open();
  const std::string content = pattern(20 * kMegabyte);
  const std::string head =
      "HTTP/1.1 206 Partial Content\r\nContent-Type: image/png\r\nContent-Range: bytes 5-9/77\r\n"
      "ETag: \"x\"\r\nContent-Length: " +
      std::to_string(content.size()) + "\r\n\r\n";
  tasks.spawn("telegram", serve(head + content, false));
  tasks.spawn("bot", talk("GET /file/bot" + std::string(token) +
                              "/a%20b/c.png HTTP/1.1\r\nHost: x\r\nRange: bytes=5-9\r\n"
                              "Authorization: x\r\nConnection: close\r\n\r\n",
                          false));
  exhaust();
  EXPECT_GT(replied, 64U << 10);
  EXPECT_LT(replied, kHeld) << "the bot takes nothing, so Telegram is slowed down";
  go.notify();
  until([this] { return answered; });
  EXPECT_EQ(test::status_of(answer), 206);
  EXPECT_THAT(answer.substr(0, 1000), HasSubstr("Content-Range: bytes 5-9/77"));
  EXPECT_THAT(answer.substr(0, 1000), HasSubstr("ETag: \"x\""));
  EXPECT_THAT(answer.substr(0, 1000), HasSubstr("Content-Type: image/png"));
  EXPECT_THAT(answer.substr(0, 1000), HasSubstr("Content-Length: " + std::to_string(content.size())));
  EXPECT_TRUE(body_of(answer) == content);
  EXPECT_THAT(request, StartsWith("GET /file/bot" + std::string(token) + "/a%20b/c.png HTTP/1.1"));
  EXPECT_THAT(request, HasSubstr("Range: bytes=5-9"));
  EXPECT_EQ(request.find("Authorization"), std::string::npos);
}

TEST_F(PassageTest, a_path_that_leaves_the_files_of_the_bot_is_not_found) {
  open();
  for (const char* const way :
       {"../../bot1:a/close", "a/../../x", "%2e%2e/x", "a/%2E./x", "a%5c..%5cx", "./x", ""}) {
    http::ClientRequest asked("GET", root() + "/file/bot" + std::string(token) + "/" + way);
    EXPECT_EQ(done(start(asked)).status(), 404) << way;
  }
  http::ClientRequest posted("POST", root() + "/file/bot" + std::string(token) + "/x");
  EXPECT_EQ(done(start(posted)).status(), 501);
}

TEST_F(PassageTest, a_bot_that_hangs_up_in_the_middle_of_an_upload_ends_it_at_telegram_too) {
  open();
  const std::string whole = upload_request(pattern(3 * kMegabyte));
  tasks.spawn("telegram", serve(kDone, false));
  test::RawTcp end(io);
  const auto begin = [](test::RawTcp& end, std::uint16_t port, std::string bytes) -> asio::awaitable<void> {
    co_await end.connect(port);
    co_await end.send(std::move(bytes));
  };
  auto beginning = begin(end, face->port(), whole.substr(0, 2 * kMegabyte));
  test::run(io, std::move(beginning));
  until([this] { return outgoing->stats().running == 1; });
  exhaust();
  end.close();
  until([this] { return outgoing->stats().hung_up == 1; });
  EXPECT_EQ(outgoing->stats().running, 0U);
  EXPECT_EQ(outgoing->stats().maybe_sent, 0);
}

TEST_F(PassageTest, an_upload_that_telegram_refuses_early_is_told_so) {
  open();
  const std::string words = R"({"ok":false,"error_code":413,"description":"Request Entity Too Large"})";
  tasks.spawn("telegram", refuse("HTTP/1.1 413 Request Entity Too Large\r\nContent-Length: " +
                                 std::to_string(words.size()) + "\r\n\r\n" + words));
  const std::string whole = upload_request(pattern(20 * kMegabyte));
  const Pending told = done(start(post("sendDocument", body_of(whole), "multipart/form-data; boundary=b")));
  EXPECT_EQ(told.status(), 413);
  EXPECT_EQ(told.outcome(), "refused");
  EXPECT_EQ(outgoing->stats().refused, 1);
  go.notify();
}

TEST_F(PassageTest, an_answer_that_breaks_off_in_its_middle_breaks_off_for_the_bot) {
  open();
  const std::string cut = "HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n" + pattern(kMegabyte);
  tasks.spawn("telegram", serve(cut, false));
  EXPECT_TRUE(done(start("getStickerSet", "{}")).failed());
}

class UploadTest : public CallScene {
 protected:
  Pending upload(std::int64_t chat, std::size_t size) {
    std::string body =
        "--b\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n" + std::to_string(chat) +
        "\r\n--b\r\nContent-Disposition: form-data; name=\"document\"; filename=\"f\"\r\n\r\n" +
        std::string(size, 'x') + "\r\n--b--\r\n";
    return start(post("sendDocument", std::move(body), "multipart/form-data; boundary=b"));
  }
};

TEST_F(UploadTest, uploads_stand_in_the_line_of_their_chat) {
  open();
  strike(Fault::late(5s), 1, 1);
  const Pending first = send(1, "a");
  until([this] { return telegram->calls().size() == 1; });
  const Pending second = upload(1, 2 * kMegabyte);
  until_waiting(1);
  const Pending third = send(1, "b");
  until_waiting(2);
  ended(upload(2, 2 * kMegabyte));
  clock.advance(5s);
  EXPECT_EQ(ended(third).status(), 200);
  EXPECT_EQ(second.status(), 200);
  EXPECT_EQ(telegram->calls()[2].method, "sendDocument");
  EXPECT_EQ(telegram->calls()[2].params.file("document")->size(), 2 * kMegabyte);
}

TEST_F(UploadTest, what_is_not_held_is_sent_once_and_a_flood_wait_comes_back_as_it_is) {
  open();
  strike(Fault::flood(5s), 1, 1);
  const Pending told = done(upload(1, 2 * kMegabyte));
  EXPECT_EQ(told.status(), 429);
  EXPECT_EQ(told.outcome(), "refused");
  const Pending waits = upload(1, 2 * kMegabyte);
  until_waiting(1);
  clock.advance(5s);
  EXPECT_EQ(ended(waits).status(), 200);
  strike(Fault::flood(5s), 1, 3);
  const Pending small = upload(3, 1000);
  until_waiting(1);
  clock.advance(5s);
  EXPECT_EQ(ended(small).status(), 200) << "a small file is held, and sent again";
}

TEST_F(UploadTest, an_upload_that_waits_is_given_up_when_its_bot_hangs_up) {
  open();
  strike(Fault::late(5s), 1, 1);
  const Pending first = send(1, "a");
  until([this] { return telegram->calls().size() == 1; });
  Pending leaves = upload(1, kMegabyte + 50'000);
  until_waiting(1);
  leaves.hang_up();
  until_waiting(0);
  clock.advance(5s);
  ended(first);
  EXPECT_EQ(telegram->calls().size(), 1U);
}

// What is not read yet hides the end behind it: it is noticed when it comes to that.
TEST_F(UploadTest, a_large_upload_whose_bot_hung_up_has_no_effect_when_its_turn_comes) {
  open();
  strike(Fault::late(5s), 1, 1);
  const Pending first = send(1, "a");
  until([this] { return telegram->calls().size() == 1; });
  Pending leaves = upload(1, 30 * kMegabyte);
  until_waiting(1);
  const Pending next = send(1, "b");
  until_waiting(2);
  leaves.hang_up();
  until([&leaves] { return leaves.ended(); });
  clock.advance(5s);
  EXPECT_EQ(ended(next).status(), 200);
  EXPECT_THAT(texts(), testing::ElementsAre("a", "b"));
  EXPECT_EQ(outgoing->stats().hung_up, 1);
}

}  // namespace
}  // namespace tgkeep::face
