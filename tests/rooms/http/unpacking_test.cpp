// Bodies that come packed.

#include <zlib.h>

#include "http/unpacker.hpp"
#include "rooms/http/server_desk.hpp"

namespace tgkeep::http {
namespace {

/// `window` as deflateInit2 takes it: 31 gzip, 15 zlib, -15 bare.
std::string packed(const std::string& text, int window) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, window, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string in_chunks(const std::string& bytes, std::size_t size) {
  std::string out;
  char head[16];
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    const std::string piece = bytes.substr(at, size);
    std::snprintf(head, sizeof head, "%zx\r\n", piece.size());
    out += head + piece + "\r\n";
  }
  return out + "0\r\n\r\n";
}

class HttpUnpacking : public HttpServer {
 protected:
  void SetUp() override {
    options.decodes = true;
    options.streams = [](const ServerRequest& head) { return head.target == "/streamed"; };
    options.max_body = 100'000;
    options.max_stream = 1U << 20;
  }
  void start() {
    listen_with([this](ServerRequest request) { return serve(std::move(request)); });
  }
  asio::awaitable<ServerReply> serve(ServerRequest request) {
    ++served;
    got = request.body;
    headers = request.headers;
    while (request.stream) {
      std::string piece = co_await request.stream->read();
      if (piece.empty()) break;
      most_held = std::max(most_held, server->stats().held + piece.size());
      got += piece;
    }
    length = request.stream ? request.stream->length() : std::nullopt;
    ServerReply reply(200, std::to_string(got.size()), "text/plain");
    co_return reply;
  }
  int status(const std::string& target, const std::string& coding, const std::string& body) {
    got.clear();
    return test::status_of(asked("POST " + target + " HTTP/1.1\r\n" + kHost + "Content-Encoding: " + coding +
                                 "\r\nContent-Length: " + std::to_string(body.size()) +
                                 "\r\nConnection: close\r\n\r\n" + body));
  }
  int chunked(const std::string& target, const std::string& body, std::size_t size) {
    got.clear();
    return test::status_of(asked("POST " + target + " HTTP/1.1\r\n" + kHost +
                                 "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"
                                 "Connection: close\r\n\r\n" +
                                 in_chunks(body, size)));
  }
  static std::string text(std::size_t size) {
    std::string text;
    for (unsigned value = 1; text.size() < size; value = value * 1664525U + 1013904223U) {
      text += std::to_string(value);
    }
    text.resize(size);
    return text;
  }

