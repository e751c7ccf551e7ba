#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "face_room.hpp"

namespace tgkeep::test {
namespace {

using std::chrono::seconds;

class WebhookMethodsTest : public FaceRoom {
 protected:
  void TearDown() override {
    if (server) run(io, server->stop(Duration::zero()));
    io.restart();
    FaceRoom::TearDown();
  }
  /// A bot's own HTTP server on this machine.
  void serve() {
    auto handler = [this](http::ServerRequest request) { return take(std::move(request)); };
    server = http::listen(io.get_executor(), http::ServerOptions(), handler, Log()).value();
  }
  asio::awaitable<http::ServerReply> take(http::ServerRequest request) {
    received.push_back(std::move(request));
    co_return http::ServerReply(status);
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server->port()) + "/hook"; }
  /// A method that has to look up a host, on another thread.
  http::ServerReply set(const std::string& query) {
    Asked& one = ask("/bot42:secret/setWebhook?" + query);
    io.restart();
    while (!one.ended() && io.run_one() > 0) {
    }
    if (one.failure) std::rethrow_exception(one.failure);
    http::ServerReply reply = one.reply.value();
    advance(seconds(2));
    return reply;
  }
  Outcome push(std::int64_t seq) {
    std::shared_ptr<const Delivery> one = delivery(seq);
    Outcome outcome = run(io, made->sink().deliver(std::move(one)));
    io.restart();
    return outcome;
  }
  std::string file() const {
    std::ifstream stream(folder + "/face.json");
    return std::string(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  std::string description(const http::ServerReply& reply) {
    const std::size_t at = reply.body.find(R"("description":")");
    return at == std::string::npos ? "" : reply.body.substr(at + 15, reply.body.rfind('"') - at - 15);
  }

  std::unique_ptr<http::Server> server;
  std::vector<http::ServerRequest> received;
  int status = 200;
};

TEST_F(WebhookMethodsTest, results_are_those_of_the_real_server) {
  EXPECT_EQ(call("deleteWebhook").body,
            R"({"ok":true,"result":true,"description":"Webhook is already deleted"})");
  EXPECT_EQ(set("url=http://127.0.0.1:9/").body,
            R"({"ok":true,"result":true,"description":"Webhook was set"})");
  EXPECT_EQ(set("url=http://127.0.0.1:9/").body,
            R"({"ok":true,"result":true,"description":"Webhook is already set"})");
  EXPECT_EQ(call("DELETEWEBHOOK").body, R"({"ok":true,"result":true,"description":"Webhook was deleted"})");
  set("url=http://127.0.0.1:9/");
  EXPECT_EQ(description(call("setWebhook")), "Webhook was deleted") << "an empty url deletes";
  EXPECT_TRUE(outgoing->passed.empty()) << "Telegram never hears of it";
}

TEST_F(WebhookMethodsTest, updates_are_pushed_as_the_bot_asked_for_it) {
  serve();
  set("url=" + url() + "&secret_token=Secret-1_&max_connections=7");
  EXPECT_EQ(push(5).kind, Outcome::Kind::done);
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received[0].target, "/hook");
  EXPECT_EQ(received[0].body, R"({"update_id":1005,"message":{}})");
  EXPECT_EQ(*http::find_header(received[0].headers, "X-Telegram-Bot-Api-Secret-Token"), "Secret-1_");
  const FaceStats stats = made->stats();
  EXPECT_NE(stats.webhook, "");
  EXPECT_EQ(stats.webhook, "127.0.0.1:" + std::to_string(server->port()));
}

TEST_F(WebhookMethodsTest, polling_is_refused_while_a_webhook_is_set_and_a_waiting_poll_ends) {
  Asked& poll = ask("/bot42:secret/getUpdates?timeout=50");
  set("url=http://127.0.0.1:9/");
  ASSERT_TRUE(poll.ended());
  EXPECT_EQ(poll.reply->status, 409);
  EXPECT_EQ(description(*poll.reply), "Conflict: terminated by setWebhook request");
  EXPECT_EQ(description(call("getUpdates")),
            "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the "
            "webhook first");
  call("deleteWebhook");
  pull->give(1);
  EXPECT_NE(call("getUpdates").body.find(R"("update_id":1)"), std::string::npos);
}

TEST_F(WebhookMethodsTest, it_survives_a_restart_and_only_its_owner_may_read_it) {
  keep_in_folder();
  serve();
  set("url=" + url() + "&secret_token=abc&allowed_updates=[\"message\"]");
  struct stat facts {};
  ASSERT_EQ(::stat((folder + "/face.json").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600U);
  restart();
  EXPECT_NE(made->stats().webhook, "");
  EXPECT_EQ(allowed.back(), std::vector<std::string>{"message"});
  EXPECT_EQ(push(1).kind, Outcome::Kind::done);
  EXPECT_EQ(*http::find_header(received.back().headers, "X-Telegram-Bot-Api-Secret-Token"), "abc");
  call("deleteWebhook");
  restart();
  EXPECT_EQ(made->stats().webhook, "");
}

TEST_F(WebhookMethodsTest, a_damaged_file_is_an_error_that_names_it_and_the_remedy) {
  keep_in_folder();
  for (const char* const text : {"", "{", "[]", R"({"version":2})", R"({"version":1,"webhook":{"url":1}})",
                                 R"({"version":1,"webhook":[]})", R"({"version":1,"allowed_updates":[1]})",
                                 R"({"version":1,"dropped":{}})"}) {
    std::ofstream(folder + "/face.json") << text;
    const Result<face::OwnSettings> loaded = face::OwnSettings::load(folder);
    ASSERT_FALSE(loaded) << text;
    EXPECT_EQ(loaded.error().code(), Errc::bad_config) << text;
    EXPECT_NE(loaded.error().text().find(folder + "/face.json"), std::string::npos);
    EXPECT_NE(loaded.error().text().find("remove it"), std::string::npos);
  }
}

TEST_F(WebhookMethodsTest, what_can_not_be_remembered_is_not_done) {
  keep_in_folder();
  std::filesystem::remove_all(folder);
  const http::ServerReply reply = set("url=http://127.0.0.1:9/");
  EXPECT_EQ(reply.status, 500);
  EXPECT_NE(reply.body.find("face.json"), std::string::npos);
  EXPECT_EQ(made->stats().webhook, "");
}

TEST_F(WebhookMethodsTest, wrong_settings_are_refused_in_the_servers_words) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"url=ftp://127.0.0.1/", "Bad Request: invalid webhook URL specified"},
      {"url=http://", "Bad Request: invalid webhook URL specified"},
      {"url=http://127.0.0.1:x/", "Bad Request: invalid webhook URL specified"},
      {"url=http://127.0.0.1/&secret_token=" + std::string(257, 'a'),
       "Bad Request: secret token is too long"},
      {"url=http://127.0.0.1/&secret_token=a%20b", "Bad Request: secret token contains unallowed characters"},
      {"url=http://127.0.0.1/&ip_address=nowhere", "Bad Request: bad webhook: Invalid IP address specified"},
  };
  for (const auto& [query, words] : cases) {
    const http::ServerReply reply = set(query);
    EXPECT_EQ(reply.status, 400) << query;
    EXPECT_EQ(description(reply), words) << query;
    EXPECT_EQ(made->stats().webhook, "") << query;
  }
}

