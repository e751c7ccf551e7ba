#include "telegram/api_answer.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tgkeep::telegram {
namespace {

using namespace std::chrono_literals;

ApiResult sorted(int status, std::string body) {
  return sort_answer(status, std::move(body), nullptr);
}

TEST(ApiAnswer, gives_the_raw_bytes_of_result_in_any_order_and_spacing) {
  EXPECT_EQ(*sorted(200, R"({"ok":true,"result":[1, 2]})"), "[1, 2]");
  EXPECT_EQ(
      *sorted(200, " {\n\"description\" : \"Webhook was set\" , \"result\" :\ttrue ,\"ok\":true } \r\n"),
      "true");
  EXPECT_EQ(*sorted(200, R"({"x":{"ok":false},"ok":true,"result":{"a":"}\"]"},"y":[[]]})"),
            R"({"a":"}\"]"})");
  EXPECT_EQ(*sorted(200, R"({"ok":true,"result":-1.5e3})"), "-1.5e3");
}

TEST(ApiAnswer, passes_on_what_is_not_valid_inside_result) {
  const std::string bad = "[{\"update_id\":1,\"x\":nope},{\"update_id\":2,\"text\":\"\xff\xc0\"},[}{],\x01]";
  EXPECT_EQ(*sorted(200, "{\"ok\":true,\"result\":" + bad + "}"), bad);
}

TEST(ApiAnswer, takes_results_of_megabytes_and_of_any_depth) {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  EXPECT_EQ(*sorted(200, "{\"ok\":true,\"result\":" + deep + "}"), deep);
  const std::string wide = "[\"" + std::string(4U << 20, 'x') + "\"]";
  EXPECT_EQ(*sorted(200, "{\"ok\":true,\"result\":" + wide + "}"), wide);
}

TEST(ApiAnswer, reads_a_refusal_with_its_parameters) {
  const ApiResult flood =
      sorted(429, R"({"ok":false,"error_code":429,)"
                  R"("description":"Too Many Requests: retry after 7","parameters":{"retry_after":7}})");
  ASSERT_FALSE(flood);
  EXPECT_EQ(flood.error().kind, ApiError::Kind::refused);
  EXPECT_EQ(flood.error().code, 429);
  EXPECT_EQ(flood.error().description, "Too Many Requests: retry after 7");
  EXPECT_EQ(flood.error().retry_after, 7s);
  const ApiResult moved =
      sorted(400, R"({"ok":false,"error_code":400,"description":"Bad Request: \u0433\"roup\"",)"
                  R"("parameters":{"migrate_to_chat_id":-1001234567890}})");
  EXPECT_EQ(moved.error().kind, ApiError::Kind::refused);
  EXPECT_EQ(moved.error().description, "Bad Request: г\"roup\"");
  EXPECT_EQ(moved.error().migrate_to_chat_id, -1001234567890);
  EXPECT_FALSE(moved.error().retry_after);
}

TEST(ApiAnswer, falls_back_to_the_retry_after_header) {
  const std::string header = "12";
  const std::string date = "Wed, 21 Oct 2026 07:28:00 GMT";
  const std::string body = R"({"ok":false,"error_code":429,"description":"Too Many Requests"})";
  EXPECT_EQ(sort_answer(429, body, &header).error().retry_after, 12s);
  EXPECT_EQ(sort_answer(429, "<html>", &header).error().retry_after, 12s);
  EXPECT_EQ(sort_answer(429, "<html>", &header).error().kind, ApiError::Kind::refused);
  EXPECT_FALSE(sort_answer(429, body, &date).error().retry_after);
  const std::string both = R"({"ok":false,"error_code":429,"parameters":{"retry_after":5}})";
  EXPECT_EQ(sort_answer(429, both, &header).error().retry_after, 5s);
}

