// Requests of a bot, read as far as they must be known.

#include "face/call.hpp"

#include <gmock/gmock.h>

#include <boost/asio/io_context.hpp>
#include <deque>

#include "support/run.hpp"

namespace tgkeep::face {
namespace {

/// A body that comes in pieces, and counts what was asked for.
class Pieces final : public http::RequestStream {
 public:
  Pieces(std::string body, std::size_t piece, bool known) : body_(std::move(body)), piece_(piece) {
    if (known) length_ = body_.size();
  }
  asio::awaitable<std::string> read() override {
    std::string next = body_.substr(taken_, piece_);
    taken_ += next.size();
    co_return next;
  }
  std::optional<std::uint64_t> length() const override { return length_; }
  std::size_t taken() const { return taken_; }

 private:
  std::string body_;
  std::size_t piece_;
  std::size_t taken_ = 0;
  std::optional<std::uint64_t> length_;
};

constexpr const char* kMultipart = "multipart/form-data; boundary=b";

std::string parameter(const std::string& name, const std::string& value) {
  return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
}
std::string file(const std::string& name, std::size_t size) {
  return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"; filename=\"f\"\r\n\r\n" +
         std::string(size, 'x') + "\r\n";
}

class ReadCall : public testing::Test {
 protected:
  CallOrReply read(std::string_view target, std::string_view type, std::string body,
                   std::size_t piece = 65536, bool known = true) {
    http::ServerRequest request;
    request.method = http_method;
    request.target = target;
    request.absolute = absolute;
    if (!type.empty()) request.headers.emplace_back("content-type", type);
    stream = std::make_shared<Pieces>(std::move(body), piece, known);
    if (streamed) request.stream = stream;
    FacePath path = *read_face_path(target);
    return test::run(io, read_call(std::move(path), std::move(request)));
  }
  int status_of(std::string_view type, std::string body, bool known = true) {
    const CallOrReply result = read("/bot1:a/sendMessage", type, std::move(body), 65536, known);
    return result.reply ? result.reply->status : 0;
  }

