#include "sink/push_request.hpp"

#include <gtest/gtest.h>

#include "rooms/sink/push_bench.hpp"
#include "rooms/telegram/samples.hpp"
#include "telegram/update_reader.hpp"

namespace tgkeep::sink {
namespace {

using test::PushBench;

std::string header(const http::ServerRequest& request, std::string_view name) {
  const std::string* const value = http::find_header(request.headers, name);
  return value == nullptr ? "absent" : *value;
}

class PushRequest : public PushBench {};

TEST_F(PushRequest, P3_every_sample_arrives_byte_for_byte_under_its_id_and_ordering_key) {
  ASSERT_GE(test::samples().size(), 180U);
  for (const auto& [name, raw] : test::samples()) {
    const auto update = telegram::read_update(BotId(42), WallTime{}, raw);
    ASSERT_TRUE(update) << name;
    Item sample = item(update->id.value());
    sample.body = raw;
    for (const auto& key : update->keys) sample.keys.push_back(key.text());
    EXPECT_EQ(deliver(std::move(sample)).kind, Outcome::Kind::done) << name;
    const http::ServerRequest& request = requests.back();
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.target, "/hook");
    EXPECT_EQ(request.body, raw) << name;
    EXPECT_EQ(header(request, "Content-Type"), "application/json");
    EXPECT_EQ(header(request, "Content-Length"), std::to_string(raw.size()));
    EXPECT_EQ(header(request, "Tgkeep-Update-Id"), std::to_string(update->id.value()));
    EXPECT_EQ(header(request, "Tgkeep-Ordering-Key"),
              update->keys.empty() ? "absent" : update->keys.front().text());
  }
}

TEST_F(PushRequest, a_first_attempt_carries_no_flags) {
  Item first = item(7);
  first.epoch = Epoch(3);
  deliver(std::move(first));
  const http::ServerRequest& request = requests.at(0);
  EXPECT_EQ(header(request, "Tgkeep-Attempt"), "1");
  EXPECT_EQ(header(request, "Tgkeep-Epoch"), "3");
  for (const char* const name : {"X-Telegram-Bot-Api-Secret-Token", "Tgkeep-Ordering-Key", "Tgkeep-Run",
                                 "Tgkeep-Repeated", "Tgkeep-Late", "Tgkeep-Order-Gap", "Tgkeep-Settle-Url",
                                 "Expect", "Transfer-Encoding", "User-Agent"}) {
    EXPECT_EQ(header(request, name), "absent") << name;
  }
}

TEST_F(PushRequest, flags_secret_and_numbers_are_headers) {
  options.secret = "s3cret-_";
  Item again = item(-8);
  again.epoch = Epoch(9);
  again.attempt = 4;
  again.starts = 3;
  again.run = 2;
  again.order_gap = true;
  again.keys = {"chat:bc=a\r\nb:\xD0\xB6%", "user:5"};
  deliver(std::move(again), true);
  const http::ServerRequest& request = requests.at(0);
  EXPECT_EQ(header(request, "X-Telegram-Bot-Api-Secret-Token"), "s3cret-_");
  EXPECT_EQ(header(request, "Tgkeep-Update-Id"), "-8");
  EXPECT_EQ(header(request, "Tgkeep-Attempt"), "4");
  EXPECT_EQ(header(request, "Tgkeep-Epoch"), "9");
  EXPECT_EQ(header(request, "Tgkeep-Run"), "2");
  EXPECT_EQ(header(request, "Tgkeep-Ordering-Key"), "chat:bc=a%0D%0Ab:%D0%B6%25");
  for (const char* const name : {"Tgkeep-Repeated", "Tgkeep-Late", "Tgkeep-Order-Gap"}) {
    EXPECT_EQ(header(request, name), "1") << name;
  }
}

TEST_F(PushRequest, P3_every_request_has_a_larger_number_than_the_one_before_whatever_the_attempt) {
  for (int i = 1; i <= 3; ++i) {
    deliver(item(7));
    EXPECT_EQ(header(requests.back(), "Tgkeep-Request"), std::to_string(i));
    EXPECT_EQ(header(requests.back(), "Tgkeep-Attempt"), "1");
  }
}

TEST_F(PushRequest, P3_a_repeat_after_a_crash_says_so_although_its_attempt_has_the_same_number) {
  Item crashed = item(7);
  crashed.crashes = 1;
  crashed.starts = 1;
  deliver(std::move(crashed));
  EXPECT_EQ(header(requests.at(0), "Tgkeep-Attempt"), "1");
  EXPECT_EQ(header(requests.at(0), "Tgkeep-Repeated"), "1");
}

TEST_F(PushRequest, bodies_of_any_bytes_and_of_a_megabyte_pass_unchanged) {
  for (const std::string& body :
       {std::string(1'000'000, 'x'), std::string("\0\xFF\r\n\r\n{", 7), std::string()}) {
    Item raw = item(7);
    raw.body = body;
    EXPECT_EQ(deliver(std::move(raw)).kind, Outcome::Kind::done);
    EXPECT_TRUE(requests.back().body == body) << body.size();
  }
}

}  // namespace
}  // namespace tgkeep::sink