TEST(ApiAnswer, takes_no_wait_that_is_not_a_whole_number_of_seconds_and_caps_absurd_ones) {
  const auto wait = [](const std::string& value) {
    return sorted(429, R"({"ok":false,"error_code":429,"parameters":{"retry_after":)" + value + "}}")
        .error()
        .retry_after;
  };
  EXPECT_FALSE(wait("-1"));
  EXPECT_FALSE(wait("\"7\""));
  EXPECT_FALSE(wait("1.5"));
  EXPECT_FALSE(wait("99999999999999999999"));
  EXPECT_EQ(wait("99999999999"), std::chrono::seconds(2147483647));
}

TEST(ApiAnswer, counts_server_errors_as_doubt) {
  const ApiResult told =
      sorted(500, R"({"ok":false,"error_code":500,"description":"Internal Server Error: restart"})");
  EXPECT_EQ(told.error().kind, ApiError::Kind::maybe_sent);
  EXPECT_EQ(told.error().code, 500);
  EXPECT_EQ(told.error().description, "Internal Server Error: restart");
  const ApiResult inside = sorted(200, R"({"ok":false,"error_code":502,"description":"Bad Gateway"})");
  EXPECT_EQ(inside.error().kind, ApiError::Kind::maybe_sent);
  EXPECT_EQ(inside.error().code, 502);
}

TEST(ApiAnswer, counts_answers_that_are_not_the_apis_as_doubt_unless_they_refuse) {
  const std::vector<std::pair<int, std::string>> doubtful = {{502, "<html>502 Bad Gateway</html>"},
                                                             {200, ""},
                                                             {200, "<html>"},
                                                             {200, "{\"ok\":true,\"result\":[1"},
                                                             {200, "{\"ok\":true}"},
                                                             {200, "[]"},
                                                             {200, "{\"ok\":1}"},
                                                             {200, "{\"ok\":true,\"result\":1}x"},
                                                             {504, ""},
                                                             {200, "{}"},
                                                             {200, "{\"ok\":true,}"},
                                                             {200, "{\"ok\":true,\"result\":}"},
                                                             {500, "{\"ok\":true,\"result\":1}"},
                                                             {408, "timed out"},
                                                             {200, "\xef\xbb\xbf{}"},
                                                             {200, "{\"ok\":true,\"result\":\"a}"}};
  for (const auto& [status, body] : doubtful) {
    const ApiResult result = sorted(status, body);
    ASSERT_FALSE(result) << status << body;
    EXPECT_EQ(result.error().kind, ApiError::Kind::maybe_sent) << status << body;
    EXPECT_EQ(result.error().code, status) << body;
  }
  // Whatever stands between may say no: only what Telegram itself refuses is refused for good.
  for (const int status : {302, 400, 403, 404, 407}) {
    const ApiResult result = sorted(status, "<html>no</html>");
    EXPECT_EQ(result.error().kind, ApiError::Kind::maybe_sent) << status;
    EXPECT_EQ(result.error().code, status);
  }
  for (const int status : {413, 429}) {
    const ApiResult result = sorted(status, "<html>no</html>");
    EXPECT_EQ(result.error().kind, ApiError::Kind::refused) << status;
    EXPECT_EQ(result.error().code, status);
  }
}

TEST(ApiAnswer, repeats_nothing_of_a_foreign_body_and_cuts_long_descriptions_between_characters) {
  EXPECT_EQ(sorted(502, "<html>/bot123:secret</html>").error().description,
            "HTTP 502 and no Bot API answer (27 bytes of HTML)");
  std::string text = "x";
  for (int i = 0; i < 1000; ++i) text += "г";
  const ApiResult result = sorted(400, "{\"ok\":false,\"error_code\":400,\"description\":\"" + text + "\"}");
  EXPECT_EQ(result.error().description, text.substr(0, 1023));
}

TEST(ApiAnswer, keeps_a_description_that_is_not_valid_readable) {
  const ApiResult result = sorted(400, "{\"ok\":false,\"error_code\":400,\"description\":\"Bad \xff\x01\"}");
  EXPECT_EQ(result.error().description, "\"Bad ??\"");
}

}  // namespace
}  // namespace tgkeep::telegram
