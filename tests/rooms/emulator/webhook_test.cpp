// setWebhook, deleteWebhook and getWebhookInfo.

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "rooms/emulator/webhook_scene.hpp"

namespace tgkeep::emulator {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::ElementsAre;

using WebhookMethods = WebhookScene;

TEST_F(WebhookMethods, B17_say_what_they_did) {
  EXPECT_EQ(description("deleteWebhook"), "Webhook is already deleted");
  EXPECT_EQ(description("setWebhook"), "Webhook is already deleted");
  EXPECT_EQ(description("setWebhook?url=" + url()), "Webhook was set");
  EXPECT_EQ(description("setWebhook?url=" + url()), "Webhook is already set");
  EXPECT_EQ(description("deleteWebhook"), "Webhook was deleted");
}

TEST_F(WebhookMethods, B17_a_second_change_within_a_second_is_a_flood) {
  set_webhook();
  const json::value flood = call("setWebhook?url=" + url() + "2");
  EXPECT_EQ(flood.at("error_code").as_int64(), 429);
  EXPECT_EQ(flood.at("parameters").at("retry_after").as_int64(), 1);
  clock.advance(1s);
  EXPECT_EQ(description("setWebhook?url=" + url() + "2"), "Webhook was set");
}

TEST_F(WebhookMethods, B17_the_same_webhook_again_changes_only_the_allowed_updates) {
  set_webhook("&secret_token=s");
  const auto generation = account.webhook.generation;
  EXPECT_EQ(description("setWebhook?url=" + url() + "&secret_token=s&allowed_updates=[\"poll\"]"),
            "Webhook is already set");
  EXPECT_EQ(account.webhook.generation, generation);
  EXPECT_FALSE(account.add("message", "{}"));
  for (const char* other :
       {"&secret_token=t", "&secret_token=t&max_connections=7",
        "&secret_token=t&max_connections=7&ip_address=127.0.0.1",
        "&secret_token=t&max_connections=7&ip_address=127.0.0.1&drop_pending_updates=1"}) {
    clock.advance(1s);
    EXPECT_EQ(description("setWebhook?url=" + url() + other), "Webhook was set") << other;
  }
}

TEST_F(WebhookMethods, B17_a_refused_url_leaves_the_bot_without_a_webhook) {
  set_webhook();
  clock.advance(1s);
  EXPECT_EQ(description("setWebhook?url=nonsense://x"), "Bad Request: invalid webhook URL specified");
  EXPECT_EQ(call("getWebhookInfo").at("result").at("url").as_string(), "");
}

TEST_F(WebhookMethods, B17_the_cloud_rules_are_an_option) {
  BotServerOptions options;
  options.webhook_rules = telegram::WebhookRules::cloud;
  test::run(io, server->stop(no_drain));
  server = BotServer::listen(io.get_executor(), clock, Log(), options).value();
  BotAccount& strict = server->add_bot(token, 1);
  EXPECT_EQ(description("setWebhook?url=http://127.0.0.1:1/"),
            "Bad Request: bad webhook: An HTTPS URL must be provided for webhook");
  clock.advance(1s);
  EXPECT_EQ(description("setWebhook?url=https://127.0.0.1/"),
            "Bad Request: bad webhook: IP address 127.0.0.1 is reserved");
  EXPECT_FALSE(strict.webhook.is_active());
}

TEST_F(WebhookMethods, B18_info_shows_the_documented_fields_when_they_apply) {
  const auto fields = [this] {
    std::vector<std::string> names;
    const json::value info = call("getWebhookInfo");
    for (const auto& member : info.at("result").as_object()) names.emplace_back(member.key());
    std::sort(names.begin(), names.end());
    return names;
  };
  EXPECT_THAT(fields(), ElementsAre("has_custom_certificate", "pending_update_count", "url"));
  answer = [] { return http::ServerReply(500); };
  set_webhook("&max_connections=9&allowed_updates=[\"message\"]");
  EXPECT_THAT(fields(), ElementsAre("allowed_updates", "has_custom_certificate", "ip_address",
                                    "max_connections", "pending_update_count", "url"));
  add(5);
  until_ended(1);
  answer = [] { return http::ServerReply(200); };
  until_ended(2);
  const json::value info = call("getWebhookInfo").at("result");
  EXPECT_EQ(info.at("last_error_message").as_string(),
            "Wrong response from the webhook: 500 Internal Server Error");
  EXPECT_EQ(info.at("last_error_date").as_int64(), to_millis(clock.wall()) / 1000)
      << "a success does not clear it";
  EXPECT_EQ(info.at("max_connections").as_int64(), 9);
  EXPECT_EQ(info.at("ip_address").as_string(), "127.0.0.1");
  EXPECT_EQ(info.at("url").as_string(), url());
  clock.advance(1s);
  set_webhook("&max_connections=8");
  EXPECT_THAT(fields(), testing::Not(testing::Contains("last_error_date")));
}

TEST_F(WebhookMethods, B18_pending_counts_what_is_in_flight_too) {
  hold = true;
  set_webhook();
  add(5);
  add(5);
  until([&] { return holding == 1; });
  EXPECT_EQ(call("getWebhookInfo").at("result").at("pending_update_count").to_number<int>(), 2);
}

TEST_F(WebhookMethods, B12_F9_getUpdates_is_refused_while_a_webhook_is_set) {
  set_webhook();
  const json::value refused = call("getUpdates");
  EXPECT_EQ(refused.at("error_code").as_int64(), 409);
  EXPECT_EQ(refused.at("description").as_string(),
            "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the "
            "webhook "
            "first");
  call("deleteWebhook");
  EXPECT_TRUE(call("getUpdates").at("ok").as_bool());
}

TEST_F(WebhookMethods, B12_setting_a_webhook_ends_the_waiting_poll) {
  std::optional<http::ClientResult> poll;
  http::ClientRequest request("GET", server->root() + "/bot" + std::string(token) + "/getUpdates?timeout=30");
  test::asio::co_spawn(io, client.send(std::move(request)),
                       [&](std::exception_ptr, http::ClientResult result) { poll = std::move(result); });
  until([&] { return account.waiting != nullptr; });
  set_webhook();
  until([&] { return poll.has_value(); });
  EXPECT_EQ((*poll)->status, 409);
  EXPECT_EQ(json::parse((*poll)->body).at("description").as_string(),
            "Conflict: terminated by setWebhook request");
}

TEST_F(WebhookMethods, B16_pending_updates_are_dropped_when_asked_and_only_then) {
  add(5);
  hold = true;
  set_webhook();
  EXPECT_EQ(account.queue.size(), 1U);
  clock.advance(1s);
  set_webhook("&drop_pending_updates=true");
  EXPECT_EQ(account.queue.size(), 0U);
  add(5);
  call("deleteWebhook");
  EXPECT_EQ(account.queue.size(), 1U);
  call("deleteWebhook?drop_pending_updates=1");
  EXPECT_EQ(account.queue.size(), 0U);
}

TEST_F(WebhookMethods, B27_what_was_in_flight_when_the_webhook_changed_is_sent_again) {
  hold = true;
  set_webhook();
  const std::int64_t id = add(5);
  until([&] { return holding == 1; });
  clock.advance(1s);
  set_webhook("&secret_token=other");
  hold = false;
  until_ended(1);
  EXPECT_THAT(sent(), ElementsAre(id, id));
  EXPECT_EQ(account.queue.size(), 0U);
}

TEST_F(WebhookMethods, B14_F11_updates_expire_by_kind_in_the_queue) {
  add(5, "inline_query");
  add(5, "callback_query");
  const std::int64_t kept = add(5);
  clock.advance(151s);
  const json::value updates = call("getUpdates").at("result");
  ASSERT_EQ(updates.as_array().size(), 1U);
  EXPECT_EQ(updates.at(0).at("update_id").as_int64(), kept);
}

}  // namespace
}  // namespace tgkeep::emulator
