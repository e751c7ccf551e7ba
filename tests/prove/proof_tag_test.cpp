#include "prove/proof_tag.hpp"

#include <gtest/gtest.h>

namespace tgkeep::prove {
namespace {

TEST(ProofTag, is_found_again_and_leaves_the_object_an_object) {
  const ProofTag tag(UpdateId(77), -100123);
  EXPECT_EQ(tagged(R"({"id":1})", tag), R"({"proof":"77 -100123","id":1})");
  EXPECT_EQ(tagged("{ }", tag), R"({"proof":"77 -100123" })");
  const auto found = find_tag(R"({"update_id":5,"message":)" + tagged(R"({"id":1})", tag) + "}");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->update, tag.update);
  EXPECT_EQ(found->chat, tag.chat);
}

TEST(ProofTag, is_not_found_where_there_is_none) {
  for (const std::string_view text :
       {"", "{}", R"({"proof":"7"})", R"({"proof":"x 1"})", R"({"proof":"7 x"})", R"({"proof":"7 1)"})
    EXPECT_FALSE(find_tag(text)) << text;
}

}  // namespace
}  // namespace tgkeep::prove
