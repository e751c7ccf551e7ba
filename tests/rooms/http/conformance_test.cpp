// Exact bytes in, the status out: one row for each thing a request can be.
#include <gtest/gtest.h>

#include <boost/asio/post.hpp>

#include "rooms/http/server_desk.hpp"

namespace tgkeep::http {
namespace {

using namespace std::string_literals;

class Row {
 public:
  Row(std::string name, std::string bytes, int status)
      : name(std::move(name)), bytes(std::move(bytes)), status(status) {}
  std::string name;
  std::string bytes;
  int status;
};

constexpr std::size_t kMaxHeader = 2000;
constexpr std::size_t kMaxBody = 100;

std::string get(const std::string& headers) {
  return "GET / HTTP/1.1\r\nConnection: close\r\n" + headers + "\r\n";
}
std::string post(const std::string& headers, const std::string& body) {
  return "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + headers + "\r\n" + body;
}
std::string chunked(const std::string& body) {
  return post("Transfer-Encoding: chunked\r\n", body);
}
std::string many(int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) lines += "a:\r\n";
  return lines;
}

std::vector<Row> good_rows() {
  return {
      Row("get", get("Host: x\r\n"), 200),
      Row("empty lines before it", "\r\n\r\n\r\n" + get("Host: x\r\n"), 200),
      Row("http 1.0", "GET / HTTP/1.0\r\n\r\n", 200),
      Row("http 1.0 with a body", "POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nab", 200),
      Row("absolute uri", "GET http://x:80/a?b HTTP/1.1\r\n" + kLast, 200),
      Row("absolute uri without path", "GET http://x HTTP/1.1\r\n" + kLast, 200),
      Row("options of the server", "OPTIONS * HTTP/1.1\r\n" + kLast, 200),
      Row("unknown method", "BREW / HTTP/1.1\r\n" + kLast, 200),
      Row("non-ASCII in a value", get("Host: x\r\nX: \xc3\xa4\r\n"), 200),
      Row("tab in a value", get("Host: x\r\nX: a\tb\r\n"), 200),
      Row("empty value", get("Host: x\r\nX:\r\n"), 200),
      Row("as many headers as allowed", get("Host: x\r\n" + many(254)), 200),
      Row("body as large as allowed", post("Content-Length: 100\r\n", std::string(100, 'x')), 200),
      Row("no body", post("Content-Length: 0\r\n", ""), 200),
      Row("chunked", chunked("3\r\nabc\r\n0\r\n\r\n"), 200),
      Row("chunk sizes in both cases", chunked("a\r\n0123456789\r\nB\r\n0123456789a\r\n0\r\n\r\n"), 200),
      Row("chunk extension", chunked("3;a=b;c=\"d\"\r\nabc\r\n0\r\n\r\n"), 200),
      Row("empty chunked body", chunked("0\r\n\r\n"), 200),
      Row("empty chunked body with a trailer", chunked("000\r\nX: y\r\n\r\n"), 200),
      Row("chunk of zeros", chunked("1\r\n0\r\n2\r\n00\r\n0\r\n\r\n"), 200),
      Row("body of a zero", post("Content-Length: 1\r\n", "0"), 200),
      Row("trailers", chunked("3\r\nabc\r\n0\r\nX: y\r\n\r\n"), 200),
      Row("continue when the body is there already",
          post("Expect: 100-continue\r\nContent-Length: 2\r\n", "ab"), 200),
  };
}

std::vector<Row> doubtful_rows() {
  const std::string one(1, 'x');
  return {
      Row("both lengths", post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400),
      Row("both lengths, turned", post("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "0\r\n\r\n"),
          400),
      Row("two different lengths", post("Content-Length: 1\r\nContent-Length: 2\r\n", "xx"), 400),
      Row("two equal lengths", post("Content-Length: 1\r\nContent-Length: 1\r\n", one), 400),
      Row("list of lengths", post("Content-Length: 1, 1\r\n", one), 400),
      Row("length below zero", post("Content-Length: -1\r\n", one), 400),
      Row("length with a sign", post("Content-Length: +1\r\n", one), 400),
      Row("length in hex", post("Content-Length: 0x1\r\n", one), 400),
      Row("no number as length", post("Content-Length: \r\n", one), 400),
      Row("length beyond 64 bits", post("Content-Length: 18446744073709551617\r\n", one), 400),
      Row("chunked twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
          400),
      Row("chunked in http 1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
      Row("other encoding", post("Transfer-Encoding: gzip\r\n", ""), 501),
      Row("other encoding first", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), 501),
      Row("other encoding last", post("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n"), 501),
      Row("nearly chunked", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), 501),
      Row("no host", get(""), 400),
      Row("two hosts", get("Host: x\r\nHost: x\r\n"), 400),
      Row("space before the colon", get("Host: x\r\nTransfer-Encoding : chunked\r\n"), 400),
      Row("folded line", get("Host: x\r\nX: a\r\n b\r\n"), 400),
      Row("folded line with a tab", get("Host: x\r\nX: a\r\n\tb\r\n"), 400),
      Row("first line folded", "GET / HTTP/1.1\r\n Host: x\r\n\r\n", 400),
      Row("no name", get("Host: x\r\n: y\r\n"), 400),
      Row("no colon", get("Host: x\r\nX\r\n"), 400),
      Row("other expectation", post("Expect: a-miracle\r\nContent-Length: 1\r\n", one), 417),
  };
}

std::vector<Row> hostile_rows() {
  return {
      Row("NUL in a value", get("Host: x\r\nX: a\0b\r\n"s), 400),
      Row("NUL in a name", get("Host: x\r\nX\0: a\r\n"s), 400),
      Row("NUL in the target", "GET /\0 HTTP/1.1\r\n"s + kLast, 400),
      Row("control byte in a value", get("Host: x\r\nX: a\x01\r\n"), 400),
      Row("delete byte in a value", get("Host: x\r\nX: a\x7f\r\n"), 400),
      Row("bare return in a value", get("Host: x\r\nX: a\rb\r\n"), 400),
      Row("bare newline in a value", get("Host: x\r\nX: a\nY: b\r\n"), 400),
      Row("bare newlines only", "GET / HTTP/1.1\nHost: x\n\n\r\n\r\n", 400),
      Row("tab in the first line", "GET\t/\tHTTP/1.1\r\n" + kLast, 400),
      Row("two spaces in the first line", "GET  / HTTP/1.1\r\n" + kLast, 400),
      Row("no target", "GET HTTP/1.1\r\n" + kLast, 400),
      Row("target without slash", "GET a HTTP/1.1\r\n" + kLast, 400),
      Row("star for a get", "GET * HTTP/1.1\r\n" + kLast, 400),
      Row("connect", "CONNECT x:443 HTTP/1.1\r\n" + kLast, 400),
      Row("http 0.9", "GET /\r\n\r\n", 400),
      Row("http 1.2", "GET / HTTP/1.2\r\n" + kLast, 505),
      Row("http 3", "GET / HTTP/3.0\r\n" + kLast, 505),
      Row("no version", "GET / HTTP/x.1\r\n" + kLast, 400),
      Row("other protocol", "GET / RTSP/1.0\r\n" + kLast, 400),
      Row("http 2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
      Row("tls greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"s, 400),
      Row("ssh greeting", "SSH-2.0-x\r\n\r\n", 400),
      Row("garbage", "\xff\xfe\xfd\r\n\r\n", 400),
      Row("target too long", "GET /" + std::string(kMaxHeader, 'x') + " HTTP/1.1\r\n" + kLast, 431),
      Row("value too long", get("Host: x\r\nX: " + std::string(kMaxHeader, 'x') + "\r\n"), 431),
      Row("name too long", get("Host: x\r\n" + std::string(kMaxHeader, 'x') + ": y\r\n"), 431),
      Row("too many headers", get("Host: x\r\n" + many(255)), 431),
      Row("headers too long together", get("Host: x\r\n" + many(600)), 431),
      Row("body too large", post("Content-Length: 101\r\n", ""), 413),
      Row("body far too large", post("Content-Length: 9223372036854775807\r\n", ""), 413),
      Row("body too large, expecting", post("Expect: 100-continue\r\nContent-Length: 101\r\n", ""), 413),
      Row("chunk too large", chunked("65\r\n"), 413),
      Row("chunks too large together", chunked("64\r\n" + std::string(100, 'x') + "\r\n1\r\n"), 413),
      Row("chunk size beyond 64 bits", chunked("fffffffffffffffff\r\n"), 400),
      Row("no number as chunk size", chunked("x\r\n"), 400),
      Row("chunk size below zero", chunked("-1\r\n"), 400),
      Row("space before a chunk size", chunked(" 1\r\nx\r\n0\r\n\r\n"), 400),
      Row("no line end behind a chunk", chunked("1\r\nxyz0\r\n\r\n"), 400),
      Row("bare newlines around chunks", chunked("1\nx\n0\n\n\r\n"), 400),
      Row("endless chunk extension", chunked("1;" + std::string(kMaxHeader + 1, 'x')), 431),
      Row("endless trailers", chunked("0\r\nX: " + std::string(kMaxHeader + 1, 'x')), 431),
      Row("NUL in a trailer", chunked("0\r\nX: \0\r\n\r\n"s), 400),
      Row("no trailer but garbage", chunked("0\r\nX\r\n\r\n"), 400),
      Row("nul as last chunk size", chunked("0\0\r\n\r\n"s), 400),
  };
}

class HttpConformance : public HttpServer {
 protected:
  void SetUp() override {
    options.max_header = kMaxHeader;
    options.max_body = kMaxBody;
    listen_with(desk.handler());
  }
  void expect(const std::vector<Row>& rows) {
    for (const auto& row : rows) {
      const int before = desk.served;
      EXPECT_EQ(test::status_of(asked(row.bytes)), row.status) << row.name;
      EXPECT_EQ(desk.served - before, row.status == 200 ? 1 : 0) << row.name;
    }
  }
  asio::awaitable<std::string> drip(std::string bytes) {
    test::RawTcp client(io);
    co_await client.connect(server->port());
    const boost::asio::ip::tcp::no_delay at_once(true);
    client.socket().set_option(at_once);
    for (const char byte : bytes) {
      boost::system::error_code gone;
      client.socket().write_some(asio::buffer(&byte, 1), gone);
      if (gone) break;
      // The server reads this one before the next leaves.
      co_await asio::post(io, asio::use_awaitable);
      co_await asio::post(io, asio::use_awaitable);
    }
    std::string answer = co_await client.read_to_end();
    const std::string invitation = "HTTP/1.1 100 Continue\r\n\r\n";
    if (answer.starts_with(invitation)) answer.erase(0, invitation.size());
    co_return answer;
  }
};

TEST_F(HttpConformance, serves_what_is_right) {
  expect(good_rows());
}
TEST_F(HttpConformance, refuses_what_leaves_in_doubt_where_a_request_ends) {
  expect(doubtful_rows());
}
TEST_F(HttpConformance, refuses_what_is_wrong_or_too_large) {
  expect(hostile_rows());
}

TEST_F(HttpConformance, judges_the_same_when_every_byte_comes_alone) {
  for (const auto& rows : {good_rows(), doubtful_rows(), hostile_rows()}) {
    for (const auto& row : rows) {
      const int before = desk.served;
      EXPECT_EQ(test::status_of(test::run(io, drip(row.bytes))), row.status) << row.name;
      EXPECT_EQ(desk.served - before, row.status == 200 ? 1 : 0) << row.name;
    }
  }
}

TEST_F(HttpConformance, gives_a_request_the_path_of_its_absolute_uri) {
  EXPECT_TRUE(asked("GET http://x:80/a?b HTTP/1.1\r\n" + kLast).ends_with("\r\n\r\n/a?b"));
  EXPECT_TRUE(asked("GET https://x?b HTTP/1.1\r\n" + kLast).ends_with("\r\n\r\n/?b"));
}

TEST_F(HttpConformance, serves_nothing_behind_a_request_it_refuses) {
  const std::string smuggled = "0\r\n\r\nGET /admin HTTP/1.1\r\n" + kLast;
  const std::string answer = asked(post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", smuggled));
  EXPECT_EQ(test::status_of(answer), 400);
  EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos);
  EXPECT_EQ(desk.served, 0);
}

}  // namespace
}  // namespace tgkeep::http
