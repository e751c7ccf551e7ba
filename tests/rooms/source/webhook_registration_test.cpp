// Registering, watching, and what people are told (P10).

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "rooms/source/webhook_room.hpp"
#include "source/webhook_words.hpp"

namespace tgkeep::source {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using test::refused;
using test::webhook_update;
using test::WebhookRoom;
namespace json = boost::json;

const std::string kUrl = "https://example.org/hook-8842";

class OwnedRoom : public WebhookRoom {
 public:
  OwnedRoom() {
    options.registration.emplace(kUrl);
    telegram.info["url"] = "";
  }
  ~OwnedRoom() {
    stop();
    for (const std::string& line : lines) {
      EXPECT_EQ(line.find("8842"), line.npos) << "the path may be a secret: " << line;
      EXPECT_EQ(line.find("s3cret"), line.npos) << line;
    }
    EXPECT_EQ(stats().problem.find("8842"), std::string::npos) << stats().problem;
  }
  WebhookRegistration& registration() { return *options.registration; }
  std::string problem() { return stats().problem; }
  /// getWebhookInfo's last_error fields, as if it happened now.
  void fails_at_telegram(const std::string& message) {
    telegram.info["last_error_date"] = to_millis(clock.wall()) / 1000;
    telegram.info["last_error_message"] = message;
  }
};

TEST(WebhookRegistration, says_all_that_was_configured) {
  OwnedRoom room;
  room.registration().max_connections = 70;
  room.registration().ip_address = "5.6.7.8";
  room.registration().allowed_updates = {"message", "callback_query"};
  room.options.secrets = {"current", "s3cret"};
  EXPECT_FALSE(room.stats().healthy);
  room.start(seconds(1));
  const auto calls = room.telegram.calls("setWebhook");
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(
      calls[0].params,
      R"({"url":"https://example.org/hook-8842","ip_address":"5.6.7.8","max_connections":70,"allowed_updates":["message","callback_query"],"secret_token":"current"})");
  EXPECT_TRUE(calls[0].files.empty());
  EXPECT_FALSE(calls[0].repeatable);
  EXPECT_TRUE(room.stats().healthy);
  EXPECT_EQ(room.problem(), "");
  EXPECT_TRUE(room.stats().last_success);
}

TEST(WebhookRegistration, leaves_out_what_was_not_configured_and_asks_for_the_same_again_at_each_start) {
  OwnedRoom room;
  room.options.secrets.clear();
  room.start(hours(1));
  const auto calls = room.telegram.calls("setWebhook");
  ASSERT_EQ(calls.size(), 1U) << "nothing differs";
  EXPECT_EQ(calls[0].params, R"({"url":"https://example.org/hook-8842","max_connections":40})");
  room.stop();
  room.start(seconds(1));
  EXPECT_EQ(room.telegram.count("setWebhook"), 2U) << "the secret can't be read back";
}

TEST(WebhookRegistration, drops_what_waits_at_telegram_only_when_asked_and_only_once) {
  OwnedRoom room;
  room.registration().drop_pending = true;
  room.start(seconds(1));
  room.telegram.info["url"] = "";
  room.pass(minutes(6));
  const auto calls = room.telegram.calls("setWebhook");
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_NE(calls[0].params.find(R"("drop_pending_updates":true)"), std::string::npos);
  EXPECT_EQ(calls[1].params.find("drop_pending"), std::string::npos);
}

TEST(WebhookRegistration, uploads_the_certificate_but_never_a_private_key) {
  OwnedRoom room;
  const std::string path = testing::TempDir() + "tgkeep-certificate-" + std::to_string(::getpid()) + ".pem";
  room.registration().certificate_file = path;
  room.start(seconds(1));
  EXPECT_EQ(room.telegram.count("setWebhook"), 0U);
  EXPECT_FALSE(room.stats().healthy);
  EXPECT_NE(room.problem().find("can't be read or is empty"), std::string::npos) << room.problem();
  const std::string certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
  std::ofstream(path) << certificate << "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n";
  room.pass(minutes(5));
  EXPECT_EQ(room.telegram.count("setWebhook"), 0U);
  EXPECT_NE(room.problem().find("private key"), std::string::npos) << room.problem();
  std::ofstream(path) << certificate;
  room.pass(minutes(5));
  const auto calls = room.telegram.calls("setWebhook");
  std::filesystem::remove(path);
  ASSERT_EQ(calls.size(), 1U);
  ASSERT_EQ(calls[0].files.size(), 1U);
  EXPECT_EQ(calls[0].files[0].name, "certificate");
  EXPECT_EQ(calls[0].files[0].content, certificate);
  EXPECT_TRUE(room.stats().healthy) << room.problem();
}

TEST(WebhookRegistration, P10_network_failures_and_5xx_are_waited_out_while_updates_are_stored) {
  OwnedRoom room;
  ApiError down(ApiError::Kind::maybe_sent, "Bad Gateway");
  down.code = 502;
  for (int i = 0; i < 4; ++i) {
    room.telegram.fail("setWebhook", ApiError(ApiError::Kind::not_sent, "connection refused"));
    room.telegram.fail("setWebhook", down);
  }
  room.start(seconds(30));
  EXPECT_FALSE(room.stats().healthy);
  EXPECT_EQ(room.post(webhook_update(5))->status(), 200);
  room.pass(minutes(5));
  EXPECT_TRUE(room.stats().healthy) << room.problem();
  EXPECT_EQ(room.telegram.count("setWebhook"), 9U);
  EXPECT_EQ(room.stats().failures, 8);
}

TEST(WebhookRegistration, P10_a_retry_after_is_obeyed) {
  OwnedRoom room;
  ApiError flood = refused(429, "Too Many Requests: retry after 77");
  flood.retry_after = seconds(77);
  room.telegram.fail("setWebhook", flood);
  room.start(seconds(76));
  EXPECT_EQ(room.telegram.count("setWebhook"), 1U);
  room.pass(seconds(2));
  EXPECT_EQ(room.telegram.count("setWebhook"), 2U);
}

TEST(WebhookRegistration, P10_a_refused_webhook_is_told_in_telegrams_words_and_tried_again_slowly) {
  OwnedRoom room;
  for (int i = 0; i < 2; ++i) {
    room.telegram.fail("setWebhook",
                       refused(400,
                               "Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, "
                               "443 or 8443"));
  }
  room.start(minutes(4));
  EXPECT_EQ(room.telegram.count("setWebhook"), 1U);
  EXPECT_FALSE(room.stats().healthy);
  EXPECT_EQ(room.problem(),
            "Telegram does not take the webhook (\"Bad Request: bad webhook: Webhook can be set up only on "
            "ports 80, 88, 443 or 8443\"): use port 443, 80, 88 or 8443 in the URL");
  room.pass(minutes(7));
  EXPECT_EQ(room.telegram.count("setWebhook"), 3U);
  EXPECT_TRUE(room.stats().healthy);
}

TEST(WebhookRegistration, P10_a_refused_token_is_tried_again_every_five_minutes) {
  OwnedRoom room;
  room.telegram.fail("setWebhook", refused(401, "Unauthorized"));
  room.telegram.fail("setWebhook", refused(404, "Not Found"));
  room.start(minutes(9));
  EXPECT_EQ(room.telegram.count("setWebhook"), 2U);
  EXPECT_NE(room.problem().find("does not accept the bot's token"), std::string::npos) << room.problem();
  room.pass(minutes(2));
  EXPECT_TRUE(room.stats().healthy);
}

TEST(WebhookRegistration, takes_the_webhook_over_and_back_and_says_from_whom) {
  OwnedRoom room;
  room.telegram.info["url"] = "https://other.example/secret-8842";
  room.start(seconds(1));
  EXPECT_NE(
      std::find(room.lines.begin(), room.lines.end(), "warning webhook_replaced bot=42 was=other.example"),
      room.lines.end());
  for (const auto* url : {"https://other.example/x", "", "https://example.org/else"}) {
    room.telegram.info["url"] = url;
    room.telegram.fail("setWebhook", ApiError(ApiError::Kind::not_sent, "down"));
    room.pass(minutes(5) + seconds(10));
    EXPECT_EQ(room.telegram.info["url"].as_string(), kUrl) << url;
    EXPECT_TRUE(room.stats().healthy) << room.problem();
  }
  EXPECT_EQ(room.telegram.count("setWebhook"), 7U);
}

TEST(WebhookRegistration, somebody_elses_webhook_is_watched_but_never_set) {
  WebhookRoom room;
  room.telegram.info["url"] = "";
  room.start(seconds(1));
  EXPECT_FALSE(room.stats().healthy);
  EXPECT_NE(room.stats().problem.find("no webhook is set"), std::string::npos);
  room.telegram.info["url"] = "https://example.org/x";
  room.pass(minutes(5));
  EXPECT_TRUE(room.stats().healthy) << room.stats().problem;
  EXPECT_EQ(room.telegram.count("setWebhook"), 0U);
}

TEST(WebhookRegistration, telegrams_last_error_counts_until_an_update_arrives) {
  OwnedRoom room;
  room.start(seconds(90));
  room.fails_at_telegram("Wrong response from the webhook: 401 Unauthorized");
  room.pass(minutes(5));
  EXPECT_FALSE(room.stats().healthy);
  EXPECT_EQ(
      room.problem(),
      "Telegram could not deliver 300 s ago (\"Wrong response from the webhook: 401 Unauthorized\"): the "
      "secret Telegram sends is none of the webhook's secrets: register it again, or list the old one as a "
      "further secret");
  EXPECT_EQ(room.post(webhook_update(5))->status(), 200);
  EXPECT_TRUE(room.stats().healthy);
  EXPECT_EQ(room.problem(), "");
  room.pass(minutes(10));
  EXPECT_TRUE(room.stats().healthy) << "Telegram never clears it";
}

TEST(WebhookRegistration, an_error_from_before_the_start_says_nothing) {
  OwnedRoom room;
  room.options.registration.reset();
  room.telegram.info["url"] = kUrl;
  room.fails_at_telegram("Connection refused");
  room.clock.advance(seconds(10));
  room.start(seconds(1));
  EXPECT_TRUE(room.stats().healthy) << room.problem();
}

TEST(WebhookRegistration, a_check_that_fails_is_told_but_does_not_make_it_unhealthy) {
  OwnedRoom room;
  room.start(seconds(1));
  for (int i = 0; i < 3; ++i)
    room.telegram.fail("getWebhookInfo", ApiError(ApiError::Kind::not_sent, "connection refused"));
  room.pass(minutes(5));
  EXPECT_TRUE(room.stats().healthy);
  EXPECT_NE(room.problem().find("no answer from the Bot API"), std::string::npos) << room.problem();
  room.pass(minutes(1));
  EXPECT_EQ(room.problem(), "");
}

TEST(WebhookRegistration, a_stop_ends_every_wait) {
  for (const bool failing : {false, true}) {
    OwnedRoom room;
    if (failing) room.telegram.fail("setWebhook", refused(401, "Unauthorized"));
    room.start(seconds(1));
    room.stop();
    ASSERT_TRUE(room.ended);
    EXPECT_TRUE(room.ended->has_value());
    EXPECT_FALSE(room.stats().healthy);
    EXPECT_EQ(room.clock.alarms(), 0U);
  }
}

std::string words(const std::string& info, const WebhookRegistration& registration) {
  const WallTime now = from_millis(2'000'000);
  return examine_webhook(*read_webhook_info(info), &registration, from_millis(0), now).text;
}

TEST(WebhookWords, name_what_differs_and_what_to_do) {
  WebhookRegistration ours(kUrl);
  const std::string url = R"({"url":")" + kUrl + "\"";
  EXPECT_EQ(words(url + "}", ours), "");
  EXPECT_NE(words(url + R"(,"has_custom_certificate":true})", ours).find("uploaded by somebody else"),
            std::string::npos);
  EXPECT_NE(words(url + R"(,"pending_update_count":1000})", ours).find("1000 updates wait"),
            std::string::npos);
  EXPECT_NE(words(R"({"url":"https://example.org/x"})", ours).find("another path of example.org"),
            std::string::npos);
  ours.ip_address = "1.2.3.4";
  EXPECT_NE(words(url + R"(,"ip_address":"5.6.7.8"})", ours).find("to 5.6.7.8 instead of 1.2.3.4"),
            std::string::npos);
  ours.certificate_file = "x.pem";
  EXPECT_NE(words(url + R"(,"has_custom_certificate":false,"ip_address":"1.2.3.4"})", ours)
                .find("does not have the uploaded certificate"),
            std::string::npos);
}

TEST(WebhookWords, know_a_remedy_for_each_of_telegrams_errors) {
  const WebhookRegistration ours(kUrl);
  const auto remedy = [&](const std::string& error) {
    return words(R"({"url":")" + kUrl + R"(","last_error_date":1990,"last_error_message":")" + error + "\"}",
                 ours);
  };
  EXPECT_NE(
      remedy("SSL error {error:0A000086:SSL routines::certificate verify failed}").find("full chain, or"),
      std::string::npos);
  EXPECT_NE(remedy("Connection refused").find("nothing listens"), std::string::npos);
  EXPECT_NE(remedy("Connection timed out").find("firewall"), std::string::npos);
  EXPECT_NE(remedy("Read timeout expired").find("60 s"), std::string::npos);
  EXPECT_NE(remedy("Wrong response from the webhook: 404 Not Found").find("path"), std::string::npos);
  EXPECT_NE(remedy("Wrong response from the webhook: 301 Moved").find("redirects"), std::string::npos);
  EXPECT_NE(remedy("Something new").find("see what it says"), std::string::npos);
}

}  // namespace
}  // namespace tgkeep::source
