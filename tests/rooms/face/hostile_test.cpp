// What no well-behaved bot sends: the face answers with the status codes of the real server, and goes on.

#include "loop/task_group.hpp"
#include "rooms/face/call_scene.hpp"
#include "rooms/http/raw_tcp.hpp"

namespace tgkeep::face {
namespace {

using namespace std::chrono_literals;
using test::status_of;
using testing::ElementsAre;

class FaceHostile : public CallScene {
 protected:
  asio::awaitable<std::string> talk(std::string bytes) {
    test::RawTcp end(io);
    co_await end.connect(face->port());
    std::string answer;
    try {
      co_await end.send(std::move(bytes));
    } catch (const boost::system::system_error&) {
      // Refused before all of it was taken.
    }
    answer = co_await end.read_to_end();
    co_return answer;
  }
  std::string asked(std::string bytes) { return test::run(io, talk(std::move(bytes))); }

  /// A request that closes the connection at its end.
  std::string request(std::string_view start, std::string_view headers, std::string_view body = {}) const {
    return std::string(start) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + std::string(headers) +
           "\r\n" + std::string(body);
  }
  std::string json(std::string_view headers, std::string_view body) const {
    return request("POST " + path("sendMessage"), "Content-Type: application/json\r\n" + std::string(headers),
                   body);
  }
  static std::string length(std::uint64_t size) { return "Content-Length: " + std::to_string(size) + "\r\n"; }
};

TEST_F(FaceHostile, B3_oversized_requests_are_431_and_413) {
  open();
  EXPECT_EQ(status_of(asked(request("GET " + path("getMe"), "X: " + std::string(200U << 10, 'x') + "\r\n"))),
            200);
  EXPECT_EQ(status_of(asked(request("GET " + path("getMe"), "X: " + std::string(257U << 10, 'x') + "\r\n"))),
            431);
  EXPECT_EQ(status_of(asked(json(length(2U << 20), std::string(2U << 20, ' ')))), 413);
  EXPECT_EQ(status_of(asked(json(length(5ULL << 30), "{"))), 413);
  const std::string parts =
      request("POST " + path("sendDocument"),
              "Content-Type: multipart/form-data; boundary=b\r\n" + length(5ULL << 30), "--b");
  EXPECT_EQ(status_of(asked(parts)), 413);
  EXPECT_EQ(telegram->calls().size(), 1U);
}

TEST_F(FaceHostile, B3_verbs_versions_and_codings_that_are_not_known_are_501_505_and_415) {
  open();
  for (const char* const verb : {"PUT", "HEAD", "DELETE", "OPTIONS", "TRACE", "PATCH", "get", "BREW"}) {
    EXPECT_EQ(status_of(asked(request(std::string(verb) + " " + path("getMe"), ""))), 501) << verb;
  }
  EXPECT_EQ(status_of(asked("GET " + path("getMe") + " HTTP/2.0\r\nHost: x\r\n\r\n")), 505);
  EXPECT_EQ(status_of(asked(json("Content-Encoding: br\r\n" + length(2), "{}"))), 415);
  EXPECT_EQ(status_of(asked(json("Transfer-Encoding: gzip\r\n", "{}"))), 501);
  EXPECT_EQ(telegram->calls().size(), 0U);
}

// Two readers of one request must not see two ends of it.
TEST_F(FaceHostile, smuggled_requests_are_400_and_reach_nobody) {
  open();
  const std::string hidden = "0\r\n\r\nGET " + path("getMe") + " HTTP/1.1\r\nHost: x\r\n\r\n";
  for (const std::string& headers : {
           length(hidden.size()) + "Transfer-Encoding: chunked\r\n",
           "Transfer-Encoding: chunked\r\n" + length(5),
           length(5) + length(hidden.size()),
           std::string("Content-Length: 5, 60\r\n"),
           std::string("Content-Length: +5\r\n"),
           std::string("Content-Length: 0x5\r\n"),
           std::string("Content-Length : 5\r\n"),
           std::string("Content-Length: -1\r\n"),
       }) {
    const std::string answer = asked(json(headers, hidden));
    EXPECT_EQ(status_of(answer), 400) << headers;
    EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos) << "one answer only";
  }
  EXPECT_EQ(telegram->calls().size(), 0U);
}

TEST_F(FaceHostile, chunked_bodies_and_pipelined_requests_are_answered_in_order) {
  open();
  const std::string chunked = "POST " + path("sendMessage") +
                              " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: "
                              "chunked\r\n\r\n10\r\n{\"chat_id\":1,\"te\r\nc\r\nxt\":\"one\"}  \r\n0\r\n\r\n";
  const std::string second = json(length(26), R"({"chat_id":1,"text":"two"})");
  const std::string answer = asked(chunked + second);
  EXPECT_LT(answer.find("\"one\""), answer.find("\"two\""));
  EXPECT_NE(answer.find("\"two\""), std::string::npos);
  EXPECT_THAT(texts(), ElementsAre("one", "two"));
}

TEST_F(FaceHostile, B3_a_compressed_body_is_unpacked_and_passed_on) {
  open();
  // {"chat_id":1,"text":"packed"}, by gzip.
  const unsigned char packed[] = {
      0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xab, 0x56, 0x4a, 0xce, 0x48, 0x2c, 0x89,
      0xcf, 0x4c, 0x51, 0xb2, 0x32, 0xd4, 0x51, 0x2a, 0x49, 0xad, 0x28, 0x51, 0xb2, 0x52, 0x2a, 0x48, 0x4c,
      0xce, 0x4e, 0x4d, 0x51, 0xaa, 0x05, 0x00, 0x22, 0xed, 0x8a, 0x65, 0x1d, 0x00, 0x00, 0x00};
  const std::string body(reinterpret_cast<const char*>(packed), sizeof(packed));
  EXPECT_EQ(status_of(asked(json("Content-Encoding: gzip\r\n" + length(body.size()), body))), 200);
  EXPECT_THAT(texts(), ElementsAre("packed"));
  EXPECT_EQ(status_of(asked(json("Content-Encoding: gzip\r\n" + length(4), "no!!"))), 400);
}

TEST_F(FaceHostile, B5_paths_that_are_none_of_ours_are_404) {
  open();
  for (const char* const target : {"/", "/x", "/bot", "/bot1:a", "/bot1:a/testgetMe", "/file/bot1:a"}) {
    EXPECT_EQ(status_of(asked(request("GET " + std::string(target), ""))), 404) << target;
  }
  EXPECT_EQ(status_of(asked(request("GET http://x" + path("getMe"), ""))), 404);
  EXPECT_EQ(telegram->calls().size(), 0U);
}

TEST_F(FaceHostile, a_body_that_does_not_come_is_408) {
  server.stream_timeout = 50ms;
  open();
  EXPECT_EQ(status_of(asked(json(length(1000), "{\"chat_id\":1,"))), 408);
  const std::string parts = request(
      "POST " + path("sendDocument"), "Content-Type: multipart/form-data; boundary=b\r\n" + length(9U << 20),
      "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"f\"\r\n\r\n" +
          std::string(3U << 20, 'x'));
  EXPECT_EQ(status_of(asked(parts)), 408);
  EXPECT_EQ(effects(), 0U);
  EXPECT_EQ(outgoing->stats().hung_up, 1);
}

TEST_F(FaceHostile, a_body_that_never_ends_holds_no_call_and_nobody_else) {
  open();
  test::RawTcp slow(io);
  test::run(io, slow.connect(face->port()));
  test::run(io, slow.send(json(length(1000), "{\"chat_id\":1,")));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(done(send(1, "a")).status(), 200);
  EXPECT_EQ(outgoing->stats().running, 0U);
  slow.close();
  EXPECT_EQ(done(send(1, "a")).status(), 200);
}

TEST_F(FaceHostile, bytes_that_are_no_request_are_400_and_the_next_is_served) {
  open();
  for (const std::string& bytes :
       {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + std::string(300, 'x'),
        std::string("GET /\r\n\r\n"), std::string("\0\0\0\0\r\n\r\n", 8),
        std::string("GET / HTTP/1.1\r\nA B: c\r\n\r\n")}) {
    EXPECT_EQ(status_of(asked(bytes)) / 100, 4) << bytes;
  }
  EXPECT_EQ(done(send(1, "a")).status(), 200);
}

}  // namespace
}  // namespace tgkeep::face