TEST_F(WebhookMethodsTest, what_can_not_be_honoured_is_refused_with_a_word_about_what_to_do) {
  const http::ServerReply certificate = set("url=https://127.0.0.1/&certificate=PEM");
  EXPECT_EQ(certificate.status, 400);
  EXPECT_NE(certificate.body.find("put your CA into"), std::string::npos);
  const http::ServerReply address = set("url=http://localhost/&ip_address=127.0.0.1");
  EXPECT_EQ(address.status, 400);
  EXPECT_NE(address.body.find("/etc/hosts"), std::string::npos);
  EXPECT_EQ(set("url=http://127.0.0.1:9/&ip_address=127.0.0.1").status, 200) << "it goes there anyway";
}

TEST_F(WebhookMethodsTest, an_address_outside_of_the_allowed_networks_is_refused) {
  const http::ServerReply reply = set("url=http://10.1.2.3/");
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(description(reply),
            "Bad Request: bad webhook: IP address 10.1.2.3 is reserved; to let tgkeep push there, name it in "
            "push.allow");
}

TEST_F(WebhookMethodsTest, the_place_where_tgkeep_itself_listens_is_refused) {
  const http::ServerReply reply = set("url=http://localhost:8481/bot42:secret/hook");
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(
      description(reply),
      "Bad Request: bad webhook: tgkeep itself listens at localhost:8481: give the URL of the bot's own "
      "server");
  EXPECT_EQ(set("url=http://127.0.0.1:8482/").status, 200);
}

