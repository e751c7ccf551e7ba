// Faults of webhook requests: the update comes again, as Telegram would send it.

#include "emulator/faults/fault_plan.hpp"
#include "rooms/emulator/webhook_scene.hpp"

namespace tgkeep::emulator {
namespace {

namespace json = boost::json;
using testing::ElementsAre;

class WebhookFaults : public WebhookScene {
 protected:
  /// The first request of every update fails so; the second does not.
  void strike(WebhookFault fault) {
    server->set_webhook_faults([fault](const WebhookRecord& record) {
      return record.failures == 0 && !record.extra ? fault : WebhookFault::none;
    });
    set_webhook("&secret_token=right");
  }
};

TEST_F(WebhookFaults, F1_a_failing_connection_is_tried_again_at_once_with_the_same_update) {
  const std::vector<std::pair<WebhookFault, std::string>> cases = {
      {WebhookFault::refused, "Connection refused"},
      {WebhookFault::tls_failure, "SSL error {error}"},
  };
  for (const auto& [fault, words] : cases) {
    strike(fault);
    const std::size_t before = log().size();
    const std::int64_t id = add(5);
    ride_until_ended(before + 2);
    EXPECT_EQ(log()[before].error, words);
    EXPECT_EQ(log()[before + 1].update.value(), id);
    EXPECT_EQ(log()[before + 1].status, 200);
    EXPECT_EQ(call("getWebhookInfo").at("result").at("last_error_message").as_string(), words);
    clock.advance(std::chrono::seconds(1));
    server->set_webhook_faults(nullptr);
    ASSERT_EQ(description("deleteWebhook"), "Webhook was deleted");
  }
  EXPECT_EQ(received.size(), 2U) << "what failed never arrived";
}

TEST_F(WebhookFaults, F1_a_black_hole_costs_the_deadline) {
  strike(WebhookFault::unreachable);
  add(5);
  until([&] { return log().size() == 1; });
  while (io.poll() > 0) {
  }
  EXPECT_FALSE(log().front().ended);
  clock.advance(std::chrono::seconds(60));
  until_ended(1);
  EXPECT_EQ(log().front().error, "Connection timed out");
}

TEST_F(WebhookFaults, F2_a_request_that_breaks_off_comes_again_and_whole) {
  for (const WebhookFault fault : {WebhookFault::reset_before_body, WebhookFault::reset_mid_body}) {
    received.clear();
    strike(fault);
    const std::size_t before = log().size();
    const std::int64_t id = add(5);
    ride_until_ended(before + 2);
    EXPECT_EQ(log()[before].error, "Connection reset by peer");
    EXPECT_EQ(log()[before + 1].update.value(), id);
    EXPECT_EQ(received.size(), 1U) << "half a request reaches no handler";
    clock.advance(std::chrono::seconds(1));
    call("deleteWebhook");
  }
}

TEST_F(WebhookFaults, F2_a_connection_that_ends_after_the_body_makes_a_duplicate_possible) {
  strike(WebhookFault::close_after_body);
  add(5);
  ride_until_ended(2);
  EXPECT_EQ(log()[1].status, 200);
  EXPECT_GE(received.size(), 1U);
  for (const http::ServerRequest& request : received) EXPECT_EQ(request.body, received.front().body);
}

TEST_F(WebhookFaults, F3_an_answer_that_comes_too_late_counts_for_nothing_and_the_update_comes_again) {
  strike(WebhookFault::lost_answer);
  const std::int64_t id = add(5);
  ride_until_ended(2);
  EXPECT_THAT(sent(), ElementsAre(id, id));
  EXPECT_EQ(log()[0].error, "Read timeout expired");
  EXPECT_EQ(received.size(), 2U);
  EXPECT_EQ(received[0].body, received[1].body);
}

TEST_F(WebhookFaults, F15_forged_requests_have_a_wrong_secret_or_none) {
  std::vector<std::string> secrets;
  for (const WebhookFault fault : {WebhookFault::forged, WebhookFault::forged_without_one}) {
    received.clear();
    strike(fault);
    add(5);
    until([&] { return received.size() == 2 && account.queue.size() == 0; });
    for (const http::ServerRequest& request : received) {
      const std::string* secret = http::find_header(request.headers, "X-Telegram-Bot-Api-Secret-Token");
      secrets.push_back(secret == nullptr ? "none" : *secret);
    }
    until([&] { return log().back().ended; });
    clock.advance(std::chrono::seconds(1));
    call("deleteWebhook");
  }
  EXPECT_THAT(secrets, testing::UnorderedElementsAre("right", "wrong-secret", "right", "none"));
}

}  // namespace
}  // namespace tgkeep::emulator
