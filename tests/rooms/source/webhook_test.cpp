// What is answered, and when (P1, P2, P8, P10, P11).

#include "source/webhook.hpp"

#include <gtest/gtest.h>

#include "rooms/source/webhook_room.hpp"

namespace tgkeep::source {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Journal;
using test::PutScript;
using test::webhook_update;
using test::WebhookRoom;

std::string retry_after(const test::Posted& posted) {
  const std::string* const value = http::find_header(posted.reply->headers, "Retry-After");
  return value == nullptr ? "" : *value;
}

TEST(Webhook, P1_the_answer_is_200_only_after_the_put_is_durable) {
  WebhookRoom room;
  room.store.next_put(PutScript(seconds(3)));
  room.start();
  const auto posted = room.post(webhook_update(5));
  room.pass(seconds(2));
  EXPECT_EQ(room.journal, Journal{"put 5"});
  EXPECT_EQ(posted->status(), 0) << "answered before the commit";
  room.pass(seconds(2));
  EXPECT_EQ(room.journal, (Journal{"put 5", "durable"}));
  ASSERT_EQ(posted->status(), 200);
  EXPECT_EQ(room.store.stored.at(5).raw, webhook_update(5));
  EXPECT_EQ(room.stats().stored, 1);
  EXPECT_TRUE(room.stats().healthy);
}

TEST(Webhook, P1_P10_a_full_store_gets_503_with_retry_after_until_it_takes_updates_again) {
  WebhookRoom room;
  room.options.retry_after = seconds(7);
  room.start();
  for (int i = 0; i < 2; ++i) {
    room.store.next_put(PutScript(seconds(0), Error(Errc::store_full, "disk full")));
    const auto refused = room.post(webhook_update(5));
    ASSERT_EQ(refused->status(), 503);
    EXPECT_EQ(retry_after(*refused), "7");
  }
  EXPECT_FALSE(room.stats().healthy);
  EXPECT_EQ(room.stats().problem, "updates are refused, the store takes nothing: disk full");
  EXPECT_FALSE(room.store.has(5));
  EXPECT_EQ(room.post(webhook_update(5))->status(), 200);
  EXPECT_TRUE(room.stats().healthy);
  EXPECT_EQ(room.stats().problem, "");
  EXPECT_EQ(room.stats().failures, 2);
  EXPECT_TRUE(room.running);
}

TEST(Webhook, P1_P10_a_broken_store_gets_503_and_ends_the_run_with_its_error) {
  WebhookRoom room;
  room.start();
  room.store.next_put(PutScript(seconds(1), Error(Errc::store_broken, "fsync failed")));
  const auto first = room.post(webhook_update(5));
  room.pass(seconds(2));
  EXPECT_EQ(first->status(), 503);
  EXPECT_EQ(room.post(webhook_update(6))->status(), 503);
  EXPECT_EQ(room.journal, (Journal{"put 5", "store_broken"})) << "nothing is put any more";
  ASSERT_TRUE(room.ended);
  EXPECT_EQ(room.ended->error().code(), Errc::store_broken);
  EXPECT_EQ(room.stats().problem, "fsync failed");
  EXPECT_FALSE(room.stats().healthy);
}

TEST(Webhook, P1_P2_a_duplicate_is_answered_when_its_original_is_durable) {
  WebhookRoom room;
  room.start();
  EXPECT_EQ(room.post(webhook_update(5))->status(), 200);
  room.store.next_put(PutScript(seconds(1)));
  const auto second = room.post(webhook_update(5));
  EXPECT_EQ(second->status(), 0);
  room.pass(seconds(1));
  EXPECT_EQ(second->status(), 200);
  EXPECT_EQ(room.stats().received, 2);
  EXPECT_EQ(room.stats().stored, 1);
  EXPECT_EQ(room.stats().duplicates, 1);
}

TEST(Webhook, P1_it_stores_only_while_it_runs_and_what_is_on_its_way_at_a_stop_is_answered) {
  WebhookRoom room;
  EXPECT_EQ(room.post(webhook_update(4))->status(), 503);
  room.start();
  room.store.next_put(PutScript(seconds(3)));
  const auto under_way = room.post(webhook_update(5));
  room.stop();
  ASSERT_TRUE(room.ended);
  EXPECT_TRUE(room.ended->has_value());
  const auto late = room.post(webhook_update(6));
  EXPECT_EQ(late->status(), 503);
  EXPECT_EQ(retry_after(*late), "5");
  room.pass(seconds(3));
  EXPECT_EQ(under_way->status(), 200);
  EXPECT_EQ(room.journal, (Journal{"put 5", "durable"}));
  room.start();
  EXPECT_EQ(room.post(webhook_update(6))->status(), 200);
}

TEST(Webhook, P1_a_client_that_hangs_up_does_not_stop_the_put) {
  WebhookRoom room;
  room.start();
  room.store.next_put(PutScript(seconds(3)));
  const auto posted = room.post(webhook_update(5));
  posted->hang_up.emit(asio::cancellation_type::terminal);
  room.pass(seconds(3));
  EXPECT_TRUE(room.store.has(5));
  EXPECT_EQ(room.stats().stored, 1);
  EXPECT_EQ(room.post(webhook_update(5))->status(), 200);
  EXPECT_EQ(room.stats().duplicates, 1);
}

TEST(Webhook, P8_what_cannot_be_read_is_stored_when_it_has_an_id_and_refused_when_it_is_no_update) {
  WebhookRoom room;
  room.start();
  EXPECT_EQ(room.post(R"({"update_id":7,"message":{"text":"\ud800 cut)")->status(), 200);
  ASSERT_TRUE(room.store.has(7));
  EXPECT_NE(room.store.stored.at(7).unreadable, "");
  EXPECT_EQ(room.stats().unreadable, 1);
  for (const auto* body : {"", "hello", "[]", "{}", "null", R"({"message":{"update_id":3}})"}) {
    EXPECT_EQ(room.post(body)->status(), 400) << body;
  }
  EXPECT_EQ(room.store.stored.size(), 1U);
  EXPECT_EQ(room.stats().failures, 6);
  EXPECT_EQ(room.stats().received, 1);
}

TEST(Webhook, P11_no_more_than_4096_wait_for_the_store) {
  WebhookRoom room;
  room.start();
  std::vector<std::shared_ptr<test::Posted>> posts;
  for (int i = 0; i < 4096; ++i) {
    room.store.next_put(PutScript(seconds(3)));
    posts.push_back(room.post(webhook_update(i)));
  }
  EXPECT_EQ(room.post(webhook_update(9000))->status(), 503);
  room.pass(seconds(3));
  for (const auto& posted : posts) ASSERT_EQ(posted->status(), 200);
  EXPECT_EQ(room.post(webhook_update(9000))->status(), 200);
}

TEST(Webhook, P11_no_more_than_64_mib_wait_for_the_store) {
  WebhookRoom room;
  room.start();
  const std::string padding(1'000'000, ' ');
  std::vector<std::shared_ptr<test::Posted>> posts;
  for (int i = 0; i < 67; ++i) {
    room.store.next_put(PutScript(seconds(3)));
    posts.push_back(room.post(webhook_update(i) + padding));
  }
  EXPECT_EQ(room.post(webhook_update(9000) + padding)->status(), 503);
  room.pass(seconds(3));
  for (const auto& posted : posts) ASSERT_EQ(posted->status(), 200);
  EXPECT_EQ(room.post(webhook_update(9000) + padding)->status(), 200);
}

TEST(Webhook, refuses_by_method_path_and_secret_before_the_body) {
  WebhookRoom room;
  http::ServerRequest good = room.request("");
  EXPECT_EQ(room.check(good), 0);
  http::ServerRequest head = good;
  head.target = "/hook?a=b";
  EXPECT_EQ(room.check(head), 0);
  for (const auto* method : {"GET", "HEAD", "PUT", "OPTIONS", "post"}) {
    head = good;
    head.method = method;
    const auto refusal = room.webhook().check(head);
    ASSERT_TRUE(refusal);
    EXPECT_EQ(refusal->status, 405);
    EXPECT_EQ(*http::find_header(refusal->headers, "allow"), "POST");
  }
  for (const auto* target :
       {"/", "/hook/", "/hooks", "/Hook", "//hook", "hook", "", "http://x/hook", "/%68ook"}) {
    head = good;
    head.target = target;
    EXPECT_EQ(room.check(head), 404) << target;
  }
  for (const auto* secret : {"", "s3cre", "s3cret ", "S3cret", "s3crets", "x"}) {
    head = good;
    head.headers[0].second = secret;
    EXPECT_EQ(room.check(head), 401) << secret;
  }
  head.headers.clear();
  EXPECT_EQ(room.check(head), 401);
}

TEST(Webhook, refuses_in_receive_too_when_the_server_does_not_ask_first) {
  WebhookRoom room;
  room.start();
  http::ServerRequest request = room.request(webhook_update(5));
  request.headers.clear();
  EXPECT_EQ(room.post(request)->status(), 401);
  EXPECT_TRUE(room.journal.empty());
}

TEST(Webhook, takes_only_telegrams_addresses_when_told_to) {
  WebhookRoom room;
  room.options.telegram_only = true;
  room.options.trusted_proxies = {"10.0.0.7"};
  http::ServerRequest head = room.request("");
  EXPECT_EQ(room.check(head), 0);
  head.peer = "149.154.176.1";
  EXPECT_EQ(room.check(head), 403);
  head.headers.emplace_back("X-Forwarded-For", "149.154.167.220");
  EXPECT_EQ(room.check(head), 403) << "a stranger's header is not believed";
  head.peer = "10.0.0.7";
  EXPECT_EQ(room.check(head), 0);
  head.headers.emplace_back("X-Forwarded-For", "1.2.3.4");
  EXPECT_EQ(room.check(head), 403);
  head.headers.clear();
  EXPECT_EQ(room.check(head), 403) << "a proxy that says nothing";
}

TEST(Webhook, P1_secrets_rotate_without_a_refused_update) {
  WebhookRoom room;
  room.options.secrets = {"new", "s3cret"};
  room.start();
  for (const auto* secret : {"new", "s3cret"}) {
    http::ServerRequest request = room.request(webhook_update(secret[0]));
    request.headers[0].second = secret;
    EXPECT_EQ(room.post(request)->status(), 200) << secret;
  }
}

TEST(Webhook, warns_when_anybody_could_send_updates) {
  WebhookRoom room;
  room.options.secrets.clear();
  room.start();
  ASSERT_FALSE(room.lines.empty());
  EXPECT_TRUE(room.lines[0].starts_with("warning webhook_without_secret"));
}

TEST(Webhook, options_that_cannot_be_right_are_named) {
  const auto problem = [](auto change) {
    WebhookOptions options(BotId(1));
    change(options);
    const Result<void> checked = check_options(options);
    return checked ? std::string() : checked.error().text();
  };
  EXPECT_EQ(problem([](WebhookOptions&) {}), "");
  EXPECT_NE(problem([](WebhookOptions& o) { o.path = "hook"; }), "");
  EXPECT_NE(problem([](WebhookOptions& o) { o.path = "/hook?x"; }), "");
  const std::string secret = problem([](WebhookOptions& o) { o.secrets = {"good", "not good"}; });
  EXPECT_NE(secret, "");
  EXPECT_EQ(secret.find("not good"), std::string::npos) << "secrets are not shown";
  EXPECT_NE(problem([](WebhookOptions& o) { o.secrets = {""}; }), "");
  EXPECT_NE(problem([](WebhookOptions& o) { o.trusted_proxies = {"10.0.0.0/33"}; }), "");
  EXPECT_NE(problem([](WebhookOptions& o) { o.retry_after = seconds(0); }), "");
  EXPECT_NE(problem([](WebhookOptions& o) { o.registration.emplace("example.org"); }), "");
  EXPECT_NE(problem([](WebhookOptions& o) { o.registration.emplace("https://a/").max_connections = 0; }), "");
}

}  // namespace
}  // namespace tgkeep::source