TEST_F(WebhookMethodsTest, its_last_failure_is_told_without_the_path_which_may_be_a_secret) {
  serve();
  status = 503;
  set("url=" + url());
  EXPECT_EQ(made->stats().webhook_error, "");
  EXPECT_NE(push(1).kind, Outcome::Kind::done);
  EXPECT_NE(made->stats().webhook_error.find("503"), std::string::npos) << made->stats().webhook_error;
  EXPECT_EQ(made->stats().webhook_error.find("/hook"), std::string::npos);
  call("deleteWebhook");
  EXPECT_EQ(made->stats().webhook_error, "");
}

TEST_F(WebhookMethodsTest, a_refused_webhook_leaves_the_old_one) {
  set("url=http://127.0.0.1:9/");
  EXPECT_EQ(set("url=http://10.1.2.3/").status, 400);
  EXPECT_NE(call("getWebhookInfo").body.find("http://127.0.0.1:9/"), std::string::npos);
}

TEST_F(WebhookMethodsTest, one_setWebhook_a_second) {
  Asked& first = ask("/bot42:secret/setWebhook?url=http://127.0.0.1:9/");
  Asked& second = ask("/bot42:secret/setWebhook?url=http://127.0.0.1:10/");
  EXPECT_EQ(second.reply->status, 429);
  EXPECT_EQ(*http::find_header(second.reply->headers, "Retry-After"), "1");
  io.restart();
  while (!first.ended() && io.run_one() > 0) {
  }
  EXPECT_EQ(first.reply->status, 200);
}

TEST_F(WebhookMethodsTest, a_setWebhook_that_is_overtaken_says_so) {
  // The address is looked up on another thread: so the second must be there before the first begins.
  Asked& first = line_up("/bot42:secret/setWebhook?url=http://127.0.0.1:9/");
  Asked& second = line_up("/bot42:secret/deleteWebhook");
  pump();
  EXPECT_EQ(second.reply->status, 200);
  io.restart();
  while (!first.ended() && io.run_one() > 0) {
  }
  EXPECT_EQ(first.reply->status, 409);
  EXPECT_EQ(description(*first.reply), "Conflict: terminated by other setWebhook");
  EXPECT_EQ(made->stats().webhook, "");
}

