#include <gtest/gtest.h>

#include "telegram/update_reader.hpp"

namespace tgkeep::telegram {
namespace {

using Pieces = std::vector<std::string_view>;

Pieces cut(std::string_view json) {
  const auto pieces = cut_array(json);
  EXPECT_TRUE(pieces) << json;
  return pieces ? *pieces : Pieces();
}

TEST(ArrayCutter, cuts_at_commas_of_the_outermost_level) {
  EXPECT_EQ(cut("[]"), Pieces());
  EXPECT_EQ(cut(" [ \n ] "), Pieces());
  EXPECT_EQ(cut("[1]"), Pieces{"1"});
  EXPECT_EQ(cut(" [ {\"a\":[1,2]} ,\n{\"b\":{\"c\":3}}\t] "), (Pieces{"{\"a\":[1,2]}", "{\"b\":{\"c\":3}}"}));
}

TEST(ArrayCutter, brackets_commas_and_quotes_inside_strings_are_text) {
  EXPECT_EQ(cut(R"([{"a":"],[\"}\\"},{"b":"\\\\"}])"), (Pieces{R"({"a":"],[\"}\\"})", R"({"b":"\\\\"})"}));
}

TEST(ArrayCutter, P1_a_bad_element_does_not_spoil_its_neighbours) {
  const std::string deep = "{\"deep\":" + std::string(5000, '[') + std::string(5000, ']') + "}";
  for (const std::string& bad :
       {std::string("{\"a\":\"\xff\"}"), std::string("{\"a\":01}"), std::string("nonsense"),
        std::string("{\"a\":[1}}"), std::string("{\"a\":\"\n\"}"), deep}) {
    const std::string answer = "[{\"update_id\":1}," + bad + ",{\"update_id\":3}]";
    EXPECT_EQ(cut(answer), (Pieces{"{\"update_id\":1}", bad, "{\"update_id\":3}"})) << bad;
  }
}

TEST(ArrayCutter, what_is_not_one_complete_array_is_a_bad_answer) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view json : {""sv,
                                      " "sv,
                                      "{}"sv,
                                      "1"sv,
                                      "["sv,
                                      "[1"sv,
                                      "[1,"sv,
                                      "[1,]"sv,
                                      "[,1]"sv,
                                      "[,]"sv,
                                      "[1}"sv,
                                      "[{\"a\":1]"sv,
                                      "[\"a]"sv,
                                      "[\"a\\\"]"sv,
                                      "[\"\\"sv,
                                      "[1]]"sv,
                                      "[1]x"sv,
                                      "[1]\0"sv,
                                      "\xef\xbb\xbf[]"sv,
                                      "]"sv,
                                      "null"sv}) {
    const auto pieces = cut_array(json);
    ASSERT_FALSE(pieces) << json;
    EXPECT_EQ(pieces.error().code(), Errc::bad_answer);
  }
  EXPECT_EQ(cut_array("[1,").error().text(),
            "the list of updates ends in the middle of an element (byte 3); the answer is dropped and asked "
            "for again");
}

TEST(ArrayCutter, every_beginning_of_an_answer_is_a_bad_answer) {
  const std::string answer =
      R"([{"update_id":1,"message":{"text":"a\"]"}},{"update_id":2,"poll":{"options":[]}}])";
  for (std::size_t size = 0; size < answer.size(); ++size) {
    EXPECT_FALSE(cut_array(std::string_view(answer).substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace tgkeep::telegram
