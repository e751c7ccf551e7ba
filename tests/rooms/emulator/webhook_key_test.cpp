#include "emulator/webhook_key.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "emulator/samples.hpp"
#include "telegram/update_kinds.hpp"

namespace tgkeep::emulator {
namespace {

constexpr std::int64_t step = std::int64_t{1} << 33;

std::int64_t key_of(std::string_view kind, std::string_view body) {
  std::string text = "{\"update_id\":9,\n\"";
  text.append(kind).append("\":").append(body).append("}");
  return webhook_key(kind, text, 9);
}

TEST(WebhookKey, B20_is_made_of_chat_user_or_poll_and_the_kinds_own_number) {
  const std::string body = R"({"id":"66","poll_id":"77","chat":{"id":-5},"from":{"id":3},"user":{"id":4},)"
                           R"("new_chat_member":{"user":{"id":8}}})";
  const std::vector<std::tuple<std::string, std::int64_t, int>> cases = {
      {"message", -5, 0},
      {"edited_message", -5, 0},
      {"channel_post", -5, 0},
      {"edited_channel_post", -5, 0},
      {"inline_query", 3, 1},
      {"chosen_inline_result", 3, 2},
      {"callback_query", 3, 3},
      {"shipping_query", 3, 4},
      {"pre_checkout_query", 3, 4},
      {"my_chat_member", -5, 5},
      {"chat_member", 8, 6},
      {"chat_join_request", 3, 6},
      {"chat_boost", -5, 7},
      {"removed_chat_boost", -5, 7},
      {"message_reaction", -5, 8},
      {"message_reaction_count", -5, 9},
      {"business_connection", 4, 10},
      {"business_message", -5, 11},
      {"edited_business_message", -5, 11},
      {"deleted_business_messages", -5, 11},
      {"guest_message", -5, 12},
      {"purchased_paid_media", 3, 12},
      {"managed_bot", 4, 13},
      {"poll", 66, 0},
      {"poll_answer", 77, 0},
  };
  for (const auto& [kind, id, k] : cases) EXPECT_EQ(key_of(kind, body), id + k * step) << kind;
}

TEST(WebhookKey, B20_an_update_without_one_stands_alone) {
  EXPECT_EQ(key_of("custom_event", "{}"), (std::int64_t{1} << 60) + 9);
  EXPECT_EQ(key_of("message", "{}"), (std::int64_t{1} << 60) + 9);
}

TEST(WebhookKey, B20_is_found_in_every_sample_of_a_known_kind) {
  std::set<std::string_view> kinds;
  for (const Sample& sample : samples()) {
    const std::string_view kind = sample.name.substr(0, sample.name.find("__"));
    if (!telegram::find_update_kind(kind)) continue;
    kinds.insert(kind);
    EXPECT_NE(webhook_key(kind, sample.json, 9), (std::int64_t{1} << 60) + 9) << sample.name;
  }
  EXPECT_GE(kinds.size(), 25U);
}

}  // namespace
}  // namespace tgkeep::emulator
