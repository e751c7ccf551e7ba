// What the log and the figures say of webhook requests.

#include <gtest/gtest.h>

#include "rooms/source/webhook_room.hpp"

namespace tgkeep::source {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Journal;
using test::PutScript;
using test::webhook_update;
using test::WebhookRoom;

Journal lines_of(const WebhookRoom& room, const std::string& event) {
  Journal found;
  for (const std::string& line : room.lines) {
    if (line.find(" " + event) != std::string::npos) found.push_back(line);
  }
  return found;
}

TEST(WebhookLine, each_request_has_one_when_that_is_wanted_and_nothing_of_its_body_or_path) {
  WebhookRoom room;
  room.options.log_requests = true;
  room.start();
  room.store.next_put(PutScript(milliseconds(12)));
  room.post(webhook_update(5));
  room.pass(seconds(1));
  room.post(webhook_update(5));
  room.store.next_put(PutScript(seconds(0), Error(Errc::store_full, "disk full")));
  room.post(webhook_update(6));
  room.post("{}");
  const std::string bytes = std::to_string(webhook_update(5).size());
  EXPECT_EQ(
      lines_of(room, "webhook_request"),
      (Journal{"info webhook_request bot=42 status=200 update_id=5 kind=message what=new bytes=" + bytes +
                   " store_ms=12.0 ms=12.0",
               "info webhook_request bot=42 status=200 update_id=5 kind=message what=duplicate bytes=" +
                   bytes + " store_ms=0.0 ms=0.0",
               "info webhook_request bot=42 status=503 update_id=6 kind=message what=refused bytes=" + bytes +
                   " store_ms=0.0 ms=0.0",
               "info webhook_request bot=42 status=400 update_id=none kind= what=refused bytes=2 "
               "store_ms=0.0 ms=0.0"}));
}

TEST(WebhookLine, there_is_none_by_default) {
  WebhookRoom room;
  room.start();
  room.post(webhook_update(5));
  EXPECT_TRUE(lines_of(room, "webhook_request").empty());
}

TEST(WebhookLine, P11_strangers_get_one_line_a_second_and_the_next_says_how_many_had_none) {
  WebhookRoom room;
  room.start();
  http::ServerRequest stranger = room.request(webhook_update(5));
  stranger.headers.clear();
  stranger.peer = "203.0.113.9";
  for (int i = 0; i < 100; ++i) EXPECT_EQ(room.post(stranger)->status(), 401);
  room.webhook().refused(stranger, 413);
  EXPECT_EQ(lines_of(room, "webhook_refused"),
            Journal{"warning webhook_refused bot=42 status=401 sender=203.0.113.9 suppressed=0"});
  room.pass(seconds(1));
  room.webhook().refused(stranger, 413);
  const Journal lines = lines_of(room, "webhook_refused");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[1], "warning webhook_refused bot=42 status=413 sender=203.0.113.9 suppressed=100");
}

TEST(WebhookLine, exchanges_run_from_arrival_to_answer_and_puts_until_durable) {
  WebhookRoom room;
  room.start();
  room.store.next_put(PutScript(seconds(3)));
  room.post(webhook_update(5));
  room.pass(seconds(3));
  room.store.next_put(PutScript(seconds(2), Error(Errc::store_full, "disk full")));
  room.post(webhook_update(6));
  room.pass(seconds(3));
  EXPECT_EQ(room.stats().exchanges.count(), 2U);
  EXPECT_DOUBLE_EQ(room.stats().exchanges.sum(), 5);
  EXPECT_EQ(room.stats().puts.count(), 1U) << "the other one is not durable";
  EXPECT_DOUBLE_EQ(room.stats().puts.sum(), 3);
}

}  // namespace
}  // namespace tgkeep::source