  std::string got;
  Headers headers;
  std::optional<std::uint64_t> length;
  int served = 0;
  std::size_t most_held = 0;
};

TEST_F(HttpUnpacking, gives_the_handler_the_body_as_if_it_had_come_plain) {
  start();
  const std::string plain = text(90'000);
  for (const std::string target : {"/gathered", "/streamed"}) {
    for (const auto& [coding, window] : {std::pair("gzip", 31), std::pair("x-GZip", 31),
                                         std::pair("deflate", 15), std::pair("Deflate", -15)}) {
      EXPECT_EQ(status(target, coding, packed(plain, window)), 200) << coding;
      EXPECT_EQ(got, plain) << target << coding << window;
      EXPECT_EQ(find_header(headers, "Content-Encoding"), nullptr);
      EXPECT_EQ(find_header(headers, "Content-Length"), nullptr);
      EXPECT_EQ(length, std::nullopt);
    }
    for (const std::size_t size : {1U, 7U, 5000U}) {
      EXPECT_EQ(chunked(target, packed(plain, 31), size), 200);
      EXPECT_EQ(got, plain) << target << size;
    }
    EXPECT_EQ(status(target, "gzip", packed("one", 31) + packed("two", 31)), 200);
    EXPECT_EQ(got, "onetwo");
    EXPECT_EQ(status(target, "identity", "plain"), 200);
    EXPECT_EQ(got, "plain");
    EXPECT_EQ(status(target, "gzip", ""), 200);
    EXPECT_EQ(status(target, "gzip", packed("", 31)), 200);
    EXPECT_EQ(got, "");
  }
}

TEST_F(HttpUnpacking, refuses_what_is_not_packed_as_it_says) {
  start();
  const std::string good = packed(text(5000), 31);
  for (const std::string target : {"/gathered", "/streamed"}) {
    EXPECT_EQ(status(target, "gzip", "{\"a\":1}"), 400);
    EXPECT_EQ(status(target, "deflate", "{\"a\":1}"), 400);
    EXPECT_EQ(status(target, "gzip", packed("text", 15)), 400);
    EXPECT_EQ(status(target, "gzip", good.substr(0, good.size() - 1)), 400);
    EXPECT_EQ(status(target, "gzip", good.substr(0, 1)), 400);
    EXPECT_EQ(status(target, "gzip", good + "x"), 400);
    EXPECT_EQ(status(target, "deflate", packed("text", 15) + packed("text", 15)), 400);
    std::string wrong_sum = good;
    wrong_sum[wrong_sum.size() - 6] ^= 1;
    EXPECT_EQ(status(target, "gzip", wrong_sum), 400);
  }
}

TEST_F(HttpUnpacking, refuses_other_codings) {
  start();
  for (const std::string coding : {"br", "zstd", "compress", "gzip, deflate", "gzip,gzip", "", "gzip;q=1"}) {
    EXPECT_EQ(status("/gathered", coding, "x"), 415) << coding;
    EXPECT_EQ(status("/streamed", coding, "x"), 415) << coding;
  }
  const std::string twice = "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n";
  EXPECT_EQ(test::status_of(asked("POST / HTTP/1.1\r\n" + kHost + twice + "Content-Length: 1\r\n\r\nx")),
            415);
  EXPECT_EQ(served, 0);
}

TEST_F(HttpUnpacking, looks_at_nothing_where_it_is_not_asked_to) {
  options.decodes = false;
  start();
  EXPECT_EQ(status("/gathered", "br", "x"), 200);
  EXPECT_EQ(got, "x");
  EXPECT_NE(find_header(headers, "Content-Encoding"), nullptr);
}

TEST_F(HttpUnpacking, counts_what_a_body_unpacks_to) {
  start();
  EXPECT_EQ(status("/gathered", "gzip", packed(std::string(100'000, 'x'), 31)), 200);
  EXPECT_EQ(status("/gathered", "gzip", packed(std::string(100'001, 'x'), 31)), 413);
  EXPECT_EQ(status("/streamed", "gzip", packed(std::string(1U << 20, 'x'), 31)), 200);
  EXPECT_EQ(got.size(), 1U << 20);
  EXPECT_EQ(status("/streamed", "gzip", packed(std::string((1U << 20) + 1, 'x'), 31)), 413);
  // What can't be packed becomes a little larger than it is.
  std::string noise(100'000, '\0');
  unsigned value = 1;
  for (char& letter : noise) letter = static_cast<char>((value = value * 1664525U + 1013904223U) >> 24);
  ASSERT_GT(packed(noise, 31).size(), noise.size());
  EXPECT_EQ(status("/gathered", "gzip", packed(noise, 31)), 200);
}

TEST_F(HttpUnpacking, holds_little_of_a_bomb_and_refuses_it_early) {
  start();
  const std::string bomb = packed(std::string(64U << 20, 'x'), 31);
  ASSERT_LT(bomb.size(), 100'000U);
  EXPECT_EQ(status("/gathered", "gzip", bomb), 413);
  EXPECT_EQ(served, 0);
  EXPECT_EQ(status("/streamed", "gzip", bomb), 413);
  EXPECT_LE(got.size(), 1U << 20);
  EXPECT_LT(most_held, 400U << 10);
}

TEST(HttpUnpacker, knows_two_codings) {
  EXPECT_TRUE(Unpacker::knows("gzip"));
  EXPECT_TRUE(Unpacker::knows("DEFLATE"));
  EXPECT_FALSE(Unpacker::knows("br"));
}

}  // namespace
}  // namespace tgkeep::http