  asio::io_context io;
  std::string http_method = "POST";
  bool absolute = false;
  bool streamed = true;
  std::shared_ptr<Pieces> stream;
};

TEST_F(ReadCall, parameters_come_from_the_query_first_and_then_from_the_body) {
  const auto call = read("/bot1:a/x?chat_id=1&a=%20", "application/json;charset=utf-8",
                         R"({"chat_id":2,"text":"t","list":[1]})", 3)
                        .call;
  ASSERT_TRUE(call);
  EXPECT_EQ(call->params.text("chat_id"), "1");
  EXPECT_EQ(call->params.text("a"), " ");
  EXPECT_EQ(call->params.text("text"), "t");
  EXPECT_EQ(call->params.text("list"), "[1]");
  EXPECT_EQ(call->body, R"({"chat_id":2,"text":"t","list":[1]})");
  EXPECT_TRUE(call->whole);
  EXPECT_EQ(call->method, "x");
}

TEST_F(ReadCall, content_types_are_found_anywhere_in_the_header_in_any_case) {
  const auto form = read("/bot1:a/x", "Application/X-WWW-Form-Urlencoded", "a=b%26").call;
  EXPECT_EQ(form->params.text("a"), "b&");
  const auto parts = read("/bot1:a/x", "MULTIPART/FORM-DATA; boundary=b", parameter("a", "c") + "--b--").call;
  EXPECT_EQ(parts->params.text("a"), "c");
  const auto other = read("/bot1:a/x", "text/plain", "a=b").call;
  EXPECT_FALSE(other->params.has("a"));
  EXPECT_EQ(other->body, "a=b");
}

TEST_F(ReadCall, a_get_may_have_a_body_and_a_body_that_is_no_json_gives_nothing) {
  http_method = "GET";
  EXPECT_EQ(read("/bot1:a/x", "application/json", R"({"a":"b"})").call->params.text("a"), "b");
  EXPECT_TRUE(read("/bot1:a/x", "application/json", R"({"a":"b)").call->params.values().empty());
}

TEST_F(ReadCall, other_verbs_and_absolute_targets_are_refused_as_the_server_does) {
  for (const char* const verb : {"PUT", "HEAD", "DELETE", "OPTIONS", "get"}) {
    http_method = verb;
    EXPECT_EQ(status_of("", ""), 501) << verb;
  }
  http_method = "GET";
  absolute = true;
  const CallOrReply refused = read("/bot1:a/x", "", "");
  EXPECT_EQ(refused.reply->status, 404);
  EXPECT_THAT(refused.reply->body, testing::HasSubstr("absolute URI is specified in the Request-Line"));
}

TEST_F(ReadCall, more_than_a_megabyte_of_parameters_is_413_with_and_without_a_known_length) {
  const std::string large(kMaxParams + 1, 'x');
  for (const bool known : {true, false}) {
    EXPECT_EQ(status_of("application/json", large, known), 413);
    EXPECT_LE(stream->taken(), kMaxParams + 65536) << "the rest is not read";
    EXPECT_EQ(status_of("application/x-www-form-urlencoded", large, known), 413);
    EXPECT_EQ(status_of(kMultipart, parameter("a", large + large + large) + "--b--", known), 413);
    EXPECT_LE(stream->taken(), 2 * kMaxParams + 3 * 65536);
    EXPECT_EQ(status_of(kMultipart, parameter("a", large) + "--b--", known), 413);
  }
  EXPECT_EQ(status_of("application/json", "{\"a\":\"" + std::string(kMaxParams - 8, 'x') + "\"}"), 0);
  streamed = false;
  EXPECT_EQ(read("/bot1:a/x?a=" + large, "", "").reply->status, 413);
}

TEST_F(ReadCall, the_server_limits_of_boundary_and_files_hold) {
  EXPECT_EQ(status_of("multipart/form-data; boundary=" + std::string(71, 'b'), "x"), 400);
  std::string files;
  for (int i = 0; i < 51; ++i) files += file("f", 1);
  EXPECT_EQ(status_of(kMultipart, files + "--b--"), 413);
}

TEST_F(ReadCall, of_a_large_file_only_the_beginning_is_read_and_what_stands_before_it_is_known) {
  for (const std::size_t piece : {std::size_t(100), std::size_t(7777), std::size_t(65536)}) {
    const std::string body = parameter("chat_id", "5") + file("small", 100) +
                             file("document", 2 * kMaxParams) + parameter("b", "c") + "--b--\r\n";
    const auto call = read("/bot1:a/sendDocument", kMultipart, body, piece).call;
    ASSERT_TRUE(call);
    EXPECT_FALSE(call->whole);
    EXPECT_EQ(call->params.text("chat_id"), "5");
    EXPECT_NE(call->params.file("small"), nullptr);
    EXPECT_FALSE(call->params.has("b"));
    EXPECT_EQ(call->body, body.substr(0, stream->taken()));
    EXPECT_LE(stream->taken(), kMaxParams + piece);
  }
}

TEST_F(ReadCall, a_part_whose_head_comes_at_the_limit_is_read_a_little_further) {
  const std::string beginning = parameter("a", "b") + file("small", kMaxParams - 200);
  for (std::size_t more = 100; more < 250; more += 13) {
    const std::string filling = parameter("c", std::string(more, 'x'));
    const std::string body = beginning + filling + file("large", kMaxParams) + "--b--";
    const auto call = read("/bot1:a/x", kMultipart, body, 512).call;
    ASSERT_TRUE(call) << more;
    EXPECT_FALSE(call->whole);
    EXPECT_EQ(call->params.text("a"), "b");
    EXPECT_EQ(call->body, body.substr(0, stream->taken()));
  }
}

TEST_F(ReadCall, a_file_that_is_all_of_the_body_may_be_large_too) {
  const auto call = read("/bot1:a/sendPhoto?chat_id=1", "image/jpeg", std::string(2 * kMaxParams, 'x')).call;
  ASSERT_TRUE(call);
  EXPECT_FALSE(call->whole);
  EXPECT_EQ(call->params.text("chat_id"), "1");
}

TEST_F(ReadCall, the_parameter_method_counts_when_the_path_has_none) {
  EXPECT_EQ(read("/bot1:a/?method=getMe", "application/json", R"({"method":"close"})").call->method, "getMe");
  EXPECT_EQ(read("/bot1:a/", "application/json", R"({"method":"close"})").call->method, "close");
  EXPECT_EQ(read("/bot1:a/x?method=close", "", "").call->method, "x");
  EXPECT_EQ(read("/bot1:a/", "application/json", "{}").reply->status, 404);
  const std::string large = file("document", 2 * kMaxParams);
  EXPECT_EQ(read("/bot1:a/", kMultipart, parameter("method", "y") + large).call->method, "y");
  const CallOrReply behind = read("/bot1:a/", kMultipart, large + parameter("method", "y"));
  EXPECT_EQ(behind.reply->status, 400);
  EXPECT_THAT(behind.reply->body, testing::HasSubstr("name the method in the path"));
}

}  // namespace
}  // namespace tgkeep::face