TEST_F(WebhookMethodsTest, info_tells_what_is_set_and_how_it_goes) {
  store_updates(3);
  EXPECT_EQ(call("getWebhookInfo").body,
            R"({"ok":true,"result":{"url":"","has_custom_certificate":false,"pending_update_count":3}})");
  serve();
  status = 500;
  set("url=" + url() + "&max_connections=1000000&allowed_updates=[\"message\"]");
  push(1);
  const std::string body = call("getWebhookInfo").body;
  EXPECT_NE(body.find(R"("url":")" + url()), std::string::npos) << body;
  EXPECT_NE(body.find(R"("max_connections":100000)"), std::string::npos) << body;
  EXPECT_NE(body.find(R"("ip_address":"127.0.0.1")"), std::string::npos) << body;
  EXPECT_NE(body.find(R"("last_error_date":17672)"), std::string::npos) << body;
  EXPECT_NE(body.find("answered 500"), std::string::npos) << body;
  EXPECT_NE(body.find(R"("allowed_updates":["message"])"), std::string::npos) << body;
  call("deleteWebhook");
  EXPECT_EQ(call("getWebhookInfo").body.find("last_error"), std::string::npos);
}

TEST_F(WebhookMethodsTest, max_connections_has_the_bounds_of_a_local_server) {
  const std::vector<std::pair<std::string, std::string>> cases = {{"", "100}"},
                                                                  {"&max_connections=0", "1}"},
                                                                  {"&max_connections=-4", "1}"},
                                                                  {"&max_connections=500", "500}"}};
  int port = 10;
  for (const auto& [query, wanted] : cases) {
    set("url=http://127.0.0.1:" + std::to_string(++port) + "/" + query);
    const std::string body = call("getWebhookInfo").body;
    const std::string shown = R"("max_connections":)" + wanted.substr(0, wanted.size() - 1) + ",";
    EXPECT_NE(body.find(shown), std::string::npos) << query << body;
  }
}

TEST_F(WebhookMethodsTest, pending_updates_are_dropped_here_and_at_telegram_and_stay_so) {
  keep_in_folder();
  store_updates(4);
  EXPECT_EQ(description(call("deleteWebhook?drop_pending_updates=true")), "Webhook is already deleted");
  EXPECT_EQ(upstream_drops, 1);
  EXPECT_EQ(pull->dropped, std::vector<Seq>{Seq(4)});
  restart();
  EXPECT_TRUE(pull->dropped.empty()) << "of another life: judged by its time, too, when it comes";
  store_updates(0);
  set("url=http://127.0.0.1:9/&drop_pending_updates=true");
  EXPECT_EQ(upstream_drops, 2);
}

TEST_F(WebhookMethodsTest, setting_the_same_webhook_again_with_a_drop_is_no_mere_repetition) {
  set("url=http://127.0.0.1:9/");
  store_updates(2);
  EXPECT_EQ(description(set("url=http://127.0.0.1:9/&drop_pending_updates=1")), "Webhook was set");
  EXPECT_EQ(pull->dropped, std::vector<Seq>{Seq(2)});
}

TEST_F(WebhookMethodsTest, when_telegram_can_not_be_asked_to_drop_the_rest_is_done) {
  upstream = Error(Errc::network, "nobody answers");
  store_updates(1);
  EXPECT_EQ(call("deleteWebhook?drop_pending_updates=true").status, 200);
  EXPECT_EQ(pull->dropped.size(), 1U);
}

TEST_F(WebhookMethodsTest, a_caller_that_hangs_up_does_not_leave_it_half_done) {
  Asked& one = ask("/bot42:secret/setWebhook?url=http://127.0.0.1:9/");
  one.cancel.emit(asio::cancellation_type::terminal);
  io.restart();
  while (!one.ended() && io.run_one() > 0) {
  }
  EXPECT_NE(made->stats().webhook, "");
}

TEST_F(WebhookMethodsTest, a_caller_that_hangs_up_does_not_end_the_wait_for_telegram) {
  store_updates(2);
  upstream_takes = seconds(30);
  Asked& one = ask("/bot42:secret/deleteWebhook?drop_pending_updates=true");
  one.cancel.emit(asio::cancellation_type::terminal);
  pump();
  EXPECT_FALSE(one.ended());
  advance(seconds(31));
  ASSERT_TRUE(one.reply);
  EXPECT_EQ(pull->dropped, std::vector<Seq>{Seq(2)});
}

TEST_F(WebhookMethodsTest, P9_a_stop_ends_the_wait_for_telegram_and_what_was_not_answered_is_not_done) {
  keep_in_folder();
  set("url=http://127.0.0.1:9/");
  store_updates(2);
  upstream_takes = std::chrono::hours(1);
  for (const char* const method : {"deleteWebhook?", "setWebhook?", "setWebhook?url=http://127.0.0.1:10/&"}) {
    const int before = upstream_drops;
    Asked& one = ask(std::string("/bot42:secret/") + method + "drop_pending_updates=true");
    io.restart();
    while (upstream_drops == before && io.run_one() > 0) {
    }
    // It hung up long before the stop, which must end it all the same.
    one.cancel.emit(asio::cancellation_type::terminal);
    pump();
    made->wind_down();
    pump();
    EXPECT_FALSE(one.ended()) << "it may end by itself as long as the drain lasts";
    one.cancel.emit(asio::cancellation_type::terminal);
    pump();
    ASSERT_TRUE(one.failure) << method;
    EXPECT_TRUE(pull->dropped.empty());
    restart();
    EXPECT_NE(made->stats().webhook, "") << method;
    EXPECT_EQ(made->stats().webhook, "127.0.0.1:9");
  }
  EXPECT_EQ(upstream_drops, 3);
}

TEST_F(WebhookMethodsTest, the_file_holds_what_the_bot_set_and_no_half_written_one_stays) {
  keep_in_folder();
  set("url=http://127.0.0.1:9/&secret_token=abc");
  EXPECT_NE(file().find(R"("secret_token":"abc")"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder + "/face.json.new"));
}

}  // namespace
}  // namespace tgkeep::test
