// Calls with files, as bytes.

#include "telegram/multipart.hpp"

#include <gtest/gtest.h>

namespace tgkeep::telegram {
namespace {

TEST(Multipart, holds_a_part_per_parameter_and_per_file) {
  const std::vector<ApiFile> files{ApiFile("certificate", "a\"b\r\n.pem", "x\r\ny")};
  const auto parts = make_multipart(R"({"url":"https://a/?b=ä","n":40,"list":["m"],"none":null})", files, 7);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->content_type, "multipart/form-data; boundary=tgkeep-7");
  ASSERT_EQ(parts->stretches.size(), 1U);
  EXPECT_EQ(parts->length, parts->stretches[0].text.size());
  EXPECT_EQ(parts->stretches[0].text,
            "--tgkeep-7\r\nContent-Disposition: form-data; name=\"url\"\r\n\r\nhttps://a/?b=ä\r\n"
            "--tgkeep-7\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n40\r\n"
            "--tgkeep-7\r\nContent-Disposition: form-data; name=\"list\"\r\n\r\n[\"m\"]\r\n"
            "--tgkeep-7\r\nContent-Disposition: form-data; name=\"certificate\"; "
            "filename=\"a%22b%0D%0A.pem\"\r\nContent-Type: application/octet-stream\r\n\r\nx\r\ny\r\n"
            "--tgkeep-7--\r\n");
}

TEST(Multipart, takes_a_boundary_that_no_content_holds) {
  const std::vector<ApiFile> files{ApiFile("f", "f", "x tgkeep-8 y")};
  const auto parts = make_multipart(R"({"a":"tgkeep-7"})", files, 7);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->content_type, "multipart/form-data; boundary=tgkeep-9");
}

TEST(Multipart, refuses_parameters_that_are_no_object) {
  for (const auto* params : {"[]", "{", "1"}) {
    EXPECT_EQ(make_multipart(params, {}, 1).error().code(), Errc::bad_json) << params;
  }
  EXPECT_TRUE(make_multipart("", {}, 1));
}

}  // namespace
}  // namespace tgkeep::telegram
